import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type MetricPeriod, operationMetricsSchema } from '#contract/operation/metrics.ts'
import { request } from '#src/api/http/client.ts'

/** What the servers answered, jobs and mails; another period stands over the one before until it has come. */
export const operationMetricsQuery = (period: MetricPeriod) =>
  queryOptions({
    queryKey: ['operation', 'metrics', period],
    queryFn: async ({ signal }) =>
      (await request('operation/metrics', { query: { period }, schema: operationMetricsSchema, signal })).points,
    placeholderData: keepPreviousData,
  })
