import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { reportFacetsSchema, reportPageSchema } from '#contract/report.ts'
import { printReportSearch, type ReportSearch } from '#contract/report-params.ts'
import { request } from './client.ts'
import { reportKeys } from './keys.ts'

/** Loads run once a night and by hand; half a minute keeps Back instant without hiding a load for long. */
const FRESH_MS = 30_000

/** One page of the report. Its key is the printed search, so two ways to write the same filters share one answer. */
export const reportPageQuery = (search: ReportSearch) => {
  const query = printReportSearch(search)
  return queryOptions({
    queryKey: reportKeys.page(query),
    queryFn: ({ signal }) => request('projects', { query, schema: reportPageSchema, signal }),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  })
}

/** Counts beside the filters. Order and page do not change them, so they are no part of the call. */
export const reportFacetsQuery = ({ ordering: _o, page: _p, page_size: _s, saved: _f, ...filters }: ReportSearch) => {
  const query = printReportSearch(filters)
  return queryOptions({
    queryKey: reportKeys.facets(query),
    queryFn: ({ signal }) => request('projects/facets', { query, schema: reportFacetsSchema, signal }),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  })
}
