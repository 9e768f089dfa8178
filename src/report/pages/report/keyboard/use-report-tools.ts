import { useRouter } from '@tanstack/react-router'
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ReportPage, ReportRow } from '#contract/report/report.ts'
import { printReportSearch, type ReportSearch } from '#contract/report/report-params.ts'
import { reportFiltersOf } from '#src/lib/report-address.ts'
import type { ChangeReport } from '#src/lib/report-change.ts'
import type { ReportTableHandle } from '#src/report/pages/report/table/report-table.tsx'
import { type Selection, useSelection } from '#src/report/selection/use-selection.ts'
import { savedCursor } from './saved-cursor.ts'

/**
 * Debounces address updates while stepping through rows, because browsers reject hundreds of history writes in a row.
 */
const DEBOUNCE_MS = 200

type Peek = {
  readonly id: string | undefined
  /** Opens the panel as a new history entry, or switches the project if it is already open. */
  readonly open: (id: string) => void
  /** Switches an open panel to another project; a no-op when closed. */
  readonly follow: (id: string) => void
  readonly close: () => void
}

/** The peek panel. Its project is part of the address, so links open it and Back closes it. */
function usePeek(inAddress: string | undefined, change: ChangeReport): Peek {
  const { history } = useRouter()
  // Optimistic project id while the debounced address update is pending.
  const [ahead, setAhead] = useState<string>()
  const [seen, setSeen] = useState(inAddress)
  if (seen !== inAddress) {
    setSeen(inAddress)
    setAhead(undefined)
  }
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // Navigation cancels a pending address update.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each new value of the address
  useEffect(() => () => clearTimeout(timer.current), [inAddress])
  /** History index of the entry that opened the panel, if this page created it. */
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
        // Go back instead of pushing, so closing the panel leaves no dead history entry.
        if (opened.current === history.location.state.__TSR_index) history.back()
        else change({ peek: undefined }, 'replace')
        opened.current = undefined
      },
    }
  }, [id, change, history])
}

export type ReportTools = {
  readonly rows: readonly ReportRow[]
  readonly page: ReportPage | undefined
  readonly change: ChangeReport
  readonly current: string | undefined
  readonly setCurrent: (id: string) => void
  readonly table: RefObject<ReportTableHandle | null>
  readonly selection: Selection
  readonly peek: Peek
  /** Row to focus once the next page has loaded. */
  readonly arriveAt: RefObject<'first' | 'last' | undefined>
  readonly say: (text: string) => void
  readonly announcement: string
  readonly help: boolean
  readonly showHelp: (open: boolean) => void
}

type ToolsOptions = {
  search: ReportSearch
  change: ChangeReport
  page: ReportPage | undefined
  rows: readonly ReportRow[]
}

/** UI state of the report: cursor, selection, panel. The code that changes it is lazy-loaded. */
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
    // When a link opens the panel, the cursor starts at that project's row.
    current: cursor ?? (rows.some((row) => row.project_id === peek.id) ? peek.id : undefined),
    setCurrent,
    table,
    selection,
    peek,
    arriveAt,
    // Append a no-break space to a repeated text, or screen readers would not read it again.
    say: (text) => setAnnouncement((before) => (before === text && text !== '' ? `${text}\u00A0` : text)),
    announcement,
    help,
    showHelp,
  }
}
