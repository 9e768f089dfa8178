import { getRouteApi } from '@tanstack/react-router'
import type { TeamResultsSearch } from '#contract/team/team-results.ts'
import { useSearchState } from '#src/lib/use-search-state.ts'

const route = getRouteApi('/_app/results')

export const useTeamResultsUrlState = () => useSearchState<TeamResultsSearch>(route.useSearch(), route.useNavigate())
