import { printReportSearch, type ReportSearch } from '../report/report-params.ts'
import { type SavedFilter, savedFilterAddress } from './saved-filter.ts'

/** What can still be bid for, the nearest deadline first: the start view of who has chosen no other. */
export const OPEN_VIEW: ReportSearch = {
  project_bidding__in: { values: ['open'], negated: false },
  ordering: 'submission_end_date',
}

/**
 * Search of the report as the menu and the login open it: the user's own start view, otherwise `OPEN_VIEW`. A bare `/report` keeps the
 * meaning of the specification: every project, newest first.
 */
export function startAddress(filters: readonly SavedFilter[]): Record<string, string> {
  const chosen = filters.find(({ isStart }) => isStart)
  return chosen ? savedFilterAddress(chosen) : printReportSearch(OPEN_VIEW)
}
