import type { User } from '../account/user.ts'
import { printReportSearch, type ReportSearch } from './report-params.ts'
import { savedFilterAddress } from './saved-filter-search.ts'

/** What can still be bid for, the nearest deadline first: the start view of who has chosen no other. */
export const OPEN_VIEW: ReportSearch = {
  project_bidding__in: { values: ['open'], negated: false },
  ordering: 'submission_end_date',
}

/**
 * Search of the report as the menu and the login open it: the user's own start view or the colleague's that they chose, otherwise `OPEN_VIEW`. A bare `/report` keeps the
 * meaning of the specification: every project, newest first.
 */
export function startAddress({
  project_save_filter_profile: filters,
  start_team_view: shared,
}: Pick<User, 'project_save_filter_profile' | 'start_team_view'>): Record<string, string> {
  const chosen = filters.find(({ isStart }) => isStart)
  if (chosen) return savedFilterAddress(chosen)
  return shared?.filterData
    ? savedFilterAddress({ id: shared.id, filterData: shared.filterData })
    : printReportSearch(OPEN_VIEW)
}
