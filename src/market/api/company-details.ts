import { queryOptions } from '@tanstack/react-query'
import { encodeNameForPath } from '#contract/catalogue/company-name-part.ts'
import { companyDetailSchema, companyProjectsSchema, companyTimelineSchema } from '#contract/market/company.ts'
import { type CompanySearch, formatCompanySearch, toFigureScopeSearch } from '#contract/market/company-params.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { companyKeys } from '#src/api/http/keys.ts'

const FRESH_MS = 60_000
const CACHE_MS = 30 * 60_000

// `encodeNameForPath` escapes dots: the browser would resolve a name such as `..` to the parent path.
const pathOf = (name: string) => `companies/${encodeURIComponent(encodeNameForPath(name))}`

const figuresQuery = (search: CompanySearch) =>
  formatCompanySearch({ ...toFigureScopeSearch(search), ...(search.tin === undefined ? {} : { tin: search.tin }) })

const isOf = (name: string, query: { readonly queryKey: readonly unknown[] } | undefined) => query?.queryKey[2] === name

export const companyDetailQuery = (name: string, search: CompanySearch) => {
  const query = figuresQuery(search)
  return queryOptions({
    queryKey: companyKeys.detail(name, query),
    queryFn: ({ signal }) => sendApiRequest(pathOf(name), { query, schema: companyDetailSchema, signal }),
    placeholderData: (previous, query) => (isOf(name, query) ? previous : undefined),
    staleTime: FRESH_MS,
    gcTime: CACHE_MS,
  })
}

export const companyProjectsQuery = (name: string, search: CompanySearch) => {
  const { rows, ordering, page, page_size } = search
  const query = {
    ...figuresQuery(search),
    ...formatCompanySearch(
      Object.fromEntries(Object.entries({ rows, page, page_size }).filter(([, value]) => value !== undefined)),
    ),
    ...(ordering === undefined ? {} : { ordering }),
  }
  return queryOptions({
    queryKey: companyKeys.projects(name, query),
    queryFn: ({ signal }) =>
      sendApiRequest(`${pathOf(name)}/projects`, { query, schema: companyProjectsSchema, signal }),
    placeholderData: (previous, query) => (isOf(name, query) ? previous : undefined),
    staleTime: FRESH_MS,
    gcTime: CACHE_MS,
  })
}

export const companyTimelineQuery = (name: string, search: CompanySearch) => {
  const query = figuresQuery(search)
  return queryOptions({
    queryKey: companyKeys.timeline(name, query),
    queryFn: ({ signal }) =>
      sendApiRequest(`${pathOf(name)}/timeline`, { query, schema: companyTimelineSchema, signal }),
    placeholderData: (previous, query) => (isOf(name, query) ? previous : undefined),
    staleTime: FRESH_MS,
    gcTime: CACHE_MS,
  })
}
