import { z } from 'zod/mini'
import { labelSchema } from '../account/label.ts'

/** Labels that a whole organisation gives to the projects of its report, beside the private ones of each user, in the same 29 colours. */

const teamLabelSchema = z.extend(labelSchema, {
  /** Number of the member who made it; null when that account is gone. */
  created_by: z.nullable(z.number()),
})
export type TeamLabel = z.output<typeof teamLabelSchema>

export type TeamLabels = {
  /** Oldest first. */
  readonly labels: TeamLabel[]
  /** Label ids by project id, in the order in which they were given. */
  readonly assignments: Record<string, string[]>
}

/**
 * `PATCH /team-labels`, and part of `GET /team-marks`. `carriers`: for each project the positions of its labels in `labels`, two hexadecimal digits each. With
 * ids in place of positions, 100 labels on 656 projects were 601 kB. Apart from the actions: the report's first load needs it.
 */
export const packedTeamLabelsSchema = z.object({
  labels: z.array(teamLabelSchema),
  carriers: z.record(z.string(), z.string()),
})
export type PackedTeamLabels = z.output<typeof packedTeamLabelsSchema>

export function unpackTeamLabels({ labels, carriers }: PackedTeamLabels): TeamLabels {
  const idAt = (digits: string) => labels[Number.parseInt(digits, 16)]!.id
  return {
    labels,
    assignments: Object.fromEntries(
      Object.entries(carriers).map(([project, digits]) => [project, (digits.match(/../g) ?? []).map(idAt)]),
    ),
  }
}
