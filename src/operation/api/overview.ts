import { keepPreviousData } from '@tanstack/react-query'
import { type MetricPeriod, operationMetricsSchema } from '#contract/operation/metrics.ts'
import { operationOverviewSchema } from '#contract/operation/overview.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'

export const operationOverviewQuery = apiQueryOptions('operation/overview', {
  queryKey: ['operation', 'overview'],
  schema: operationOverviewSchema,
  staleTime: 0,
})

export const operationMetricsQuery = (period: MetricPeriod) =>
  apiQueryOptions('operation/metrics', {
    queryKey: ['operation', 'metrics', period],
    query: { period },
    schema: operationMetricsSchema,
    select: ({ points }) => points,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
