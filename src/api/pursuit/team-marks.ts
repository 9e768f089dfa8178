import { queryOptions, useQuery } from '@tanstack/react-query'
import { unpackTeamLabels } from '#contract/pursuit/team-label.ts'
import { type TeamMarks, teamMarksSchema } from '#contract/pursuit/team-marks.ts'
import { request } from '../http/client.ts'
import { pursuitKeys } from '../http/keys.ts'
import { queryClient } from '../http/query-client.ts'
import { isDemo } from '../keyword/demo.ts'
import { useOverlaid } from '../optimistic.ts'

const teamMarksQuery = queryOptions({
  queryKey: pursuitKeys.marks,
  queryFn: async ({ signal }): Promise<TeamMarks> => {
    const { views, ...packed } = await request('team-marks', { schema: teamMarksSchema, signal })
    return { ...unpackTeamLabels(packed), views }
  },
  // Colleagues' changes come with the change poll, which makes this stale.
  staleTime: 60_000,
})

/**
 * Labels of the team, who carries them, and the views that colleagues share, with what was changed a moment ago; undefined until they have come, and in the
 * demo, which has no team.
 */
export function useTeamMarks(isAsked = true): TeamMarks | undefined {
  return useQuery({ ...useOverlaid(teamMarksQuery), enabled: isAsked && !isDemo() }, queryClient).data
}
