import { useState } from 'react'
import type { ReportRow } from '#contract/report/report.ts'
import { useUser } from '#src/account/api/users.ts'
import { copyProjectsForLineChat } from '#src/channels/line-copy/copy-projects-for-line-chat.ts'
import { getNamedElement } from '#src/lib/named-elements.ts'
import { setBookmarks } from '#src/report/bookmarks/set-bookmarks.ts'
import { setProjectsHidden } from '#src/report/hidden-projects/set-projects-hidden.ts'
import { openLabelPicker } from '#src/report/labels/label-panel.tsx'
import { useScreenShortcuts } from '#src/shell/shortcuts/screen-shortcuts.ts'
import { type ShortcutGroup, ShortcutHelpDialog } from '#src/shell/shortcuts/shortcut-help-dialog.tsx'
import type { Shortcut } from '#src/shell/shortcuts/shortcut-keys.ts'
import { useShortcuts } from '#src/shell/shortcuts/use-shortcuts.ts'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'
import type { AdjacentProjects } from './use-adjacent-projects.ts'

const GROUPS: readonly ShortcutGroup[] = [
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
  row: ReportRow | undefined
  neighbours: AdjacentProjects
  onBack: () => void
}

export function ProjectShortcuts({ row, neighbours, onBack }: ProjectKeysProps) {
  const user = useUser()
  const [announcement, setAnnouncement] = useState('')
  const [help, setHelp] = useState(false)
  const { screens, goTo } = useScreenShortcuts()
  // Screen readers skip a text that is equal to the previous one, so append a no-break space.
  const announce = (text: string) =>
    setAnnouncement((before) => (before === text && text !== '' ? `${text}\u00A0` : text))

  const move = (to: string | undefined, edge: string) => {
    if (neighbours.position === undefined) return
    if (to === undefined) announce(edge)
    else neighbours.moveTo(to)
  }
  const onProject: Partial<Record<Shortcut, (row: ReportRow) => void>> = {
    star: ({ project_id: id }) => {
      const on = !user.project_bookmark.includes(id)
      void setBookmarks([id], on)
      // Removing a star shows a toast with undo, which screen readers announce instead.
      announce(on ? 'ติดดาวแล้ว' : '')
    },
    labels: ({ project_id: id }) => openLabelPicker([id], getNamedElement(`labels ${id}`) ?? null),
    hide: ({ project_id: id }) => {
      const on = !user.project_hidden.includes(id)
      void setProjectsHidden([id], on)
      if (on && neighbours.next !== undefined) neighbours.moveTo(neighbours.next)
    },
    line: (projectRow) => void copyProjectsForLineChat([projectRow]),
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
      {help && <ShortcutHelpDialog onClose={() => setHelp(false)} screens={screens} groups={GROUPS} />}
    </>
  )
}
