import { queryOptions } from '@tanstack/react-query'
import { operatorLoadsSchema, unreadableRowsSchema } from '#contract/operation/loads.ts'
import { sendApiRequest } from '#src/api/http/client.ts'

export const dataLoadsQuery = queryOptions({
  queryKey: ['operation', 'loads', 'list'],
  queryFn: async ({ signal }) =>
    (await sendApiRequest('operation/loads', { schema: operatorLoadsSchema, signal })).loads,
  staleTime: 10_000,
})

export const nightlyRunDataLoadsQuery = (night: string) =>
  queryOptions({
    queryKey: ['operation', 'loads', 'night', night],
    queryFn: async ({ signal }) =>
      (await sendApiRequest('operation/loads', { query: { night }, schema: operatorLoadsSchema, signal })).loads,
    staleTime: 10_000,
  })

export const unreadableDataLoadRowsQuery = (id: number) =>
  queryOptions({
    queryKey: ['operation', 'loads', 'rows', id],
    queryFn: async ({ signal }) =>
      (await sendApiRequest(`operation/loads/${id}/rows`, { schema: unreadableRowsSchema, signal })).rows,
  })
