import { encodeNameForUrlPath } from '#contract/catalogue/company-name-part.ts'
import { companyDetailSchema, companyProjectsSchema, companyTimelineSchema } from '#contract/market/company.ts'
import { type CompanySearch, formatCompanySearch, toStatisticsScopeSearch } from '#contract/market/company-params.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import type { DownloadableFile } from '#src/api/http/file-download.ts'
import { pickSearch } from '#src/lib/typed-search.ts'

const figuresQuery = (search: CompanySearch) =>
  formatCompanySearch({ ...toStatisticsScopeSearch(search), ...(search.tin === undefined ? {} : { tin: search.tin }) })

/** Options of the queries about one company: figures of another company are no placeholder. */
const optionsOf = (name: string) => ({
  // Dots are escaped, because the browser would resolve a name such as `..` to the parent path.
  params: { name: encodeNameForUrlPath(name) },
  placeholderData: <Data>(previous: Data | undefined, query: { readonly queryKey: readonly unknown[] } | undefined) =>
    query?.queryKey[2] === name ? previous : undefined,
  staleTime: 60_000,
  gcTime: 30 * 60_000,
})

export const companyDetailQuery = (name: string, search: CompanySearch) => {
  const query = figuresQuery(search)
  return apiQueryOptions('companies/:name', {
    queryKey: ['companies', 'detail', name, query],
    query,
    schema: companyDetailSchema,
    ...optionsOf(name),
  })
}

export const companyProjectsQuery = (name: string, search: CompanySearch) => {
  const { rows, ordering, page, page_size } = search
  const query = {
    ...figuresQuery(search),
    ...formatCompanySearch(pickSearch<CompanySearch>({ rows, page, page_size })),
    ...(ordering === undefined ? {} : { ordering }),
  }
  return apiQueryOptions('companies/:name/projects', {
    queryKey: ['companies', 'projects', name, query],
    query,
    schema: companyProjectsSchema,
    ...optionsOf(name),
  })
}

export const companyTimelineQuery = (name: string, search: CompanySearch) => {
  const query = figuresQuery(search)
  return apiQueryOptions('companies/:name/timeline', {
    queryKey: ['companies', 'timeline', name, query],
    query,
    schema: companyTimelineSchema,
    ...optionsOf(name),
  })
}

export function getCompanyExportFile(name: string, search: CompanySearch): DownloadableFile {
  const query = { ...figuresQuery(search), name: encodeNameForUrlPath(name) }
  return { path: 'company-files/company', query, name: 'company' }
}
