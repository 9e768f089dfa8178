import { queryOptions } from '@tanstack/react-query'
import { savedFilterCountsSchema } from '#contract/user/saved-filter.ts'
import { request } from '../http/client.ts'
import { reportKeys } from '../http/keys.ts'

/** How many projects each saved filter finds. They move with the nightly load and with the user's own marks, which ask again. */
export const savedFilterCountsQuery = queryOptions({
  queryKey: reportKeys.savedFilterCounts,
  queryFn: ({ signal }) => request('projects/saved-filter-counts', { schema: savedFilterCountsSchema, signal }),
  staleTime: 5 * 60_000,
})
