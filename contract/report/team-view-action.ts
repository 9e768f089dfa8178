import { z } from 'zod/mini'
import { markIdSchema } from '../account/label.ts'

/** Most views that an organisation shares: they stand as tabs, and each is counted. */
export const MAX_TEAM_VIEWS = 30

const of = { owner: z.number().check(z.int()), filter_id: markIdSchema }
/**
 * `PATCH /team-views`, about the view of a colleague; one's own is shared and changed by `filter_action` of `PATCH /users/me`. `start`: begins with it, in
 * place of any other, or no more; `forget`: takes note that the view with which one began is gone. The others are for super users; `remove` takes the
 * filter from its owner too.
 */
export const teamViewPatchSchema = z.object({
  action: z.discriminatedUnion('action', [
    z.object({ action: z.literal('start'), ...of, is_start: z.boolean() }),
    z.object({ action: z.literal('forget') }),
    z.object({
      action: z.literal('rename'),
      ...of,
      filterName: z.string().check(z.trim(), z.minLength(1, 'ตั้งชื่อตัวกรอง'), z.maxLength(60)),
    }),
    z.object({ action: z.literal('unshare'), ...of }),
    z.object({ action: z.literal('remove'), ...of }),
  ]),
})
export type TeamViewAction = z.output<typeof teamViewPatchSchema>['action']
