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

/** Filters that are not part of the scope. */
export const LIST_FILTERS = ['project_winner_name__in', 'company_value__range', 'check_sme', 'met'] as const

export type CompaniesAddress = {
  readonly search: CompanySearch
  readonly ignored: readonly IgnoredCompanyParam[]
  /** Pushes a history entry, so that Back undoes the change. Resets to the first page unless the change sets a page. */
  readonly change: ChangeCompanies
  /** Clears all filters; order and page size stay. */
  readonly clear: () => void
}

const NONE: CompaniesChange = Object.fromEntries(
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
          const { page: _page, ...kept } = readCompaniesAddress(now).search
          const next = Object.entries({ ...kept, ...patch }).filter(([, value]) => value !== undefined)
          return printCompanySearch(Object.fromEntries(next))
        },
        resetScroll: false,
      })
    },
    [navigate],
  )
  const clear = useCallback(() => change(NONE), [change])
  return { search, ignored, change, clear }
}
