import { useQuery } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { unpackTeamLabels } from '#contract/report/team-label.ts'
import { type TeamLabelsAndViews, teamLabelsAndViewsSchema } from '#contract/report/team-labels-and-views.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { pursuitKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'

const teamMarksQuery = apiQueryOptions('team-marks', {
  queryKey: pursuitKeys.marks,
  schema: z.pipe(
    teamLabelsAndViewsSchema,
    z.transform(({ views, ...packed }): TeamLabelsAndViews => ({ ...unpackTeamLabels(packed), views })),
  ),
  staleTime: 60_000,
})

/** Includes pending changes. Undefined while loading and in the demo, which has no team. */
export function useTeamLabelsAndViews(isEnabled = true): TeamLabelsAndViews | undefined {
  return useQuery({ ...useOptimisticQueryOptions(teamMarksQuery), enabled: isEnabled && !isDemoSession() }, queryClient)
    .data
}
