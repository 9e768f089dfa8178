import { getRouteApi } from '@tanstack/react-router'
import type { TeamResultFigure, TeamResultGrouping, TeamResultsSearch } from '#contract/team/team-results.ts'
import { useSearchState } from '#src/lib/use-search-state.ts'

const route = getRouteApi('/_app/results')

export function useTeamResultsUrlState() {
  const state = useSearchState<TeamResultsSearch>(route.useSearch(), route.useNavigate())
  const openFigure = (rows: TeamResultFigure, group?: { by: TeamResultGrouping; key: string }) =>
    state.change({ rows, group: group?.by, key: group?.key })
  return { ...state, openFigure }
}
