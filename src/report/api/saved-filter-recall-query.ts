import { queryOptions } from '@tanstack/react-query'
import { filterRecallSchema } from '#contract/report/filter-recall.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { reportKeys } from '#src/api/http/keys.ts'

/**
 * How many starred and pursued projects the watch lists and each saved filter match. Shares the report's key prefix, so
 * changes of stars and filters invalidate it.
 */
export const savedFilterRecallQuery = queryOptions({
  queryKey: [...reportKeys.all, 'recall'],
  queryFn: ({ signal }) => sendApiRequest('projects/saved-filter-recall', { schema: filterRecallSchema, signal }),
  staleTime: 30_000,
})
