import { useRouter } from '@tanstack/react-router'
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ReportPage, ReportRow } from '#contract/report/report.ts'
import { printReportSearch, type ReportSearch } from '#contract/report/report-params.ts'
import { reportFiltersOf } from '#src/lib/report-address.ts'
import type { ChangeReport } from '#src/lib/report-change.ts'
import type { ReportTableHandle } from '#src/report/pages/report/table/report-table.tsx'
import { type Selection, useSelection } from '#src/report/selection/use-selection.ts'
import { savedCursor } from './saved-cursor.ts'

/** Walking through rows with the panel open writes the address after a pause, because browsers refuse hundreds of writes in a row. */
const DEBOUNCE_MS = 200

type Peek = {
  /** Project in the panel; undefined while it is closed. */
  readonly id: string | undefined
  /** Opens the panel, a step that Back undoes; when it is open already it goes to the project. */
  readonly open: (id: string) => void
  /** The panel goes along to another project; nothing when it is closed. */
  readonly follow: (id: string) => void
  readonly close: () => void
}

/** The panel of one project. That it is open stands in the address, so that a link shows it and Back closes it. */
function usePeek(inAddress: string | undefined, change: ChangeReport): Peek {
  const { history } = useRouter()
  // The panel is ahead of the address for a moment while one walks.
  const [ahead, setAhead] = useState<string>()
  const [seen, setSeen] = useState(inAddress)
  if (seen !== inAddress) {
    setSeen(inAddress)
    setAhead(undefined)
  }
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // Back, or a new project in the address, overtakes what was about to be written.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each new value of the address
  useEffect(() => () => clearTimeout(timer.current), [inAddress])
  /** Place in the history of the step that opened the panel, when this page made it. */
  const opened = useRef<number>(undefined)

  const id = inAddress === undefined ? undefined : (ahead ?? inAddress)
  return useMemo(() => {
    const follow = (next: string) => {
      if (id === undefined || id === next) return
      setAhead(next)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => change({ peek: next }, 'replace'), DEBOUNCE_MS)
    }
    return {
      id,
      follow,
      open: (next) => {
        if (id !== undefined) return follow(next)
        opened.current = history.location.state.__TSR_index + 1
        change({ peek: next })
      },
      close: () => {
        clearTimeout(timer.current)
        if (id === undefined) return
        // Back from where it was opened, so that no step is left that changes nothing.
        if (opened.current === history.location.state.__TSR_index) history.back()
        else change({ peek: undefined }, 'replace')
        opened.current = undefined
      },
    }
  }, [id, change, history])
}

/** What keys, panel and bulk bar work on: the cursor, what is selected, what the panel shows. */
export type ReportTools = {
  /** Projects of the page, in their order. */
  readonly rows: readonly ReportRow[]
  /** The page shown; undefined before the first answer. */
  readonly page: ReportPage | undefined
  readonly change: ChangeReport
  /** Project on which the cursor stands. */
  readonly current: string | undefined
  readonly setCurrent: (id: string) => void
  readonly table: RefObject<ReportTableHandle | null>
  readonly selection: Selection
  readonly peek: Peek
  /** The row of the next page that gets the focus when it comes. */
  readonly arriveAt: RefObject<'first' | 'last' | undefined>
  /** Says to a screen reader what happened. */
  readonly say: (text: string) => void
  readonly announcement: string
  readonly help: boolean
  readonly showHelp: (open: boolean) => void
}

type ToolsOptions = {
  /** The search asked of the server. */
  search: ReportSearch
  change: ChangeReport
  page: ReportPage | undefined
  rows: readonly ReportRow[]
}

/** State of the report that is no part of its data: cursor, selection, panel. What changes it is loaded later. */
export function useReportTools({ search, change, page, rows }: ToolsOptions): ReportTools {
  const selection = useSelection(JSON.stringify(printReportSearch(reportFiltersOf(search))), rows)
  const peek = usePeek(search.peek, change)
  const { history } = useRouter()
  const [cursor, setCursor] = useState(() => savedCursor(history))
  const [help, showHelp] = useState(false)
  const [announcement, setAnnouncement] = useState('')
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
  return {
    rows,
    page,
    change,
    // A link opens the panel of a project before anyone has moved: its row is the place to start from.
    current: cursor ?? (rows.some((row) => row.project_id === peek.id) ? peek.id : undefined),
    setCurrent,
    table,
    selection,
    peek,
    arriveAt,
    // Said twice it has to be another text, or it is not read again.
    say: (text) => setAnnouncement((before) => (before === text && text !== '' ? `${text}\u00A0` : text)),
    announcement,
    help,
    showHelp,
  }
}
