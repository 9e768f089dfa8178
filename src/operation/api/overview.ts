import { queryOptions } from '@tanstack/react-query'
import { operationOverviewSchema } from '#contract/operation/overview.ts'
import { sendApiRequest } from '#src/api/http/client.ts'

export const operationOverviewQuery = queryOptions({
  queryKey: ['operation', 'overview'],
  queryFn: ({ signal }) => sendApiRequest('operation/overview', { schema: operationOverviewSchema, signal }),
})
