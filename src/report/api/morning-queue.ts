import { queryOptions } from '@tanstack/react-query'
import { morningQueueSchema } from '#contract/report/morning-queue.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { printReportSearch, type ReportSearch } from '#contract/report/report-params.ts'
import { request } from '#src/api/http/client.ts'
import { queueKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { reportFiltersOf } from '#src/lib/report-address.ts'
import { findReportProjects } from './report-projects.ts'
import { afterRows } from './rows-first.ts'

/** What waits this morning in the report with these filters. */
export const morningQueueQuery = (search: ReportSearch) => {
  const { ordering } = search
  const query = printReportSearch({ ...reportFiltersOf(search), ...(ordering === undefined ? {} : { ordering }) })
  return queryOptions({
    queryKey: queueKeys.of(query),
    queryFn: async ({ signal }) => {
      await afterRows()
      return await request('projects/queue', { query, schema: morningQueueSchema, signal })
    },
    staleTime: 30_000,
  })
}

/** Something was decided: whatever counts what waits asks again when it is next shown. */
export function refetchMorningQueues(): void {
  void queryClient.invalidateQueries({ queryKey: queueKeys.all })
}

/** Rows fetched at once: the first is there in a tenth of a second, and the next ones before they are reached. */
export const QUEUE_ROWS = 20

/** Rows of some projects of the queue, by id; what has left the report meanwhile is not among them. */
export const queueRowsQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: queueKeys.rows(ids),
    queryFn: async ({ signal }): Promise<Readonly<Record<string, ReportRow>>> =>
      Object.fromEntries((await findReportProjects(ids, signal)).map((row) => [row.project_id, row])),
    // A row does not change under the eyes of who decides about it.
    staleTime: Number.POSITIVE_INFINITY,
    enabled: ids.length > 0,
  })
