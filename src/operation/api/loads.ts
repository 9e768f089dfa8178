import { queryOptions } from '@tanstack/react-query'
import { operatorDataLoadsSchema, unreadableDataLoadRowsSchema } from '#contract/operation/loads.ts'
import { sendApiRequest } from '#src/api/http/client.ts'

export const dataLoadsQuery = queryOptions({
  queryKey: ['operation', 'loads', 'list'],
  queryFn: async ({ signal }) =>
    (await sendApiRequest('operation/loads', { schema: operatorDataLoadsSchema, signal })).loads,
  staleTime: 10_000,
})

export const nightlyRunDataLoadsQuery = (night: string) =>
  queryOptions({
    queryKey: ['operation', 'loads', 'night', night],
    queryFn: async ({ signal }) =>
      (await sendApiRequest('operation/loads', { query: { night }, schema: operatorDataLoadsSchema, signal })).loads,
    staleTime: 10_000,
  })

export const unreadableDataLoadRowsQuery = (id: number) =>
  queryOptions({
    queryKey: ['operation', 'loads', 'rows', id],
    queryFn: async ({ signal }) =>
      (await sendApiRequest(`operation/loads/${id}/rows`, { schema: unreadableDataLoadRowsSchema, signal })).rows,
  })
