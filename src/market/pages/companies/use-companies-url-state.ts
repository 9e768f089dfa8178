import { getRouteApi } from '@tanstack/react-router'
import { type CompanySearch, STATISTICS_SCOPE_PARAMS } from '#contract/market/company-params.ts'
import { applyPatchOfPagedList, useSearchState } from '#src/lib/use-search-state.ts'

const route = getRouteApi('/_app/companies')

const DEFAULT_ORDERING = '-value'

export const COMPANY_LIST_FILTERS = ['project_winner_name__in', 'company_value__range', 'check_sme', 'met'] as const

const CLEARED_FILTERS = Object.fromEntries(
  [...STATISTICS_SCOPE_PARAMS, ...COMPANY_LIST_FILTERS].map((name) => [name, undefined]),
)

export function useCompaniesUrlState() {
  'use memo'
  const state = useSearchState<CompanySearch>(route.useSearch(), route.useNavigate(), applyPatchOfPagedList)
  return {
    ...state,
    clear: () => state.change(CLEARED_FILTERS),
    ordering: state.search.ordering ?? DEFAULT_ORDERING,
    setOrdering: (ordering: string) => state.change({ ordering: ordering === DEFAULT_ORDERING ? undefined : ordering }),
  }
}
