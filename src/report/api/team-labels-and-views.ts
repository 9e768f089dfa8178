import { queryOptions, useQuery } from '@tanstack/react-query'
import { unpackTeamLabels } from '#contract/report/team-label.ts'
import { type TeamLabelsAndViews, teamLabelsAndViewsSchema } from '#contract/report/team-labels-and-views.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { pursuitKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'

const teamMarksQuery = queryOptions({
  queryKey: pursuitKeys.marks,
  queryFn: async ({ signal }): Promise<TeamLabelsAndViews> => {
    const { views, ...packed } = await sendApiRequest('team-marks', { schema: teamLabelsAndViewsSchema, signal })
    return { ...unpackTeamLabels(packed), views }
  },
  staleTime: 60_000,
})

/**
 * Team labels, their assignments and shared views, including pending changes. Undefined while loading and in the demo,
 * which has no team.
 */
export function useTeamLabelsAndViews(isEnabled = true): TeamLabelsAndViews | undefined {
  return useQuery({ ...useOptimisticQueryOptions(teamMarksQuery), enabled: isEnabled && !isDemoSession() }, queryClient)
    .data
}
