import { useMemo } from 'react'
import type { User } from '#contract/account/user.ts'
import type { ReportRow } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { ReportResult } from './use-report-result.ts'

/**
 * The rows to draw while the answer without the hidden ones is on its way: what the user has just hidden leaves at once, and in
 * the view of hidden projects what was just taken back.
 */
export function visibleRows<Row extends { readonly project_id: string }>(
  rows: Row[],
  hidden: ReadonlySet<string>,
  showsHidden: boolean,
): Row[] {
  return rows.every(({ project_id }) => hidden.has(project_id) === showsHidden)
    ? rows
    : rows.filter(({ project_id }) => hidden.has(project_id) === showsHidden)
}

const NO_ROWS: ReportRow[] = []

/** The rows of the page: what is hidden leaves at once, and is back when the server refuses. Old rows are those of another view. */
export function useVisibleRows({ page, isOld }: ReportResult, search: ReportSearch, user: User): ReportRow[] {
  const { project_hidden: ids } = user
  const showsHidden = search.project_hidden === true
  return useMemo(() => {
    if (!page) return NO_ROWS
    // The same array while nothing leaves: another one would be drawn anew, row for row, when the next search begins.
    return isOld ? page.results : visibleRows(page.results, new Set(ids), showsHidden)
  }, [page, isOld, ids, showsHidden])
}
