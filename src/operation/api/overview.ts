import { queryOptions } from '@tanstack/react-query'
import { operationOverviewSchema } from '#contract/operation/overview.ts'
import { request } from '#src/api/http/client.ts'

/** Refetched on every visit, because items may have been handled elsewhere. */
export const operationOverviewQuery = queryOptions({
  queryKey: ['operation', 'overview'],
  queryFn: ({ signal }) => request('operation/overview', { schema: operationOverviewSchema, signal }),
})
