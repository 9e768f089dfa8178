import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import {
  type CompanySearch,
  FIGURE_SCOPE_PARAMS,
  type IgnoredCompanyParam,
  printCompanySearch,
} from '#contract/market/company-params.ts'
import { readCompaniesAddress } from '#src/lib/company-address.ts'

const route = getRouteApi('/_app/companies')

export type CompaniesChange = { readonly [Name in keyof CompanySearch]?: CompanySearch[Name] | undefined }
export type ChangeCompanies = (change: CompaniesChange) => void

export const LIST_FILTERS = ['project_winner_name__in', 'company_value__range', 'check_sme', 'met'] as const

export type CompaniesAddress = {
  readonly search: CompanySearch
  readonly ignored: readonly IgnoredCompanyParam[]
  readonly change: ChangeCompanies
  readonly clear: () => void
}

const CLEARED_FILTERS: CompaniesChange = Object.fromEntries(
  [...FIGURE_SCOPE_PARAMS, ...LIST_FILTERS].map((name) => [name, undefined]),
)

export function useCompaniesAddress(): CompaniesAddress {
  const flat = route.useSearch()
  const navigate = route.useNavigate()
  const { search, ignored } = useMemo(() => readCompaniesAddress(flat), [flat])
  const change = useCallback<ChangeCompanies>(
    (patch) => {
      void navigate({
        search: (now) => {
          const { page: _page, ...current } = readCompaniesAddress(now).search
          const next = Object.entries({ ...current, ...patch }).filter(([, value]) => value !== undefined)
          return printCompanySearch(Object.fromEntries(next))
        },
        resetScroll: false,
      })
    },
    [navigate],
  )
  const clear = useCallback(() => change(CLEARED_FILTERS), [change])
  return { search, ignored, change, clear }
}
