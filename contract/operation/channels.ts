import { z } from 'zod/mini'

/** `GET /operation/channels`: how each way of telling people does, mail first. Moments are UTC ISO. */
export const operatedChannelsSchema = z.object({
  checked_at: z.string(),
  channels: z.array(
    z.object({
      /** `mail`, `push`, `line`; a later version may know more. */
      channel: z.string(),
      /** Whether the settings have what it needs. */
      is_set_up: z.boolean(),
      /** Users who are told by it. */
      users: z.number(),
      /** Due and not sent, and for how many seconds the oldest. */
      waiting: z.number(),
      oldest_seconds: z.number(),
      /** Within the last day. */
      sent: z.number(),
      failed: z.number(),
      last_sent_at: z.nullable(z.string()),
      /** Answer code or kind of fault: never a text that may hold somebody's name or address. */
      last_error: z.nullable(z.string()),
      last_error_at: z.nullable(z.string()),
      /** Of a channel that is paid by the message: those of the month. `quota` null: no limit; `is_out`: the rest of the month goes by mail. */
      month: z.optional(
        z.object({
          used: z.nullable(z.number()),
          quota: z.nullable(z.number()),
          is_out: z.boolean(),
          /** When the other side was asked last, and why it did not answer. */
          asked_at: z.nullable(z.string()),
          failure: z.nullable(z.string()),
        }),
      ),
    }),
  ),
})
export type OperatedChannels = z.output<typeof operatedChannelsSchema>
export type OperatedChannel = OperatedChannels['channels'][number]
