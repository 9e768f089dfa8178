import { operationOverviewSchema } from '#contract/operation/overview.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'

export const operationOverviewQuery = apiQueryOptions('operation/overview', {
  queryKey: ['operation', 'overview'],
  schema: operationOverviewSchema,
  staleTime: 0,
})
