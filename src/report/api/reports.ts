import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { savedFilterCountsSchema } from '#contract/account/saved-filter.ts'
import {
  ATTACHMENT_COUNTS_PREFER_HEADER_VALUE,
  projectSuggestionsSchema,
  reportFacetsSchema,
  reportPageSchema,
  reportProjectIdsSchema,
} from '#contract/report/report.ts'
import { formatReportSearch, type ReportSearch } from '#contract/report/report-params.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { reportKeys } from '#src/api/http/keys.ts'
import { pickReportFilters } from '#src/lib/report-address.ts'

/**
 * Project count of each saved filter. Counts change with the nightly load and with the user's marks, which invalidate
 * this query.
 */
export const savedFilterCountsQuery = queryOptions({
  queryKey: reportKeys.savedFilterCounts,
  queryFn: ({ signal }) => sendApiRequest('projects/saved-filter-counts', { schema: savedFilterCountsSchema, signal }),
  staleTime: 5 * 60_000,
})

/**
 * Ids of the matching projects in the search's order, for selecting across pages; limited to the server's maximum per
 * action.
 */
export const reportIdsQuery = (search: ReportSearch) => {
  const { ordering } = search
  const query = formatReportSearch({ ...pickReportFilters(search), ...(ordering === undefined ? {} : { ordering }) })
  return queryOptions({
    queryKey: reportKeys.ids(query),
    queryFn: ({ signal }) => sendApiRequest('projects/ids', { query, schema: reportProjectIdsSchema, signal }),
  })
}

/** Loads run nightly and on demand; 30 s makes Back instant without hiding a new load for long. */
const FRESH_MS = 30_000
const CACHE_TIME_MS = 30 * 60_000

/**
 * One page of the report. Rows contain file counts only (`FileList` fetches the files). The key is the search formatted
 * as text, so equivalent filters share a cache entry; it excludes the peeked project, the saved filter and the view.
 */
export const reportPageQuery = ({ ordering, page, page_size, ...search }: ReportSearch) => {
  const list = Object.fromEntries(
    Object.entries({ ordering, page, page_size }).filter(([, value]) => value !== undefined),
  )
  const query = formatReportSearch({ ...pickReportFilters(search), ...list })
  return queryOptions({
    queryKey: reportKeys.page(query),
    queryFn: ({ signal }) =>
      sendApiRequest('projects', {
        query,
        prefer: ATTACHMENT_COUNTS_PREFER_HEADER_VALUE,
        schema: reportPageSchema,
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    gcTime: CACHE_TIME_MS,
  })
}

export const projectSuggestionsQuery = (expression: string) =>
  queryOptions({
    queryKey: reportKeys.suggestions(expression),
    queryFn: ({ signal }) =>
      sendApiRequest('projects/suggestions', {
        query: { project_search__in: expression },
        schema: projectSuggestionsSchema,
        signal,
      }),
    staleTime: FRESH_MS,
  })

export const reportFacetsQuery = (search: ReportSearch) => {
  const query = formatReportSearch(pickReportFilters(search))
  return queryOptions({
    queryKey: reportKeys.facets(query),
    queryFn: ({ signal }) => sendApiRequest('projects/facets', { query, schema: reportFacetsSchema, signal }),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  })
}
