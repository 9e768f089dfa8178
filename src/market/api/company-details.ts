import { queryOptions } from '@tanstack/react-query'
import { companyNamePart } from '#contract/catalogue/company-address.ts'
import { companyDetailSchema, companyProjectsSchema, companyTimelineSchema } from '#contract/market/company.ts'
import { type CompanySearch, figureScopeOf, printCompanySearch } from '#contract/market/company-params.ts'
import { request } from '#src/api/http/client.ts'
import { companyKeys } from '#src/api/http/keys.ts'

/** Figures only change with a load: nightly or manual. */
const FRESH_MS = 60_000
/** Long enough that going back from a project or another company restores the page. */
const KEPT_MS = 30 * 60_000

// `companyNamePart` escapes dots: names such as `..` would resolve to the parent path.
const pathOf = (name: string) => `companies/${encodeURIComponent(companyNamePart(name))}`

const figuresQuery = (search: CompanySearch) =>
  printCompanySearch({ ...figureScopeOf(search), ...(search.tin === undefined ? {} : { tin: search.tin }) })

/** Placeholder data is reused only for the same company, while another scope loads. */
const isOf = (name: string, query: { readonly queryKey: readonly unknown[] } | undefined) => query?.queryKey[2] === name

/** `name`: as in the address. */
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
