import { applyTeamLabelAction } from '#contract/report/apply-team-label-action.ts'
import { invertLabelAction } from '#contract/report/label-state.ts'
import { packedTeamLabelsSchema, type TeamLabels, unpackTeamLabels } from '#contract/report/team-label.ts'
import type { TeamLabelAction } from '#contract/report/team-label-action.ts'
import type { TeamLabelsAndViews } from '#contract/report/team-labels-and-views.ts'
import { getCurrentUser } from '#src/account/api/users.ts'
import { pursuitKeys } from '#src/api/http/keys.ts'
import { type ChangeResultMessages, defineOptimisticChange, runOptimisticChange } from '#src/api/optimistic-changes.ts'

type TeamLabelChange = {
  readonly action: TeamLabelAction
  readonly by: number
}

const teamLabelMutation = defineOptimisticChange<TeamLabelChange, TeamLabels>({
  name: 'team-labels',
  layers: [
    {
      key: pursuitKeys.marks,
      apply: (marks: TeamLabelsAndViews, { action, by }) => ({
        ...marks,
        ...applyTeamLabelAction(marks, action, by),
      }),
      settle: (marks: TeamLabelsAndViews, response) => ({ ...marks, ...response }),
      undo: (before: TeamLabelsAndViews, { action, by }) => {
        const undone = invertLabelAction(before, action) as TeamLabelAction | undefined
        return undone && { action: undone, by }
      },
    },
  ],
  // The server merges changes by several people, but the changes of one person must arrive in order.
  scope: 'team-labels',
  tags: () => ['teamLabels'],
  isResumed: true,
  send: async ({ action }, call) =>
    unpackTeamLabels(await call('team-labels', { method: 'patch', json: { action }, schema: packedTeamLabelsSchema })),
})

export function patchTeamLabels(action: TeamLabelAction, message: ChangeResultMessages): Promise<boolean> {
  return runOptimisticChange(teamLabelMutation, { action, by: Number(getCurrentUser()?.id) }, { message }).then(
    () => true,
    () => false,
  )
}
