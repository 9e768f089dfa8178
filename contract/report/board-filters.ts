import { activeReportFilters, type ReportSearch } from './report-params.ts'

/**
 * Returns the filters of a report search that also apply to the board; undefined when there are none. A separate module
 * because the report's first load needs it.
 */
export function boardFiltersOf(search: ReportSearch): ReportSearch | undefined {
  const names = activeReportFilters(search)
  return names.length === 0
    ? undefined
    : (Object.fromEntries(names.map((name) => [name, search[name]])) as ReportSearch)
}
