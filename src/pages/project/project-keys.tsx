import { useState } from 'react'
import type { ReportRow } from '#contract/report/report.ts'
import { useUser } from '#src/api/user/users.ts'
import { setBookmarks } from '#src/features/bookmarks/set-bookmarks.ts'
import { hideProjects } from '#src/features/hidden-projects/hide-projects.ts'
import { openLabelPicker } from '#src/features/labels/label-panel.ts'
import { copyForLine } from '#src/features/line-copy/copy-for-line.ts'
import { useScreenKeys } from '#src/features/shortcuts/screen-keys.ts'
import type { KeyGroup } from '#src/features/shortcuts/shortcut-help.tsx'
import type { Shortcut } from '#src/features/shortcuts/shortcut-keys.ts'
import { useShortcuts } from '#src/features/shortcuts/use-shortcuts.ts'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { LazyBoundary } from '#src/ui/lazy-boundary.tsx'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'
import type { Neighbours } from './use-neighbours.ts'

const ShortcutHelp = lazyComponent(() => import('#src/features/shortcuts/shortcut-help.tsx'), 'ShortcutHelp')

const GROUPS: readonly KeyGroup[] = [
  {
    title: 'ไล่ดูรายการที่เปิดมา',
    entries: [
      { keys: ['J'], th: 'โครงการถัดไป' },
      { keys: ['K'], th: 'โครงการก่อนหน้า' },
      { keys: ['Esc'], th: 'กลับไปยังรายงาน' },
    ],
  },
  {
    title: 'ทำกับโครงการนี้',
    entries: [
      { keys: ['B'], th: 'ติดดาวหรือเอาดาวออก' },
      { keys: ['L'], th: 'ป้ายกำกับ แล้วกด 1–9 เลือกป้าย' },
      { keys: ['X'], th: 'ซ่อน แล้วไปโครงการถัดไป' },
      { keys: ['C'], th: 'คัดลอกสำหรับ LINE' },
    ],
  },
]

type ProjectKeysProps = {
  /** Undefined while the project is not there: then only the ways out answer. */
  row: ReportRow | undefined
  neighbours: Neighbours
  onMove: (id: string) => void
  onBack: () => void
}

/** The keys of the report, on one project: J and K go through the list, Esc back to it, B, L, X and C work on the project. */
export function ProjectKeys({ row, neighbours, onMove, onBack }: ProjectKeysProps) {
  const user = useUser()
  const [announcement, setAnnouncement] = useState('')
  const [help, setHelp] = useState(false)
  const { screens, goTo } = useScreenKeys()
  // Said twice it has to be another text, or it is not read again.
  const say = (text: string) => setAnnouncement((before) => (before === text && text !== '' ? `${text}\u00A0` : text))

  const move = (to: string | undefined, edge: string) => {
    if (neighbours.place === undefined) return
    if (to === undefined) say(edge)
    else onMove(to)
  }
  const onProject: Partial<Record<Shortcut, (row: ReportRow) => void>> = {
    star: ({ project_id: id }) => {
      const on = !user.project_bookmark.includes(id)
      void setBookmarks([id], on)
      // Taking a star away is said by its message, which can be undone.
      say(on ? 'ติดดาวแล้ว' : '')
    },
    labels: ({ project_id: id }) => openLabelPicker([id], document.querySelector<HTMLElement>('[data-project-labels]')),
    hide: ({ project_id: id }) => {
      const on = !user.project_hidden.includes(id)
      void hideProjects([id], on)
      if (on && neighbours.next !== undefined) onMove(neighbours.next)
    },
    line: (one) => void copyForLine([one]),
  }
  useShortcuts(({ name, letter }) => {
    switch (name) {
      case 'next':
        return move(neighbours.next, 'โครงการสุดท้ายของรายการแล้ว')
      case 'previous':
        return move(neighbours.previous, 'โครงการแรกของรายการแล้ว')
      case 'close':
        return onBack()
      case 'help':
        return setHelp(true)
      case 'go':
        return goTo(letter)
      default:
        if (row) onProject[name]?.(row)
    }
  })
  return (
    <>
      <VisuallyHidden live>{announcement}</VisuallyHidden>
      {help && (
        <LazyBoundary>
          <ShortcutHelp open onClose={() => setHelp(false)} screens={screens} groups={GROUPS} />
        </LazyBoundary>
      )}
    </>
  )
}
