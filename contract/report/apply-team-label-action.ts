import { applyActionToLabelState } from './label-state.ts'
import type { TeamLabel, TeamLabels } from './team-label.ts'
import type { TeamLabelAction } from './team-label-action.ts'

export const MAX_TEAM_LABELS = 100

/**
 * Every member may create, assign and unassign labels; only the creator and super users may rename, recolour or delete
 * them.
 */
export const canEditTeamLabel = (
  { created_by: maker }: Pick<TeamLabel, 'created_by'>,
  { id, role }: { readonly id: number; readonly role: string },
): boolean => maker === id || role === 'super_user'

export function applyTeamLabelAction(before: TeamLabels, action: TeamLabelAction, userId: number): TeamLabels {
  const makers = new Map(before.labels.map((label) => [label.id, label.created_by]))
  const { labels, assignments } = applyActionToLabelState(before, action)
  return {
    labels: labels.map((label) => {
      const maker = makers.get(label.id)
      return { ...label, created_by: maker === undefined ? userId : maker }
    }),
    assignments,
  }
}
