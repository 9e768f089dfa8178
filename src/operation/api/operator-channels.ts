import { queryOptions } from '@tanstack/react-query'
import { operatorChannelsSchema } from '#contract/operation/operator-channels.ts'
import { sendApiRequest } from '#src/api/http/client.ts'

export const operatorChannelsQuery = queryOptions({
  queryKey: ['operation', 'channels'],
  queryFn: ({ signal }) => sendApiRequest('operation/channels', { schema: operatorChannelsSchema, signal }),
  staleTime: 10_000,
})
