import { queryOptions } from '@tanstack/react-query'
import { operatedLoadsSchema, unreadableRowsSchema } from '#contract/operation/loads.ts'
import { request } from '#src/api/http/client.ts'

export const dataLoadsQuery = queryOptions({
  queryKey: ['operation', 'loads', 'list'],
  queryFn: async ({ signal }) => (await request('operation/loads', { schema: operatedLoadsSchema, signal })).loads,
  staleTime: 10_000,
})

export const nightlyRunLoadsQuery = (night: string) =>
  queryOptions({
    queryKey: ['operation', 'loads', 'night', night],
    queryFn: async ({ signal }) =>
      (await request('operation/loads', { query: { night }, schema: operatedLoadsSchema, signal })).loads,
    staleTime: 10_000,
  })

export const badLoadRowsQuery = (id: number) =>
  queryOptions({
    queryKey: ['operation', 'loads', 'rows', id],
    queryFn: async ({ signal }) =>
      (await request(`operation/loads/${id}/rows`, { schema: unreadableRowsSchema, signal })).rows,
  })
