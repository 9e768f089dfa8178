import { z } from 'zod/mini'

/**
 * GET /users/me/sessions: the user's sessions, current one first, then by last use. 403 in the demo.
 * DELETE /users/me/sessions/{id}/ ends one (204; 404 when it belongs to another user or has already ended).
 * POST /users/me/sessions/end-all/ ends every session including the current one (204); the client then opens /login.
 */
export const sessionListSchema = z.object({
  sessions: z.array(
    z.object({
      id: z.string(),
      /** Browser and system, e.g. `Chrome บน Windows`; `อุปกรณ์ที่ไม่รู้จัก` when the user agent is unknown. */
      device: z.string(),
      /**
       * `address` is the IP at login, null for sessions created before this field existed. Times are UTC ISO;
       * `last_seen_at` is accurate to the minute.
       */
      address: z.nullable(z.string()),
      created_at: z.string(),
      last_seen_at: z.string(),
      current: z.boolean(),
    }),
  ),
})
export type SessionList = z.output<typeof sessionListSchema>
