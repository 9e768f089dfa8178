import { queryOptions, useQuery } from '@tanstack/react-query'
import { type TeamViews, teamViewsSchema } from '#contract/pursuit/team-view.ts'
import { request } from '../http/client.ts'
import { pursuitKeys } from '../http/keys.ts'
import { queryClient } from '../http/query-client.ts'
import { isDemo } from '../keyword/demo.ts'
import { useOverlaid } from '../optimistic.ts'

const teamViewsQuery = queryOptions({
  queryKey: pursuitKeys.views,
  queryFn: ({ signal }) => request('team-views', { schema: teamViewsSchema, signal }),
  // What colleagues share comes with the change poll, which makes this stale.
  staleTime: 60_000,
})

/** What colleagues share, with what was changed a moment ago; undefined until it has come, and in the demo, which has no team. */
export function useTeamViews(isAsked: boolean): TeamViews | undefined {
  return useQuery({ ...useOverlaid(teamViewsQuery), enabled: isAsked && !isDemo() }, queryClient).data
}
