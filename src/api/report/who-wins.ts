import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { printReportSearch, type ReportSearch } from '#contract/report/report-params.ts'
import { whoWinsSchema, wonProjectsSchema } from '#contract/report/who-wins.ts'
import { reportFiltersOf } from '#src/lib/report-address.ts'
import { request } from '../http/client.ts'
import { reportKeys } from '../http/keys.ts'

/** Figures change with a load, which runs once a night and by hand. */
const FRESH_MS = 60_000
const KEPT_MS = 30 * 60_000

/** What the question is made of: the filters, whose projects, and the order of the companies. */
export function winsQueryOf(search: ReportSearch): Record<string, string> {
  const { market, rank } = search
  return printReportSearch({ ...reportFiltersOf(search), ...(market && { market }), ...(rank && { rank }) })
}

/** Who wins among the projects of a search, of the report or of the whole market. */
export const whoWinsQuery = (search: ReportSearch) => {
  const query = winsQueryOf(search)
  return queryOptions({
    queryKey: reportKeys.whoWins(query),
    queryFn: ({ signal }) => request('who-wins', { query, schema: whoWinsSchema, signal }),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    gcTime: KEPT_MS,
  })
}

/** A page of the projects behind one of its figures (`rows`). */
export const wonProjectsQuery = (search: ReportSearch, rows: string, page: number) => {
  const { rank: _rank, ...question } = search
  const query = { ...winsQueryOf(question), rows, ...(page > 1 && { page: String(page) }) }
  return queryOptions({
    queryKey: reportKeys.wonProjects(query),
    queryFn: ({ signal }) => request('who-wins/projects', { query, schema: wonProjectsSchema, signal }),
    staleTime: FRESH_MS,
  })
}

/** The rows and the figures as a workbook: what to ask for. */
export const whoWinsFile = (search: ReportSearch) => {
  const query = winsQueryOf(search)
  return {
    path: 'who-wins/file',
    query,
    whenSessionEnds: () => request('who-wins', { query, schema: whoWinsSchema }),
  }
}
