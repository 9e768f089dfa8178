import { useParams, useRouter, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { COMPANY_PROJECT_SORT_FIELDS } from '#contract/company.ts'
import {
  type CompanySearch,
  type IgnoredCompanyParam,
  parseCompanySearch,
  printCompanySearch,
} from '#contract/company-params.ts'
import { companyNameOf, companyNamePart, companyTin } from '#src/lib/company-address.ts'
import { type FlatSearch, flatSearch } from '#src/lib/search-text.ts'

type Company = Parameters<typeof companyTin>[0] & { readonly name: string }

export type CompanyChange = { readonly [Name in keyof CompanySearch]?: CompanySearch[Name] | undefined }

export type CompanyAddress = {
  readonly name: string
  readonly search: CompanySearch
  /** What the link holds and the page does not use. */
  readonly ignored: readonly IgnoredCompanyParam[]
  /** A step that Back undoes. The projects begin at their first page again unless the change names a page. */
  readonly change: (change: CompanyChange) => void
  /** The search after a change, for links. */
  readonly searchAfter: (change: CompanyChange) => Record<string, string>
  /** Whether the address is the one that this company has. */
  readonly isCanonical: (company: Company) => boolean
  /** Goes to the one address that the company has, as if this had been opened. */
  readonly moveTo: (company: Company) => void
}

/** Orders of the projects; the first is the server's own and needs no choosing. */
export const PROJECT_ORDERINGS: readonly string[] = [
  '-decided_date',
  ...COMPANY_PROJECT_SORT_FIELDS.flatMap((field) => [`-${field}`, field]).filter((order) => order !== '-decided_date'),
]

/** The orders here are those of projects, not those of the list of companies, which the parser knows. */
function readAddress({ ordering, ...flat }: FlatSearch): {
  search: CompanySearch
  ignored: readonly IgnoredCompanyParam[]
} {
  const { search, ignored } = parseCompanySearch(flat)
  if (ordering === undefined || ordering === PROJECT_ORDERINGS[0]) return { search, ignored }
  return PROJECT_ORDERINGS.includes(ordering)
    ? { search: { ...search, ordering }, ignored }
    : { search, ignored: [...ignored, { name: 'ordering', value: ordering, reason: 'invalid' }] }
}

function printAddress({ ordering, ...search }: CompanySearch): Record<string, string> {
  return { ...printCompanySearch(search), ...(ordering === undefined ? {} : { ordering }) }
}

function changed({ page: _page, ...search }: CompanySearch, change: CompanyChange): CompanySearch {
  return Object.fromEntries(Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined))
}

/** Which company, of which projects its figures are made and which figure's projects are shown: all of it stands in the address. */
export function useCompanyAddress(): CompanyAddress {
  const router = useRouter()
  const { name: whole, first, second, _splat: rest } = useParams({ strict: false })
  const raw: object = useSearch({ strict: false })
  const part = whole ?? [first, second, rest].filter(Boolean).join('/')
  const { search, ignored } = useMemo(() => readAddress(flatSearch({ ...raw })), [raw])
  const name = useMemo(() => companyNameOf(part), [part])
  const { tin } = search

  const searchAfter = useCallback((change: CompanyChange) => printAddress(changed(search, change)), [search])
  const change = useCallback(
    (patch: CompanyChange) => {
      void router.navigate({
        to: '/companies/$name',
        params: { name: part },
        search: (now: object) => printAddress(changed(readAddress(flatSearch({ ...now })).search, patch)),
        resetScroll: false,
      })
    },
    [router, part],
  )
  const isCanonical = (company: Company) => whole === companyNamePart(company.name) && tin === companyTin(company).tin
  const moveTo = (company: Company) => {
    const { tin: _tin, ...rest } = search
    void router.navigate({
      to: '/companies/$name',
      params: { name: companyNamePart(company.name) },
      search: printAddress({ ...rest, ...companyTin(company) }),
      replace: true,
      resetScroll: false,
    })
  }
  return { name, search, ignored, change, searchAfter, isCanonical, moveTo }
}
