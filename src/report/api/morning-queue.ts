import { queryOptions } from '@tanstack/react-query'
import { morningQueueSchema } from '#contract/report/morning-queue.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { formatReportSearch, type ReportSearch } from '#contract/report/report-params.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { morningQueueKeys, reportKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { pickReportListSearch } from '#src/lib/report-url.ts'
import { findReportProjects } from './report-projects.ts'

export const morningQueueQuery = (search: ReportSearch) => {
  const query = formatReportSearch(pickReportListSearch(search))
  return apiQueryOptions('projects/queue', {
    queryKey: [...morningQueueKeys.all, query],
    query,
    schema: morningQueueSchema,
    staleTime: 30_000,
  })
}

export function refetchMorningQueues(): void {
  void queryClient.invalidateQueries({ queryKey: morningQueueKeys.all })
}

/**
 * Rows per request: small enough that the first page arrives within 100 ms; the others load before the user reaches
 * them.
 */
export const MORNING_QUEUE_PAGE_SIZE = 20

export const morningQueueRowsQuery = (ids: readonly string[], ordering: string | undefined) =>
  queryOptions({
    queryKey: [...reportKeys.all, 'queue-rows', ids, ordering],
    queryFn: async ({ signal }): Promise<Readonly<Record<string, ReportRow>>> =>
      Object.fromEntries((await findReportProjects(ids, { ordering, signal })).map((row) => [row.project_id, row])),
    // The rows never become stale, because a row must not change while the user decides on it.
    staleTime: Number.POSITIVE_INFINITY,
    enabled: ids.length > 0,
  })
