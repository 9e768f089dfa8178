import { queryOptions } from '@tanstack/react-query'
import { operatedChannelsSchema } from '#contract/operation/operator-channels.ts'
import { request } from '#src/api/http/client.ts'

export const operatedChannelsQuery = queryOptions({
  queryKey: ['operation', 'channels'],
  queryFn: ({ signal }) => request('operation/channels', { schema: operatedChannelsSchema, signal }),
  staleTime: 10_000,
})
