import { queryOptions } from '@tanstack/react-query'
import { filterRecallSchema } from '#contract/report/filter-recall.ts'
import { request } from '#src/api/http/client.ts'
import { reportKeys } from '#src/api/http/keys.ts'

/** Of what the user starred and the team pursued, how much the watch lists and each saved filter see. Stars and filters make it stale with the report. */
export const filterRecallQuery = queryOptions({
  queryKey: [...reportKeys.all, 'recall'],
  queryFn: ({ signal }) => request('projects/saved-filter-recall', { schema: filterRecallSchema, signal }),
  staleTime: 30_000,
})
