import { activeReportFilters, type ReportSearch } from './report-params.ts'

/** What of a search of the report a board filters by; undefined when nothing. Apart from the board's address: the report's first load needs it. */
export function boardFilters(search: ReportSearch): ReportSearch | undefined {
  const names = activeReportFilters(search)
  return names.length === 0
    ? undefined
    : (Object.fromEntries(names.map((name) => [name, search[name]])) as ReportSearch)
}
