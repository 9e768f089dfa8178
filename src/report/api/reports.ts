import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { savedFilterCountsSchema } from '#contract/account/saved-filter.ts'
import {
  ATTACHMENTS_COUNTED,
  projectSuggestionsSchema,
  reportFacetsSchema,
  reportIdsSchema,
  reportPageSchema,
} from '#contract/report/report.ts'
import { printReportSearch, type ReportSearch } from '#contract/report/report-params.ts'
import { request } from '#src/api/http/client.ts'
import { reportKeys } from '#src/api/http/keys.ts'
import { reportFiltersOf } from '#src/lib/report-address.ts'
import { afterRows, rowsOnTheirWay } from './rows-first.ts'

/** How many projects each saved filter finds. They move with the nightly load and with the user's own marks, which ask again. */
export const savedFilterCountsQuery = queryOptions({
  queryKey: reportKeys.savedFilterCounts,
  queryFn: ({ signal }) => request('projects/saved-filter-counts', { schema: savedFilterCountsSchema, signal }),
  staleTime: 5 * 60_000,
})

/** The first ids of a search in its order (the server's limit is that of one action), for selecting across pages. */
export const reportIdsQuery = (search: ReportSearch) => {
  const { ordering } = search
  const query = printReportSearch({ ...reportFiltersOf(search), ...(ordering === undefined ? {} : { ordering }) })
  return queryOptions({
    queryKey: reportKeys.ids(query),
    queryFn: ({ signal }) => request('projects/ids', { query, schema: reportIdsSchema, signal }),
  })
}

/** Loads run once a night and by hand; half a minute keeps Back instant without hiding a load for long. */
const FRESH_MS = 30_000
/** Back from a project's page, read at length, finds the list as it was left. */
const KEPT_MS = 30 * 60_000

/**
 * One page of the report, whose rows count their files (`FileList` asks for those of one project). Its key is the printed search, so two ways to write the
 * same filters share one answer. Which project is peeked at, which saved filter is applied and which view shows the result change nothing in it.
 */
export const reportPageQuery = ({ ordering, page, page_size, ...search }: ReportSearch) => {
  const list = Object.fromEntries(
    Object.entries({ ordering, page, page_size }).filter(([, value]) => value !== undefined),
  )
  const query = printReportSearch({ ...reportFiltersOf(search), ...list })
  return queryOptions({
    queryKey: reportKeys.page(query),
    queryFn: ({ signal }) =>
      rowsOnTheirWay(request('projects', { query, prefer: ATTACHMENTS_COUNTED, schema: reportPageSchema, signal })),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    gcTime: KEPT_MS,
  })
}

/** The first projects that a search expression finds, in any tab of the report. */
export const projectSuggestionsQuery = (expression: string) =>
  queryOptions({
    queryKey: reportKeys.suggestions(expression),
    queryFn: ({ signal }) =>
      request('projects/suggestions', {
        query: { project_search__in: expression },
        schema: projectSuggestionsSchema,
        signal,
      }),
    staleTime: FRESH_MS,
  })

/** Counts beside the filters. Order and page do not change them, so they are no part of the call. */
export const reportFacetsQuery = (search: ReportSearch) => {
  const query = printReportSearch(reportFiltersOf(search))
  return queryOptions({
    queryKey: reportKeys.facets(query),
    queryFn: async ({ signal }) => {
      await afterRows()
      return await request('projects/facets', { query, schema: reportFacetsSchema, signal })
    },
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  })
}
