import { useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { useOrganisation } from '#src/api/organisations.ts'
import { useUser } from '#src/api/users.ts'
import { navEntriesFor } from '#src/features/navigation/nav-entries.ts'
import { linkTo } from '#src/features/navigation/nav-tabs.tsx'
import { BUILT_SCREENS } from '#src/features/navigation/screens.ts'
import { screenKeys } from '#src/features/shortcuts/screen-keys.ts'
import { useShortcuts } from '#src/features/shortcuts/use-shortcuts.ts'
import { focusProject, type KeyTools, runShortcut } from './report-commands.ts'
import type { ReportTools } from './use-report-tools.ts'

const ShortcutHelp = lazy(() =>
  import('#src/features/shortcuts/shortcut-help.tsx').then((module) => ({ default: module.ShortcutHelp })),
)

type ReportKeyboardProps = {
  tools: ReportTools
  /** The page shown is not the one asked for. */
  isOld: boolean
  showsHidden: boolean
}

/** The keys of the report, and the press on a name. Comes after the first rows: nobody presses a key before there is something to see. */
export function ReportKeyboard({ tools, isOld, showsHidden }: ReportKeyboardProps) {
  const user = useUser()
  const organisation = useOrganisation()
  const router = useRouter()
  const screens = screenKeys(navEntriesFor({ user, organisation }, BUILT_SCREENS))
  const keyTools: KeyTools = {
    ...tools,
    starred: user.project_bookmark,
    showsHidden,
    goTo: (letter) => {
      const path = screens.find((screen) => screen.letter === letter)?.entry.path
      if (path && path !== router.latestLocation.pathname) void router.navigate({ to: linkTo(path) })
    },
  }
  const latest = useRef(keyTools)
  useEffect(() => {
    latest.current = keyTools
  })
  useShortcuts((press) => runShortcut(press, latest.current))

  // The name is text that can be selected and copied, so it is no button; to the keyboard Space on the row does the same.
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return
      const target = event.target instanceof Element ? event.target : undefined
      const index = target?.closest('[data-opens-peek]')?.closest('tr[data-index]')?.getAttribute('data-index')
      const row = index ? latest.current.rows[Number(index)] : undefined
      if (row && window.getSelection()?.isCollapsed !== false) latest.current.peek.open(row.project_id)
    }
    document.addEventListener('click', onClick)
    return () => document.removeEventListener('click', onClick)
  }, [])

  // J at the end of a page has asked for the next one: its first row gets the focus, as J would have given it.
  const { rows, arriveAt } = tools
  useEffect(() => {
    const row = arriveAt.current === 'last' ? rows.at(-1) : rows[0]
    if (isOld || !arriveAt.current || !row) return
    arriveAt.current = undefined
    focusProject(row.project_id, latest.current)
  }, [rows, isOld, arriveAt])

  if (!tools.help) return null
  return (
    <Suspense fallback={null}>
      <ShortcutHelp open onClose={() => tools.showHelp(false)} screens={screens} />
    </Suspense>
  )
}
