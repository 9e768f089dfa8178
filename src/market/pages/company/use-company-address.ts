import { useParams, useRouter, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { decodeNamePart, encodeNamePart } from '#contract/catalogue/company-address.ts'
import type { CompanySearch, IgnoredCompanyParam } from '#contract/market/company-params.ts'
import { companyTinParam } from '#src/lib/company-address.ts'
import { toFlatSearch } from '#src/lib/search-text.ts'
import { companyPart, printCompanyPageSearch, readCompanySearch } from './company-search.ts'

const NAME_ROUTE = { from: '/_app/companies/$name', shouldThrow: false } as const
const SEGMENTS_ROUTE = { from: '/_app/companies/$first/$second/$', shouldThrow: false } as const

type Company = Parameters<typeof companyTinParam>[0] & { readonly name: string }

export type CompanyChange = { readonly [Name in keyof CompanySearch]?: CompanySearch[Name] | undefined }

export type CompanyAddress = {
  readonly name: string
  readonly search: CompanySearch
  readonly ignored: readonly IgnoredCompanyParam[]
  readonly change: (change: CompanyChange) => void
  readonly searchAfter: (change: CompanyChange) => Record<string, string>
  readonly isCanonical: (company: Company) => boolean
  readonly moveTo: (company: Company) => void
}

function applyChange({ page: _page, ...search }: CompanySearch, change: CompanyChange): CompanySearch {
  return Object.fromEntries(Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined))
}

export function useCompanyAddress(): CompanyAddress {
  const router = useRouter()
  const nameParams = useParams(NAME_ROUTE)
  const segmentParams = useParams(SEGMENTS_ROUTE)
  const flatOfWhole = useSearch(NAME_ROUTE)
  const flatOfParts = useSearch(SEGMENTS_ROUTE)
  const flat = flatOfWhole ?? flatOfParts
  const params = nameParams ?? segmentParams
  const namePart = params ? companyPart(params) : ''
  const { search, ignored } = useMemo(() => readCompanySearch(flat ?? {}), [flat])
  const name = useMemo(() => decodeNamePart(namePart), [namePart])
  const { tin } = search

  const searchAfter = useCallback(
    (change: CompanyChange) => printCompanyPageSearch(applyChange(search, change)),
    [search],
  )
  const change = useCallback(
    (patch: CompanyChange) => {
      void router.navigate({
        to: '/companies/$name',
        params: { name: namePart },
        search: (now: object) =>
          printCompanyPageSearch(applyChange(readCompanySearch(toFlatSearch({ ...now })).search, patch)),
        resetScroll: false,
      })
    },
    [router, namePart],
  )
  const isCanonical = (company: Company) =>
    nameParams?.name === encodeNamePart(company.name) && tin === companyTinParam(company).tin
  const moveTo = (company: Company) => {
    const { tin: _tin, ...remainder } = search
    void router.navigate({
      to: '/companies/$name',
      params: { name: encodeNamePart(company.name) },
      search: printCompanyPageSearch({ ...remainder, ...companyTinParam(company) }),
      replace: true,
      resetScroll: false,
    })
  }
  return { name, search, ignored, change, searchAfter, isCanonical, moveTo }
}
