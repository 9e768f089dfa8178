import { z } from 'zod/mini'

/** `GET /operation/channels`: status of each notification channel, email first. Times are UTC ISO. */
export const operatorChannelsSchema = z.object({
  checked_at: z.string(),
  channels: z.array(
    z.object({
      channel: z.string(),
      is_set_up: z.boolean(),
      users: z.number(),
      waiting: z.number(),
      oldest_seconds: z.number(),
      /** Messages sent in the last 24 hours. */
      sent: z.number(),
      failed: z.number(),
      last_sent_at: z.nullable(z.string()),
      /** Status code or type of error. Never a message text, which could contain a name or address. */
      last_error: z.nullable(z.string()),
      last_error_at: z.nullable(z.string()),
      /**
       * Monthly usage of a channel billed per message. `quota` null: no limit; `is_out`: messages are sent by email for
       * the rest of the month.
       */
      month: z.optional(
        z.object({
          used: z.nullable(z.number()),
          quota: z.nullable(z.number()),
          is_out: z.boolean(),
          asked_at: z.nullable(z.string()),
          failure: z.nullable(z.string()),
        }),
      ),
    }),
  ),
})
export type OperatorChannels = z.output<typeof operatorChannelsSchema>
export type OperatorChannelStatus = OperatorChannels['channels'][number]
