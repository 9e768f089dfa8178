import { z } from 'zod/mini'
import { labelSchema } from '../account/label.ts'

/** Labels shared by the whole organisation, in addition to each user's private ones, in the same 29 colours. */

const teamLabelSchema = z.extend(labelSchema, {
  created_by: z.nullable(z.number()),
})
export type TeamLabel = z.output<typeof teamLabelSchema>

export type TeamLabels = {
  readonly labels: TeamLabel[]
  readonly assignments: Record<string, string[]>
}

/**
 * Response of `PATCH /team-labels`, and part of `GET /team-marks`. `carriers` maps each project to the indexes of its
 * labels in `labels`, two hexadecimal digits each. With ids instead, 100 labels on 656 projects took 601 kB. Separate
 * from the actions because the report needs this schema on its first load.
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
