import { encodeNameForUrlPath } from '#contract/catalogue/company-name-part.ts'
import { companyDetailSchema, companyProjectsSchema, companyTimelineSchema } from '#contract/market/company.ts'
import { type CompanySearch, formatCompanySearch, toStatisticsScopeSearch } from '#contract/market/company-params.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'

const STALE_TIME_MS = 60_000
const GC_TIME_MS = 30 * 60_000

/** Escapes dots, because the browser would resolve a name such as `..` to the parent path. */
const paramsOf = (name: string) => ({ name: encodeNameForUrlPath(name) })

const figuresQuery = (search: CompanySearch) =>
  formatCompanySearch({ ...toStatisticsScopeSearch(search), ...(search.tin === undefined ? {} : { tin: search.tin }) })

const isSameCompany = (name: string, query: { readonly queryKey: readonly unknown[] } | undefined) =>
  query?.queryKey[2] === name

export const companyDetailQuery = (name: string, search: CompanySearch) => {
  const query = figuresQuery(search)
  return apiQueryOptions('companies/:name', {
    queryKey: ['companies', 'detail', name, query],
    params: paramsOf(name),
    query,
    schema: companyDetailSchema,
    placeholderData: (previous, query) => (isSameCompany(name, query) ? previous : undefined),
    staleTime: STALE_TIME_MS,
    gcTime: GC_TIME_MS,
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
  return apiQueryOptions('companies/:name/projects', {
    queryKey: ['companies', 'projects', name, query],
    params: paramsOf(name),
    query,
    schema: companyProjectsSchema,
    placeholderData: (previous, query) => (isSameCompany(name, query) ? previous : undefined),
    staleTime: STALE_TIME_MS,
    gcTime: GC_TIME_MS,
  })
}

export const companyTimelineQuery = (name: string, search: CompanySearch) => {
  const query = figuresQuery(search)
  return apiQueryOptions('companies/:name/timeline', {
    queryKey: ['companies', 'timeline', name, query],
    params: paramsOf(name),
    query,
    schema: companyTimelineSchema,
    placeholderData: (previous, query) => (isSameCompany(name, query) ? previous : undefined),
    staleTime: STALE_TIME_MS,
    gcTime: GC_TIME_MS,
  })
}
