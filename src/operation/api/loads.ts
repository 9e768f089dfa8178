import { operatorDataLoadsSchema, unreadableDataLoadRowsSchema } from '#contract/operation/loads.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'

export const dataLoadsQuery = apiQueryOptions('operation/loads', {
  queryKey: ['operation', 'loads', 'list'],
  schema: operatorDataLoadsSchema,
  select: ({ loads }) => loads,
  staleTime: 10_000,
})

export const nightlyRunDataLoadsQuery = (night: string) =>
  apiQueryOptions('operation/loads', {
    queryKey: ['operation', 'loads', 'night', night],
    query: { night },
    schema: operatorDataLoadsSchema,
    select: ({ loads }) => loads,
    staleTime: 10_000,
  })

export const unreadableDataLoadRowsQuery = (id: number) =>
  apiQueryOptions('operation/loads/:id/rows', {
    queryKey: ['operation', 'loads', 'rows', id],
    params: { id },
    schema: unreadableDataLoadRowsSchema,
    select: ({ rows }) => rows,
    staleTime: 0,
  })
