import { getRouteApi } from '@tanstack/react-router'
import { formatTeamResultsSearch, parseTeamResultsSearch, type TeamResultsSearch } from '#contract/team/team-results.ts'
import { memoizeLastResult } from '#src/lib/flat-search-params.ts'
import { useFlatSearchParams } from '#src/lib/use-flat-search-params.ts'

const route = getRouteApi('/_app/results')

export const parseTeamResultsUrlSearch = memoizeLastResult(parseTeamResultsSearch)

export const useTeamResultsUrlState = () =>
  useFlatSearchParams<TeamResultsSearch>({
    flat: route.useSearch(),
    navigate: route.useNavigate(),
    read: parseTeamResultsUrlSearch,
    print: formatTeamResultsSearch,
  })
