import { queryOptions, useQuery } from '@tanstack/react-query'
import { type TeamLabels, teamLabelsSchema } from '#contract/pursuit/team-label.ts'
import { request } from '../http/client.ts'
import { pursuitKeys } from '../http/keys.ts'
import { queryClient } from '../http/query-client.ts'
import { isDemo } from '../keyword/demo.ts'
import { useOverlaid } from '../optimistic.ts'

const teamLabelsQuery = queryOptions({
  queryKey: pursuitKeys.labels,
  queryFn: ({ signal }) => request('team-labels', { schema: teamLabelsSchema, signal }),
  // Colleagues' changes come with the change poll, which makes this stale.
  staleTime: 60_000,
})

/** Labels of the team and who carries them, with what was changed a moment ago; undefined until they have come, and in the demo, which has no team. */
export function useTeamLabels(isAsked = true): TeamLabels | undefined {
  return useQuery({ ...useOverlaid(teamLabelsQuery), enabled: isAsked && !isDemo() }, queryClient).data
}
