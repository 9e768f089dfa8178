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

/** The keys of the report. Comes after the first rows: nobody presses a key before there is something to see. */
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
