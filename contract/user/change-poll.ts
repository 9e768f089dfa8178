import { z } from 'zod/mini'

/** `GET /users/me/pulse`: the change poll. One cheap request by which an open tab learns that something is new, without reading all of it. */
export const changePollSchema = z.object({
  /** When data was last loaded, UTC ISO: as `data_time` of the report. */
  data_time: z.nullable(z.string()),
  /** Grows with each notification of the user; null while there is none. */
  newest_notification: z.nullable(z.string()),
  /** Unread ones. */
  unread: z.number(),
})
export type ChangePoll = z.output<typeof changePollSchema>
