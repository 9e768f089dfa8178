import { useRouter } from '@tanstack/react-router'
import { type RefObject, useCallback, useRef, useState } from 'react'
import type { ReportPage, ReportRow } from '#contract/report.ts'
import { printReportSearch, type ReportSearch } from '#contract/report-params.ts'
import { type Selection, useSelection } from '#src/features/selection/use-selection.ts'
import { reportFiltersOf } from '#src/lib/report-address.ts'
import type { ChangeReport } from '#src/lib/report-change.ts'
import { keptCursor } from './kept-cursor.ts'
import type { ReportTableHandle } from './report-table.tsx'
import { type Peek, usePeek } from './use-peek.ts'

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
  readonly said: string
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
  const [cursor, setCursor] = useState(() => keptCursor(history))
  const [help, showHelp] = useState(false)
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
    say: (text) => setSaid((before) => (before === text && text !== '' ? `${text}\u00A0` : text)),
    said,
    help,
    showHelp,
  }
}
