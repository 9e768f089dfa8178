import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import {
  type CompanySearch,
  FIGURE_SCOPE_PARAMS,
  formatCompanySearch,
  type IgnoredCompanyParam,
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
  [...FIGURE_SCOPE_PARAMS, ...COMPANY_LIST_FILTERS].map((name) => [name, undefined]),
)

export function useCompaniesUrlState(): CompaniesUrlState {
  const flat = route.useSearch()
  const navigate = route.useNavigate()
  const { search, ignored } = useMemo(() => parseCompanyListSearch(flat), [flat])
  const change = useCallback<ChangeCompaniesSearchFn>(
    (patch) => {
      void navigate({
        search: (now) => {
          const { page: _page, ...current } = parseCompanyListSearch(now).search
          const next = Object.entries({ ...current, ...patch }).filter(([, value]) => value !== undefined)
          return formatCompanySearch(Object.fromEntries(next))
        },
        resetScroll: false,
      })
    },
    [navigate],
  )
  const clear = useCallback(() => change(CLEARED_FILTERS), [change])
  return { search, ignored, change, clear }
}
