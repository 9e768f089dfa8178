import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { decodeNameFromUrlPath, encodeNameForUrlPath } from '#contract/catalogue/company-name-part.ts'
import type { CompanySearch } from '#contract/market/company-params.ts'
import { buildCompanyTaxIdParam } from '#src/lib/company-url.ts'
import type { RouteSearch } from '#src/lib/typed-search.ts'
import { useSearchState } from '#src/lib/use-search-state.ts'
import { getCompanyNameParam } from './company-search.ts'

const NAME_ROUTE = { from: '/_app/companies/$name', shouldThrow: false } as const
const SEGMENTS_ROUTE = { from: '/_app/companies/$first/$second/$', shouldThrow: false } as const

type Company = Parameters<typeof buildCompanyTaxIdParam>[0] & { readonly name: string }

export type CompanyUrlState = ReturnType<typeof useCompanyUrlState>

export function useCompanyUrlState() {
  const navigate = useNavigate()
  const nameParams = useParams(NAME_ROUTE)
  const segmentParams = useParams(SEGMENTS_ROUTE)
  const searchOfName = useSearch(NAME_ROUTE)
  const searchOfSegments = useSearch(SEGMENTS_ROUTE)
  const params = nameParams ?? segmentParams
  const namePart = params ? getCompanyNameParam(params) : ''
  const { search, ignored, change } = useSearchState<CompanySearch>(
    searchOfName ?? searchOfSegments ?? {},
    (to) =>
      navigate({
        ...to,
        to: '/companies/$name',
        params: { name: namePart },
        search: (current) => to.search(current as RouteSearch<CompanySearch>),
      }),
    { page: undefined },
  )
  const name = decodeNameFromUrlPath(namePart)
  const { tin } = search

  const isCanonical = (company: Company) =>
    nameParams?.name === encodeNameForUrlPath(company.name) && tin === buildCompanyTaxIdParam(company).tin
  const moveTo = (company: Company) => {
    const { tin: _tin, ...remainder } = search
    void navigate({
      to: '/companies/$name',
      params: { name: encodeNameForUrlPath(company.name) },
      search: { ...remainder, ...buildCompanyTaxIdParam(company) },
      replace: true,
      resetScroll: false,
    })
  }
  return { name, search, ignored, change, isCanonical, moveTo }
}
