import { applyToLabelBook } from './label-book.ts'
import type { TeamLabel, TeamLabels } from './team-label.ts'
import type { TeamLabelAction } from './team-label-action.ts'

/** Most labels of an organisation; as of private ones at most 5,000 projects carry any (`MAX_MARKED_PROJECTS`). */
export const MAX_TEAM_LABELS = 100

/** Every member makes labels, gives them to projects and takes them off; to rename, recolour and delete one is for who made it and for super users. */
export const mayChangeTeamLabel = (
  { created_by: maker }: Pick<TeamLabel, 'created_by'>,
  { id, role }: { readonly id: number; readonly role: string },
): boolean => maker === id || role === 'super_user'

/** What an action of member `by` makes of the labels of a team. */
export function applyTeamLabelAction(before: TeamLabels, action: TeamLabelAction, by: number): TeamLabels {
  const makers = new Map(before.labels.map((label) => [label.id, label.created_by]))
  const { labels, assignments } = applyToLabelBook(before, action)
  return {
    labels: labels.map((label) => {
      const maker = makers.get(label.id)
      return { ...label, created_by: maker === undefined ? by : maker }
    }),
    assignments,
  }
}
