import { queryOptions } from '@tanstack/react-query'
import { operationOverviewSchema } from '#contract/operation/overview.ts'
import { request } from '#src/api/http/client.ts'

/** How much of what needs a hand. Every visit of the screen asks anew: what was done elsewhere has gone from it. */
export const operationOverviewQuery = queryOptions({
  queryKey: ['operation', 'overview'],
  queryFn: ({ signal }) => request('operation/overview', { schema: operationOverviewSchema, signal }),
})
