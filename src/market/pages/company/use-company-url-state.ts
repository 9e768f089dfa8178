import { useParams, useRouter, useSearch } from '@tanstack/react-router'
import { decodeNameFromUrlPath, encodeNameForUrlPath } from '#contract/catalogue/company-name-part.ts'
import type { CompanySearch, IgnoredCompanyParam } from '#contract/market/company-params.ts'
import { buildCompanyTaxIdParam } from '#src/lib/company-url.ts'
import { toFlatSearchParams } from '#src/lib/flat-search-params.ts'
import { formatCompanyPageSearch, getCompanyNameParam, parseCompanyPageSearch } from './company-search.ts'

const NAME_ROUTE = { from: '/_app/companies/$name', shouldThrow: false } as const
const SEGMENTS_ROUTE = { from: '/_app/companies/$first/$second/$', shouldThrow: false } as const

type Company = Parameters<typeof buildCompanyTaxIdParam>[0] & { readonly name: string }

export type CompanySearchPatch = { readonly [Name in keyof CompanySearch]?: CompanySearch[Name] | undefined }

export type CompanyUrlState = {
  readonly name: string
  readonly search: CompanySearch
  readonly ignored: readonly IgnoredCompanyParam[]
  readonly change: (change: CompanySearchPatch) => void
  readonly searchAfter: (change: CompanySearchPatch) => Record<string, string>
  readonly isCanonical: (company: Company) => boolean
  readonly moveTo: (company: Company) => void
}

function applyChange({ page: _page, ...search }: CompanySearch, change: CompanySearchPatch): CompanySearch {
  return Object.fromEntries(Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined))
}

export function useCompanyUrlState(): CompanyUrlState {
  const router = useRouter()
  const nameParams = useParams(NAME_ROUTE)
  const segmentParams = useParams(SEGMENTS_ROUTE)
  const flatOfWhole = useSearch(NAME_ROUTE)
  const flatOfParts = useSearch(SEGMENTS_ROUTE)
  const flat = flatOfWhole ?? flatOfParts
  const params = nameParams ?? segmentParams
  const namePart = params ? getCompanyNameParam(params) : ''
  const { search, ignored } = parseCompanyPageSearch(flat ?? {})
  const name = decodeNameFromUrlPath(namePart)
  const { tin } = search

  const searchAfter = (change: CompanySearchPatch) => formatCompanyPageSearch(applyChange(search, change))
  const change = (patch: CompanySearchPatch) => {
    void router.navigate({
      to: '/companies/$name',
      params: { name: namePart },
      search: (now: object) =>
        formatCompanyPageSearch(applyChange(parseCompanyPageSearch(toFlatSearchParams({ ...now })).search, patch)),
      resetScroll: false,
    })
  }
  const isCanonical = (company: Company) =>
    nameParams?.name === encodeNameForUrlPath(company.name) && tin === buildCompanyTaxIdParam(company).tin
  const moveTo = (company: Company) => {
    const { tin: _tin, ...remainder } = search
    void router.navigate({
      to: '/companies/$name',
      params: { name: encodeNameForUrlPath(company.name) },
      search: formatCompanyPageSearch({ ...remainder, ...buildCompanyTaxIdParam(company) }),
      replace: true,
      resetScroll: false,
    })
  }
  return { name, search, ignored, change, searchAfter, isCanonical, moveTo }
}
