import { z } from 'zod/mini'
import { teamLabelActionSchema } from './user-patch.ts'

/**
 * `PATCH /team-labels`: one action that sets an end state, so it is idempotent and merges with concurrent changes. The
 * reducer is in `apply-team-label-action.ts`, which the app loads without these schemas.
 */
export const teamLabelPatchSchema = z.object({ action: teamLabelActionSchema })
export type TeamLabelAction = z.output<typeof teamLabelActionSchema>
