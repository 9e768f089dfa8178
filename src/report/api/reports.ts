import { keepPreviousData } from '@tanstack/react-query'
import { savedFilterCountsSchema } from '#contract/account/saved-filter.ts'
import { filterHitRateSchema } from '#contract/report/filter-hit-rate.ts'
import {
  ATTACHMENT_COUNTS_PREFERENCE,
  agencyOptionsSchema,
  projectSuggestionsSchema,
  reportFacetsSchema,
  reportPageSchema,
  reportProjectIdsSchema,
} from '#contract/report/report.ts'
import { formatReportSearch, type ReportSearch } from '#contract/report/report-params.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { reportKeys } from '#src/api/http/keys.ts'
import { pickReportFilters, pickReportListSearch, pickReportRowsSearch } from '#src/lib/report-url.ts'

/** Counts change with the nightly load and with the user's marks, which invalidate this query. */
export const savedFilterCountsQuery = apiQueryOptions('projects/saved-filter-counts', {
  queryKey: reportKeys.savedFilterCounts,
  schema: savedFilterCountsSchema,
  staleTime: 5 * 60_000,
})

export const savedFilterHitRateQuery = apiQueryOptions('projects/saved-filter-recall', {
  queryKey: [...reportKeys.all, 'recall'],
  schema: filterHitRateSchema,
  staleTime: 30_000,
})

export const reportIdsQuery = (search: ReportSearch) => {
  const query = formatReportSearch(pickReportListSearch(search))
  return apiQueryOptions('projects/ids', {
    queryKey: [...reportKeys.all, 'ids', query],
    query,
    schema: reportProjectIdsSchema,
    staleTime: 0,
  })
}

/** Loads run nightly and on demand; 30 s makes Back instant without hiding a new load for long. */
const STALE_TIME_MS = 30_000
const GC_TIME_MS = 30 * 60_000

/**
 * Loads one page of the report. Rows contain file counts only (`ProjectFileList` fetches the files). The key is the search
 * formatted as text, so equivalent filters share a cache entry; it excludes the peeked project, the saved filter and
 * the view.
 */
export const reportPageQuery = (search: ReportSearch) => {
  const query = formatReportSearch(pickReportRowsSearch(search))
  return apiQueryOptions('projects', {
    queryKey: reportKeys.page(query),
    query,
    prefer: ATTACHMENT_COUNTS_PREFERENCE,
    schema: reportPageSchema,
    placeholderData: keepPreviousData,
    staleTime: STALE_TIME_MS,
    gcTime: GC_TIME_MS,
  })
}

export const projectSuggestionsQuery = (expression: string) =>
  apiQueryOptions('projects/suggestions', {
    queryKey: [...reportKeys.all, 'suggestions', expression],
    query: { project_search__in: expression },
    schema: projectSuggestionsSchema,
    staleTime: STALE_TIME_MS,
  })

export const reportFacetsQuery = (search: ReportSearch) => {
  const query = formatReportSearch(pickReportFilters(search))
  return apiQueryOptions('projects/facets', {
    queryKey: reportKeys.facets(query),
    query,
    schema: reportFacetsSchema,
    placeholderData: keepPreviousData,
    staleTime: STALE_TIME_MS,
  })
}

export const reportAgenciesQuery = (search: ReportSearch, text: string) => {
  const query = formatReportSearch(pickReportFilters(search))
  return apiQueryOptions('projects/agencies', {
    queryKey: [...reportKeys.facets(query), 'agencies', text],
    query: { ...query, ...(text !== '' && { q: text }) },
    schema: agencyOptionsSchema,
    placeholderData: keepPreviousData,
    staleTime: STALE_TIME_MS,
  })
}
