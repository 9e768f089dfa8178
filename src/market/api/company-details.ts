import { queryOptions } from '@tanstack/react-query'
import { companyNamePart } from '#contract/catalogue/company-address.ts'
import { companyDetailSchema, companyProjectsSchema, companyTimelineSchema } from '#contract/market/company.ts'
import { type CompanySearch, figureScopeOf, printCompanySearch } from '#contract/market/company-params.ts'
import { request } from '#src/api/http/client.ts'
import { companyKeys } from '#src/api/http/keys.ts'

/** Figures change with a load, which runs once a night and by hand. */
const FRESH_MS = 60_000
/** Back from a project or from another company finds the page as it was left. */
const KEPT_MS = 30 * 60_000

// Dots alone would be taken for a folder above in the call too, so the name is written as in the address.
const pathOf = (name: string) => `companies/${encodeURIComponent(companyNamePart(name))}`

/** What tells one company from another of the same name, and what its figures are made of. */
const figuresQuery = (search: CompanySearch) =>
  printCompanySearch({ ...figureScopeOf(search), ...(search.tin === undefined ? {} : { tin: search.tin }) })

/** What was there of the same company, under another scope, stands until the answer comes. */
const isOf = (name: string, query: { readonly queryKey: readonly unknown[] } | undefined) => query?.queryKey[2] === name

/** All figures of a company in a scope. `name`: as it stands in the address. */
export const companyDetailQuery = (name: string, search: CompanySearch) => {
  const query = figuresQuery(search)
  return queryOptions({
    queryKey: companyKeys.detail(name, query),
    queryFn: ({ signal }) => request(pathOf(name), { query, schema: companyDetailSchema, signal }),
    placeholderData: (previous, query) => (isOf(name, query) ? previous : undefined),
    staleTime: FRESH_MS,
    gcTime: KEPT_MS,
  })
}

/** One page of the projects behind a figure (`rows`), or behind all of them. */
export const companyProjectsQuery = (name: string, search: CompanySearch) => {
  const { rows, ordering, page, page_size } = search
  const query = {
    ...figuresQuery(search),
    ...printCompanySearch(
      Object.fromEntries(Object.entries({ rows, page, page_size }).filter(([, value]) => value !== undefined)),
    ),
    ...(ordering === undefined ? {} : { ordering }),
  }
  return queryOptions({
    queryKey: companyKeys.projects(name, query),
    queryFn: ({ signal }) => request(`${pathOf(name)}/projects`, { query, schema: companyProjectsSchema, signal }),
    placeholderData: (previous, query) => (isOf(name, query) ? previous : undefined),
    staleTime: FRESH_MS,
    gcTime: KEPT_MS,
  })
}

/** Wins and bids on the time line. */
export const companyTimelineQuery = (name: string, search: CompanySearch) => {
  const query = figuresQuery(search)
  return queryOptions({
    queryKey: companyKeys.timeline(name, query),
    queryFn: ({ signal }) => request(`${pathOf(name)}/timeline`, { query, schema: companyTimelineSchema, signal }),
    placeholderData: (previous, query) => (isOf(name, query) ? previous : undefined),
    staleTime: FRESH_MS,
    gcTime: KEPT_MS,
  })
}
