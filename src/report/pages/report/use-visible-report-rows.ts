import type { User } from '#contract/account/user.ts'
import type { ReportRow } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { ReportResult } from './use-report-result.ts'

export function filterVisibleReportRows<Row extends { readonly project_id: string }>(
  rows: Row[],
  hidden: ReadonlySet<string>,
  showsHidden: boolean,
): Row[] {
  return rows.every(({ project_id }) => hidden.has(project_id) === showsHidden)
    ? rows
    : rows.filter(({ project_id }) => hidden.has(project_id) === showsHidden)
}

const NO_ROWS: ReportRow[] = []

/**
 * Omits rows that the user has just hidden; they return if the server refuses. Rows of an earlier search are not
 * filtered.
 */
export function useVisibleReportRows({ page, isOld }: ReportResult, search: ReportSearch, user: User): ReportRow[] {
  'use memo'
  const { project_hidden: ids } = user
  const showsHidden = search.project_hidden === true
  if (!page) return NO_ROWS
  // Return the same array, because a new one would re-render all rows when the next search starts.
  return isOld ? page.results : filterVisibleReportRows(page.results, new Set(ids), showsHidden)
}
