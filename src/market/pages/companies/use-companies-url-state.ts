import { getRouteApi } from '@tanstack/react-router'
import { type CompanySearch, STATISTICS_SCOPE_PARAMS } from '#contract/market/company-params.ts'
import { applyPatchOfPagedList, type ChangeSearchFn, useSearchState } from '#src/lib/use-search-state.ts'

const route = getRouteApi('/_app/companies')

export type ChangeCompaniesSearchFn = ChangeSearchFn<CompanySearch>

export type CompaniesUrlState = ReturnType<typeof useCompaniesUrlState>

export const COMPANY_LIST_FILTERS = ['project_winner_name__in', 'company_value__range', 'check_sme', 'met'] as const

const CLEARED_FILTERS = Object.fromEntries(
  [...STATISTICS_SCOPE_PARAMS, ...COMPANY_LIST_FILTERS].map((name) => [name, undefined]),
)

export function useCompaniesUrlState() {
  'use memo'
  const state = useSearchState<CompanySearch>(route.useSearch(), route.useNavigate(), applyPatchOfPagedList)
  const clear = () => state.change(CLEARED_FILTERS)
  return { ...state, clear }
}
