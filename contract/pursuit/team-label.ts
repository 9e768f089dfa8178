import { z } from 'zod/mini'
import { labelSchema } from '../user/label.ts'

/** Labels that a whole organisation gives to the projects of its report, beside the private ones of each user, in the same 29 colours. */

const teamLabelSchema = z.extend(labelSchema, {
  /** Number of the member who made it; null when that account is gone. */
  created_by: z.nullable(z.number()),
})
export type TeamLabel = z.output<typeof teamLabelSchema>

/** `PATCH /team-labels`. Apart from the actions: the report's first load needs it. */
export const teamLabelsSchema = z.object({
  /** Oldest first. */
  labels: z.array(teamLabelSchema),
  /** Label ids by project id. */
  assignments: z.record(z.string(), z.array(z.string())),
})
export type TeamLabels = z.output<typeof teamLabelsSchema>
