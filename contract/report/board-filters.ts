import { getActiveReportFilters, type ReportSearch } from './report-params.ts'

/**
 * Returns the filters of a report search that also apply to the board; undefined when there are none. A separate module
 * because the report's first load needs it.
 */
export function getBoardFilters(search: ReportSearch): ReportSearch | undefined {
  const names = getActiveReportFilters(search)
  return names.length === 0
    ? undefined
    : (Object.fromEntries(names.map((name) => [name, search[name]])) as ReportSearch)
}
