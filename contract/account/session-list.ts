import { z } from 'zod/mini'

/**
 * GET /users/me/sessions: where the user is logged in, the present session first, then by last use. 403 in the demo.
 * DELETE /users/me/sessions/{id}/ ends one (204; 404 when it is not one of the user's or is over already).
 * POST /users/me/sessions/end-all/ ends every session including the present one (204); the client then opens /login.
 */
export const sessionListSchema = z.object({
  sessions: z.array(
    z.object({
      id: z.string(),
      /** Browser and system in words, e.g. `Chrome บน Windows`; `อุปกรณ์ที่ไม่รู้จัก` when it did not say. */
      device: z.string(),
      /** Network address of the login; null for sessions from before it was kept. */
      address: z.nullable(z.string()),
      /** UTC ISO; the last use is kept to the minute. */
      created_at: z.string(),
      last_seen_at: z.string(),
      current: z.boolean(),
    }),
  ),
})
export type SessionList = z.output<typeof sessionListSchema>
