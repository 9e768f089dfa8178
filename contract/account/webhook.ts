import { z } from 'zod/mini'

/** Addresses of an organisation's programs that are told what happens (decision 0127). */

export const MOST_WEBHOOKS = 10
/** A secret that was replaced signs beside the new one for so long. */
export const SECRET_OVERLAP_HOURS = 24
/** Deliveries and what became of them are kept for so long. */
export const DELIVERY_DAYS = 30
/** A delivery is tried again for so long. */
export const RETRY_DAYS = 3

/** What a webhook may be told. Those of `view` can be narrowed to a filter that the team shares. */
export const WEBHOOK_EVENTS = [
  { code: 'match.new', th: 'โครงการใหม่', hint: 'โครงการที่เพิ่งประกาศและตรงกับรายการติดตาม', view: true },
  {
    code: 'project.changed',
    th: 'โครงการเปลี่ยน',
    hint: 'กำหนดวัน งบ สถานะ หรือข้อมูลอื่นของโครงการในรายงานเปลี่ยน',
    view: true,
  },
  { code: 'project.winner', th: 'ประกาศผู้ชนะ', hint: 'โครงการในรายงานมีผู้ชนะ หรือผู้ชนะเปลี่ยน', view: true },
  { code: 'pursuit.stage', th: 'ขั้นงานเปลี่ยน', hint: 'งานของเราเริ่ม ย้ายขั้น หรือถูกเอาออก ไม่ส่งโน้ต ราคา หรือชื่อคน', view: false },
] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]['code']
const events = [
  'match.new',
  'project.changed',
  'project.winner',
  'pursuit.stage',
] as const satisfies readonly WebhookEvent[]
/** Sent by a press, to see that it arrives; tried once. */
export const TEST_EVENT = 'webhook.test'

export const DELIVERY_STATES = [
  { code: 'waiting', th: 'รอส่ง' },
  { code: 'delivered', th: 'ส่งถึงแล้ว' },
  { code: 'dead', th: 'ส่งไม่ถึง' },
] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]['code']
const states = ['waiting', 'delivered', 'dead'] as const satisfies readonly DeliveryState[]

/** Why nothing is tried any more. */
const reasons = ['expired', 'gone', 'off', 'paused', 'test', 'view', 'error'] as const
export type DeadReason = (typeof reasons)[number]

/** A try: a status, or why nobody answered (a rule of ours in words, `timeout`, or a code of the line). */
const attemptSchema = z.object({
  /** UTC ISO. */
  at: z.string(),
  status: z.nullable(z.number()),
  fault: z.nullable(z.string()),
  ms: z.number(),
  /** The first 4 kB of the answer. */
  answer: z.string(),
})
export type WebhookAttempt = z.output<typeof attemptSchema>

/** A view that the team shares. */
const viewSchema = z.object({ owner: z.number(), id: z.string() })

const webhookSchema = z.object({
  id: z.number(),
  name: z.string(),
  url: z.string(),
  events: z.array(z.enum(events)),
  /** Null: all projects of the report. `name` null: the view is shared no more, and nothing is sent of projects. */
  view: z.nullable(z.extend(viewSchema, { name: z.nullable(z.string()) })),
  is_on: z.boolean(),
  /** It paused itself: the target is gone (410), or failed for three days. */
  paused: z.nullable(z.object({ at: z.string(), reason: z.enum(['gone', 'failing']) })),
  /** The first failure since the last success. */
  failing_since: z.nullable(z.string()),
  /** Until then the secret before signs as well. */
  old_secret_until: z.nullable(z.string()),
  made_by: z.nullable(z.string()),
  created_at: z.string(),
  last: z.nullable(z.pick(attemptSchema, { at: true, status: true, fault: true })),
  /** Deliveries of the last 30 days by what became of them. */
  counts: z.object({ waiting: z.number(), delivered: z.number(), dead: z.number() }),
})
export type Webhook = z.output<typeof webhookSchema>

/** `GET /organisations/me/webhooks`, the newest first. `views`: what the team shares, to choose from. */
export const webhooksSchema = z.object({
  webhooks: z.array(webhookSchema),
  most: z.number(),
  views: z.array(z.extend(viewSchema, { name: z.string() })),
})
export type Webhooks = z.output<typeof webhooksSchema>

const fields = {
  name: z.string().check(z.trim(), z.minLength(1, 'ตั้งชื่อให้รู้ว่าโปรแกรมไหนรับ'), z.maxLength(80, 'ชื่อยาวได้ไม่เกิน 80 ตัวอักษร')),
  url: z.string().check(
    z.trim(),
    z.maxLength(1_000, 'ที่อยู่ยาวได้ไม่เกิน 1,000 ตัวอักษร'),
    z.refine((text) => URL.canParse(text), 'กรอกที่อยู่ให้ครบ เช่น https://example.com/hooks'),
  ),
  events: z.array(z.enum(events)).check(z.minLength(1, 'เลือกอย่างน้อยหนึ่งเหตุการณ์'), z.maxLength(events.length)),
  view: z.nullable(viewSchema),
}

/** `POST /organisations/me/webhooks`, of a session whose holder has just shown who they are: an open one alone sends data nowhere (R64). */
export const newWebhookSchema = z.object(fields)
export type NewWebhook = z.output<typeof newWebhookSchema>

/** Its answer, and that of a new secret: told this once. */
export const madeWebhookSchema = z.object({ id: z.number(), secret: z.string() })
export type MadeWebhook = z.output<typeof madeWebhookSchema>

/** `PATCH /organisations/me/webhooks/{id}`; what is not sent stays. Another address asks who holds the session (R64). Switched on, it is paused no more. */
export const webhookPatchSchema = z.partial(z.object({ ...fields, is_on: z.boolean() }))
export type WebhookPatch = z.output<typeof webhookPatchSchema>

const deliverySchema = z.object({
  /** `webhook-id` of every try. */
  id: z.string(),
  type: z.string(),
  project_id: z.nullable(z.string()),
  /** When it happened; UTC ISO. */
  at: z.string(),
  state: z.enum(states),
  reason: z.nullable(z.enum(reasons)),
  attempts: z.number(),
  /** Of one that waits: when it is tried next. */
  next_at: z.nullable(z.string()),
  last: z.nullable(z.pick(attemptSchema, { at: true, status: true, fault: true, ms: true })),
})
export type WebhookDelivery = z.output<typeof deliverySchema>

/** `GET /organisations/me/webhooks/{id}/deliveries`, 50 at a time, the newest first. `more`: what to send as `before` for the rest. */
export const deliveriesSchema = z.object({ deliveries: z.array(deliverySchema), more: z.nullable(z.string()) })
export type WebhookDeliveries = z.output<typeof deliveriesSchema>

/** `GET /organisations/me/webhooks/{id}/deliveries/{delivery}`: what is sent, byte for byte, and each try, the newest first. */
export const deliveryDetailSchema = z.extend(deliverySchema, { body: z.string(), tries: z.array(attemptSchema) })
export type WebhookDeliveryDetail = z.output<typeof deliveryDetailSchema>

/** `POST /organisations/me/webhooks/{id}/resend`: all that did not arrive since a moment (UTC ISO). */
export const resendSchema = z.object({
  since: z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)), 'เลือกวันที่')),
})
export const resentSchema = z.object({ resent: z.number() })
