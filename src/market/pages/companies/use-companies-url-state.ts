import { getRouteApi } from '@tanstack/react-router'
import {
  type CompanySearch,
  formatCompanySearch,
  type IgnoredCompanyParam,
  STATISTICS_SCOPE_PARAMS,
} from '#contract/market/company-params.ts'
import { parseCompanyListSearch } from '#src/lib/company-url.ts'

const route = getRouteApi('/_app/companies')

export type CompaniesSearchPatch = { readonly [Name in keyof CompanySearch]?: CompanySearch[Name] | undefined }
export type ChangeCompaniesSearchFn = (change: CompaniesSearchPatch) => void

export const COMPANY_LIST_FILTERS = ['project_winner_name__in', 'company_value__range', 'check_sme', 'met'] as const

export type CompaniesUrlState = {
  readonly search: CompanySearch
  readonly ignored: readonly IgnoredCompanyParam[]
  readonly change: ChangeCompaniesSearchFn
  readonly clear: () => void
}

const CLEARED_FILTERS: CompaniesSearchPatch = Object.fromEntries(
  [...STATISTICS_SCOPE_PARAMS, ...COMPANY_LIST_FILTERS].map((name) => [name, undefined]),
)

export function useCompaniesUrlState(): CompaniesUrlState {
  'use memo'
  const flat = route.useSearch()
  const navigate = route.useNavigate()
  const { search, ignored } = parseCompanyListSearch(flat)
  const change: ChangeCompaniesSearchFn = (patch) => {
    void navigate({
      search: (now) => {
        const { page: _page, ...current } = parseCompanyListSearch(now).search
        const next = Object.entries({ ...current, ...patch }).filter(([, value]) => value !== undefined)
        return formatCompanySearch(Object.fromEntries(next))
      },
      resetScroll: false,
    })
  }
  const clear = () => change(CLEARED_FILTERS)
  return { search, ignored, change, clear }
}
