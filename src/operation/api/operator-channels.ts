import { operatorChannelsSchema } from '#contract/operation/operator-channels.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'

export const operatorNotificationChannelsQuery = apiQueryOptions('operation/channels', {
  queryKey: ['operation', 'channels'],
  schema: operatorChannelsSchema,
  staleTime: 10_000,
})
