import { getRouteApi } from '@tanstack/react-router'
import type { AgencySearch } from '#contract/market/agency-params.ts'
import { useSearchState } from '#src/lib/use-search-state.ts'

const route = getRouteApi('/_app/agencies/$code')

export function useAgencyUrlState() {
  const navigate = route.useNavigate()
  const { code: codeOrName } = route.useParams()
  const state = useSearchState<AgencySearch>(route.useSearch(), navigate)
  const openRows = (rows: string) => state.change({ rows, page: undefined })
  return { ...state, navigate, codeOrName, openRows }
}
