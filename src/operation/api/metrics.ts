import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type MetricPeriod, operationMetricsSchema } from '#contract/operation/metrics.ts'
import { request } from '#src/api/http/client.ts'

export const operationMetricsQuery = (period: MetricPeriod) =>
  queryOptions({
    queryKey: ['operation', 'metrics', period],
    queryFn: async ({ signal }) =>
      (await request('operation/metrics', { query: { period }, schema: operationMetricsSchema, signal })).points,
    placeholderData: keepPreviousData,
  })
