import { z } from 'zod/mini'
import { clientGeneratedIdSchema } from '../account/label.ts'
import { savedFilterNameSchema } from '../account/mark-name.ts'

export const MAX_TEAM_VIEWS = 30

const targetView = { owner: z.number().check(z.int()), filter_id: clientGeneratedIdSchema }
/**
 * `PATCH /team-views`: actions on a colleague's view; users share and change their own filters through `filter_action`
 * of `PATCH /users/me`. `start` sets or clears the start view; `forget` acknowledges that the start view no longer
 * exists. The others are for super users; `remove` also deletes the owner's filter.
 */
export const teamViewPatchSchema = z.object({
  action: z.discriminatedUnion('action', [
    z.object({ action: z.literal('start'), ...targetView, is_start: z.boolean() }),
    z.object({ action: z.literal('forget') }),
    z.object({
      action: z.literal('rename'),
      ...targetView,
      filterName: savedFilterNameSchema,
    }),
    z.object({ action: z.literal('unshare'), ...targetView }),
    z.object({ action: z.literal('remove'), ...targetView }),
  ]),
})
export type TeamViewAction = z.output<typeof teamViewPatchSchema>['action']
