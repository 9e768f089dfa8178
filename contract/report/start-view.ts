import type { User } from '../account/user.ts'
import { formatReportSearch, type ReportSearch } from './report-params.ts'
import { buildSavedFilterUrlParams } from './saved-filter-search.ts'

export const DEFAULT_START_SEARCH: ReportSearch = {
  project_bidding__in: { values: ['open'], negated: false },
  ordering: 'submission_end_date',
}

/**
 * Returns the search with which the menu and the login open the report: the user's start filter or chosen team view,
 * otherwise `DEFAULT_START_SEARCH`. A bare `/report` means every project, newest first, as in the specification.
 */
export function getStartSearchParams({
  project_save_filter_profile: filters,
  start_team_view: shared,
}: Pick<User, 'project_save_filter_profile' | 'start_team_view'>): Record<string, string> {
  const chosen = filters.find(({ isStart }) => isStart)
  if (chosen) return buildSavedFilterUrlParams(chosen)
  return shared?.filterData
    ? buildSavedFilterUrlParams({ id: shared.id, filterData: shared.filterData })
    : formatReportSearch(DEFAULT_START_SEARCH)
}
