import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { oddSignsSchema } from '#contract/market/odd-signs.ts'
import { questionAddress, whoWinsSchema, wonProjectsSchema } from '#contract/market/who-wins.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { request } from '#src/api/http/client.ts'
import { reportKeys } from '#src/api/http/keys.ts'

/** Figures change with a load, which runs once a night and by hand. */
const FRESH_MS = 60_000
const KEPT_MS = 30 * 60_000

/** Who wins among the projects of a search, of the report or of the whole market. */
export const whoWinsQuery = (search: ReportSearch) => {
  const query = questionAddress(search)
  return queryOptions({
    queryKey: reportKeys.whoWins(query),
    queryFn: ({ signal }) => request('who-wins', { query, schema: whoWinsSchema, signal }),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    gcTime: KEPT_MS,
  })
}

/** What stands out in the awards of a question: `path` and `query` say of which. */
export const signsAt = (path: string, query: Readonly<Record<string, string>>) =>
  queryOptions({
    queryKey: reportKeys.oddSigns(path, query),
    queryFn: ({ signal }) => request(path, { query, schema: oddSignsSchema, signal }),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    gcTime: KEPT_MS,
  })
export type OddSignsQuery = ReturnType<typeof signsAt>

/** The same among the projects of a search; the order of the companies is nothing to it. */
export const oddSignsQuery = ({ rank: _rank, ...question }: ReportSearch) =>
  signsAt('who-wins/signs', questionAddress(question))

/** A page of the projects behind one of its figures (`rows`). */
export const wonProjectsQuery = (search: ReportSearch, rows: string, page: number) => {
  const { rank: _rank, ...question } = search
  const query = { ...questionAddress(question), rows, ...(page > 1 && { page: String(page) }) }
  return queryOptions({
    queryKey: reportKeys.wonProjects(query),
    queryFn: ({ signal }) => request('who-wins/projects', { query, schema: wonProjectsSchema, signal }),
    staleTime: FRESH_MS,
  })
}

/** The rows and the figures as a workbook: what to ask for. */
export const whoWinsFile = (search: ReportSearch) => {
  const query = questionAddress(search)
  return {
    path: 'who-wins/file',
    query,
    whenSessionEnds: () => request('who-wins', { query, schema: whoWinsSchema }),
  }
}
