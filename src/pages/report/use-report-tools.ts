import { useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Organisation } from '#contract/organisation.ts'
import type { ReportPage, ReportRow } from '#contract/report.ts'
import { printReportSearch, type ReportSearch } from '#contract/report-params.ts'
import type { User } from '#contract/user.ts'
import { navEntriesFor } from '#src/features/navigation/nav-entries.ts'
import { linkTo } from '#src/features/navigation/nav-tabs.tsx'
import { BUILT_SCREENS } from '#src/features/navigation/screens.ts'
import { useSelection } from '#src/features/selection/use-selection.ts'
import { useShortcuts } from '#src/features/shortcuts/use-shortcuts.ts'
import { reportFiltersOf } from '#src/lib/report-address.ts'
import type { ChangeReport } from '#src/lib/report-change.ts'
import type { ReportTableHandle } from './report-table.tsx'
import type { ReportTools } from './report-tools.ts'
import { usePeek } from './use-peek.ts'

// What a key does is not needed to draw the page; it arrives while the first rows are read.
const loadCommands = () => import('./report-commands.ts')
const PRELOAD_MS = 1500

type ToolsOptions = {
  /** The search asked of the server. */
  search: ReportSearch
  change: ChangeReport
  page: ReportPage | undefined
  rows: ReportRow[]
  /** The page shown is not the one asked for. */
  isOld: boolean
  user: User
  organisation: Organisation
}

export type UsedReportTools = ReportTools & {
  readonly setCurrent: (id: string) => void
  /** Takes the focus into the panel when it becomes another number. */
  readonly enter: number
  readonly closePeek: () => void
  /** Gives the focus back to the current row, from something that goes away. */
  readonly focusCurrent: () => void
  readonly walk: (by: 1 | -1) => void
  readonly help: boolean
  readonly closeHelp: () => void
  readonly said: string
}

/** Selection, cursor, panel and keys of the report. */
export function useReportTools(options: ToolsOptions): UsedReportTools {
  const { search, change, page, rows, isOld, user, organisation } = options
  const router = useRouter()
  const selection = useSelection(JSON.stringify(printReportSearch(reportFiltersOf(search))))
  const peek = usePeek(search.peek, change)
  const [cursor, setCursor] = useState<string>()
  const [enter, setEnter] = useState(0)
  if (peek.id === undefined && enter !== 0) setEnter(0)
  const [help, setHelp] = useState(false)
  const [said, setSaid] = useState('')
  const table = useRef<ReportTableHandle>(null)
  const arriveAt = useRef<'first' | 'last'>(undefined)
  const { follow } = peek
  const setCurrent = useCallback(
    (id: string) => {
      setCursor(id)
      follow(id)
    },
    [follow],
  )

  const tools: ReportTools = {
    rows,
    page: page?.page ?? 1,
    lastPage: page ? Math.max(1, Math.ceil(page.total_project / page.page_size)) : 1,
    change,
    // A link opens the panel of a project before anyone has moved: its row is the place to start from.
    current: cursor ?? (rows.some((row) => row.project_id === peek.id) ? peek.id : undefined),
    table,
    selection,
    peek,
    enterPeek: () => setEnter((times) => times + 1),
    starred: user.project_bookmark,
    showsHidden: search.project_hidden === true,
    entries: navEntriesFor({ user, organisation }, BUILT_SCREENS),
    goTo: (path) => {
      if (path !== router.latestLocation.pathname) void router.navigate({ to: linkTo(path) })
    },
    arriveAt,
    showHelp: () => setHelp(true),
    // Said twice it has to be another text, or it is not read again.
    say: (text) => setSaid((before) => (before === text && text !== '' ? `${text}\u00A0` : text)),
  }
  const latest = useRef(tools)
  useEffect(() => {
    latest.current = tools
  })
  useShortcuts((press) => void loadCommands().then(({ runShortcut }) => runShortcut(press, latest.current)))
  useEffect(() => {
    const timer = setTimeout(() => loadCommands().catch(() => undefined), PRELOAD_MS)
    return () => clearTimeout(timer)
  }, [])

  // J at the end of a page has asked for the next one: its first row gets the focus, as J would have given it.
  useEffect(() => {
    const row = arriveAt.current === 'last' ? rows.at(-1) : rows[0]
    if (isOld || !arriveAt.current || !row) return
    arriveAt.current = undefined
    void loadCommands().then(({ focusProject }) => focusProject(row.project_id, latest.current))
  }, [rows, isOld])

  return {
    ...tools,
    setCurrent,
    enter,
    closePeek: () => void loadCommands().then(({ closePeek }) => closePeek(latest.current)),
    focusCurrent: () =>
      void loadCommands().then(({ focusProject }) => {
        const id = latest.current.current ?? latest.current.rows[0]?.project_id
        if (id !== undefined) focusProject(id, latest.current)
      }),
    walk: (by) =>
      void loadCommands().then(({ runShortcut }) =>
        runShortcut({ name: by === 1 ? 'next' : 'previous', isRepeat: false }, latest.current),
      ),
    help,
    closeHelp: () => setHelp(false),
    said,
  }
}
