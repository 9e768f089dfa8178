import { getRouteApi } from '@tanstack/react-router'
import { decodeNameFromUrlPath, encodeNameForUrlPath } from '#contract/catalogue/company-name-part.ts'
import type { CompanySearch } from '#contract/market/company-params.ts'
import { buildCompanyTaxIdParam } from '#src/lib/company-url.ts'
import { applyPatchOfPagedList, useSearchState } from '#src/lib/use-search-state.ts'

const route = getRouteApi('/_app/companies/$name')

type Company = Parameters<typeof buildCompanyTaxIdParam>[0] & { readonly name: string }

export type CompanyUrlState = ReturnType<typeof useCompanyUrlState>

export function useCompanyUrlState() {
  const navigate = route.useNavigate()
  const { name: namePart } = route.useParams()
  const { search, ignored, change } = useSearchState<CompanySearch>(route.useSearch(), navigate, applyPatchOfPagedList)
  const name = decodeNameFromUrlPath(namePart)
  const { tin } = search

  const isCanonical = (company: Company) =>
    namePart === encodeNameForUrlPath(company.name) && tin === buildCompanyTaxIdParam(company).tin
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
