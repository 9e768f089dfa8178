import { z } from 'zod/mini'
import { teamLabelActionSchema } from './user-patch.ts'

/**
 * `PATCH /team-labels`: one action. It says the wanted end state, so that a repeat is harmless and what colleagues do at once is merged. What it means stands
 * beside it in `apply-team-label-action.ts`, which the app loads without these schemas.
 */
export const teamLabelPatchSchema = z.object({ action: teamLabelActionSchema })
export type TeamLabelAction = z.output<typeof teamLabelActionSchema>
