import { queryOptions } from '@tanstack/react-query'
import { operatedChannelsSchema } from '#contract/operation/channels.ts'
import { request } from '#src/api/http/client.ts'

/** Status of mail, push and LINE. */
export const operatedChannelsQuery = queryOptions({
  queryKey: ['operation', 'channels'],
  queryFn: ({ signal }) => request('operation/channels', { schema: operatedChannelsSchema, signal }),
  staleTime: 10_000,
})
