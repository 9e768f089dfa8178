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

/** Filters of the list beside the scope of its figures. */
export const LIST_FILTERS = ['project_winner_name__in', 'company_value__range', 'check_sme', 'met'] as const

export type CompaniesAddress = {
  readonly search: CompanySearch
  /** What the link holds and the list does not use. */
  readonly ignored: readonly IgnoredCompanyParam[]
  /** Writes an entry of the history, so that Back undoes the change. The list begins at its first page again unless the change names a page. */
  readonly change: ChangeCompanies
  /** Takes every filter away; the order and the size of the page stay. */
  readonly clear: () => void
}

const NONE: CompaniesChange = Object.fromEntries(
  [...FIGURE_SCOPE_PARAMS, ...LIST_FILTERS].map((name) => [name, undefined]),
)

/** What is searched for, of which projects, in which order: it lives in the address and nowhere else. */
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
