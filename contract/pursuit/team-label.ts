import { z } from 'zod/mini'
import { labelSchema } from '../user/label.ts'
import { applyToLabelBook } from '../user/label-book.ts'
import { teamLabelActionSchema } from '../user/user-patch.ts'

/** Labels that a whole organisation gives to the projects of its report, beside the private ones of each user, in the same 29 colours. */

/** Most labels of an organisation; of each, as of private ones, at most 5,000 projects carry any (`MAX_MARKED_PROJECTS`). */
export const MAX_TEAM_LABELS = 100

export const teamLabelSchema = z.extend(labelSchema, {
  /** Number of the member who made it; null when that account is gone. */
  created_by: z.nullable(z.number()),
})
export type TeamLabel = z.output<typeof teamLabelSchema>

/** `GET` and `PATCH /team-labels`. */
export const teamLabelsSchema = z.object({
  /** Oldest first. */
  labels: z.array(teamLabelSchema),
  /** Label ids by project id. */
  assignments: z.record(z.string(), z.array(z.string())),
})
export type TeamLabels = z.output<typeof teamLabelsSchema>

/** `PATCH /team-labels`: one action. It says the wanted end state, so that a repeat is harmless and what colleagues do at once is merged. */
export const teamLabelPatchSchema = z.object({ action: teamLabelActionSchema })
export type TeamLabelAction = z.output<typeof teamLabelActionSchema>

/** Every member makes labels, gives them to projects and takes them off; to rename, recolour and delete one is for who made it and for super users. */
export const mayChangeTeamLabel = (
  { created_by: maker }: Pick<TeamLabel, 'created_by'>,
  { id, role }: { readonly id: number; readonly role: string },
): boolean => maker === id || role === 'super_user'

/** What an action of member `by` makes of the labels of a team. */
export function applyTeamLabelAction(before: TeamLabels, action: TeamLabelAction, by: number): TeamLabels {
  const makers = new Map(before.labels.map((label) => [label.id, label.created_by]))
  const { labels, assignments } = applyToLabelBook(before, action)
  return { labels: labels.map((label) => ({ ...label, created_by: makers.get(label.id) ?? (makers.has(label.id) ? null : by) })), assignments }
}
