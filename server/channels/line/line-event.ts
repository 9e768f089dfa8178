import { z } from 'zod/mini'

const EVENT_TYPES = ['follow', 'unfollow', 'message', 'postback', 'accountLink', 'join', 'leave'] as const

const MAX_TEXT_LENGTH = 2_000

const eventSchema = z.object({
  type: z.enum(EVENT_TYPES),
  webhookEventId: z.string().check(z.regex(/^[0-9A-Za-z]{10,40}$/)),
  /** Unix time in milliseconds. */
  timestamp: z.number(),
  mode: z.optional(z.string()),
  replyToken: z.optional(z.string().check(z.maxLength(200))),
  source: z.object({
    type: z.string(),
    userId: z.optional(z.string().check(z.maxLength(100))),
    groupId: z.optional(z.string().check(z.maxLength(100))),
    roomId: z.optional(z.string().check(z.maxLength(100))),
  }),
  message: z.optional(z.object({ type: z.string(), text: z.optional(z.string()) })),
  postback: z.optional(z.object({ data: z.string().check(z.maxLength(300)) })),
  link: z.optional(z.object({ result: z.string(), nonce: z.string().check(z.maxLength(300)) })),
})
const bodySchema = z.object({ events: z.array(z.unknown()).check(z.maxLength(500)) })

export type LineEvent = {
  readonly id: string
  readonly type: (typeof EVENT_TYPES)[number]
  readonly replyToken?: string | undefined
  readonly person?: string | undefined
  readonly group?: string | undefined
  readonly text?: string | undefined
  readonly data?: string | undefined
  readonly nonce?: string | undefined
}

/** Older events are ignored. Event ids are kept for longer than this, so no event is processed twice. */
const MAX_AGE_MS = 3 * 86_400_000

/**
 * Returns the events to process, or undefined if the body is malformed. A correctly signed event may come from a newer
 * API version; if it cannot be read, only that event is skipped.
 */
export function parseLineEvents(body: string, now: Date): LineEvent[] | undefined {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    return undefined
  }
  const parsed = bodySchema.safeParse(json)
  if (!parsed.success) return undefined
  return parsed.data.events.flatMap((raw) => {
    const event = eventSchema.safeParse(raw)
    return event.success && isDue(event.data, now) ? [toLineEvent(event.data)] : []
  })
}

type RawEvent = z.output<typeof eventSchema>

/** In `standby` mode another module of the account replies, so the event is not ours. */
const isDue = ({ timestamp, mode }: RawEvent, now: Date) => mode !== 'standby' && now.getTime() - timestamp < MAX_AGE_MS

function toLineEvent({ type, webhookEventId, replyToken, source, message, postback, link }: RawEvent): LineEvent {
  return {
    id: webhookEventId,
    type,
    replyToken,
    person: source.userId,
    group: source.groupId ?? source.roomId,
    text: message?.type === 'text' ? message.text?.slice(0, MAX_TEXT_LENGTH) : undefined,
    data: postback?.data,
    nonce: link?.result === 'ok' ? link.nonce : undefined,
  }
}
