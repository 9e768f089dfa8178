import { useParams, useRouter, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { companyNameOf, companyNamePart } from '#contract/catalogue/company-address.ts'
import type { CompanySearch, IgnoredCompanyParam } from '#contract/market/company-params.ts'
import { companyTin } from '#src/lib/company-address.ts'
import { flatSearch } from '#src/lib/search-text.ts'
import { companyPart, printCompanyPageSearch, readCompanySearch } from './company-search.ts'

/** The page's two routes: the name as one path segment, or as several. */
const WHOLE = { from: '/_app/companies/$name', shouldThrow: false } as const
const PARTS = { from: '/_app/companies/$first/$second/$', shouldThrow: false } as const

type Company = Parameters<typeof companyTin>[0] & { readonly name: string }

export type CompanyChange = { readonly [Name in keyof CompanySearch]?: CompanySearch[Name] | undefined }

export type CompanyAddress = {
  readonly name: string
  readonly search: CompanySearch
  readonly ignored: readonly IgnoredCompanyParam[]
  /** Pushes a history entry. Resets the projects to page 1 unless the change sets a page. */
  readonly change: (change: CompanyChange) => void
  readonly searchAfter: (change: CompanyChange) => Record<string, string>
  readonly isCanonical: (company: Company) => boolean
  /** Replaces the current history entry. */
  readonly moveTo: (company: Company) => void
}

function changed({ page: _page, ...search }: CompanySearch, change: CompanyChange): CompanySearch {
  return Object.fromEntries(Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined))
}

export function useCompanyAddress(): CompanyAddress {
  const router = useRouter()
  const whole = useParams(WHOLE)
  const parts = useParams(PARTS)
  const flatOfWhole = useSearch(WHOLE)
  const flatOfParts = useSearch(PARTS)
  const flat = flatOfWhole ?? flatOfParts
  const params = whole ?? parts
  const part = params ? companyPart(params) : ''
  const { search, ignored } = useMemo(() => readCompanySearch(flat ?? {}), [flat])
  const name = useMemo(() => companyNameOf(part), [part])
  const { tin } = search

  const searchAfter = useCallback((change: CompanyChange) => printCompanyPageSearch(changed(search, change)), [search])
  const change = useCallback(
    (patch: CompanyChange) => {
      void router.navigate({
        to: '/companies/$name',
        params: { name: part },
        search: (now: object) =>
          printCompanyPageSearch(changed(readCompanySearch(flatSearch({ ...now })).search, patch)),
        resetScroll: false,
      })
    },
    [router, part],
  )
  const isCanonical = (company: Company) =>
    whole?.name === companyNamePart(company.name) && tin === companyTin(company).tin
  const moveTo = (company: Company) => {
    const { tin: _tin, ...rest } = search
    void router.navigate({
      to: '/companies/$name',
      params: { name: companyNamePart(company.name) },
      search: printCompanyPageSearch({ ...rest, ...companyTin(company) }),
      replace: true,
      resetScroll: false,
    })
  }
  return { name, search, ignored, change, searchAfter, isCanonical, moveTo }
}
