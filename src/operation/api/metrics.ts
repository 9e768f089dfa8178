import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type MetricPeriod, operationMetricsSchema } from '#contract/operation/metrics.ts'
import { sendApiRequest } from '#src/api/http/client.ts'

export const operationMetricsQuery = (period: MetricPeriod) =>
  queryOptions({
    queryKey: ['operation', 'metrics', period],
    queryFn: async ({ signal }) =>
      (await sendApiRequest('operation/metrics', { query: { period }, schema: operationMetricsSchema, signal })).points,
    placeholderData: keepPreviousData,
  })
