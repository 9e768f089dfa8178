import { z } from 'zod/mini'

/**
 * Limits, requests and responses of webhooks: outgoing event notifications to an organisation's programs (decision
 * 0127).
 */

export const MAX_WEBHOOKS = 10
export const WEBHOOK_SECRET_OVERLAP_HOURS = 24
export const WEBHOOK_DELIVERY_RETENTION_DAYS = 30
export const WEBHOOK_RETRY_DAYS = 3

/** Events with `view` can be restricted to a shared team filter. */
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
const events = WEBHOOK_EVENTS.map(({ code }) => code)
export const TEST_WEBHOOK_EVENT = 'webhook.test'

export const WEBHOOK_DELIVERY_STATES = [
  { code: 'waiting', th: 'รอส่ง' },
  { code: 'delivered', th: 'ส่งถึงแล้ว' },
  { code: 'dead', th: 'ส่งไม่ถึง' },
] as const
export type WebhookDeliveryState = (typeof WEBHOOK_DELIVERY_STATES)[number]['code']
const states = WEBHOOK_DELIVERY_STATES.map(({ code }) => code)

const reasons = ['expired', 'gone', 'off', 'paused', 'test', 'view', 'error'] as const
export type DeadWebhookDeliveryReason = (typeof reasons)[number]

/**
 * `fault` explains why there was no response: a sentence that names our rule that blocked the request, `timeout`, or a
 * network error code.
 */
const attemptSchema = z.object({
  at: z.string(),
  status: z.nullable(z.number()),
  fault: z.nullable(z.string()),
  ms: z.number(),
  /** First 4 kB of the target's response body. */
  answer: z.string(),
})
export type WebhookDeliveryAttempt = z.output<typeof attemptSchema>

const viewSchema = z.object({ owner: z.number(), id: z.string() })

const webhookSchema = z.object({
  id: z.number(),
  name: z.string(),
  url: z.string(),
  events: z.array(z.enum(events)),
  /**
   * View that restricts the events; null sends all projects of the report. If `name` is null, the view is no longer
   * shared and no project events are sent.
   */
  view: z.nullable(z.extend(viewSchema, { name: z.nullable(z.string()) })),
  is_on: z.boolean(),
  /** Set when deliveries were paused automatically: the target answered 410 or kept failing for three days. */
  paused: z.nullable(z.object({ at: z.string(), reason: z.enum(['gone', 'failing']) })),
  failing_since: z.nullable(z.string()),
  old_secret_until: z.nullable(z.string()),
  made_by: z.nullable(z.string()),
  created_at: z.string(),
  last: z.nullable(z.pick(attemptSchema, { at: true, status: true, fault: true })),
  /** Deliveries of the last 30 days by state. */
  counts: z.object({ waiting: z.number(), delivered: z.number(), dead: z.number() }),
})
export type Webhook = z.output<typeof webhookSchema>

/** `GET /organisations/me/webhooks`, newest first. `views` are the team's shared views to choose from. */
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

/**
 * `POST /organisations/me/webhooks`. Requires a recent proof of identity, so that a hijacked session cannot send data
 * elsewhere (R64).
 */
export const newWebhookSchema = z.object(fields)
export type NewWebhook = z.output<typeof newWebhookSchema>

/** Response to creating a webhook or replacing its secret; no other response contains the secret. */
export const createdWebhookSchema = z.object({ id: z.number(), secret: z.string() })
export type CreatedWebhook = z.output<typeof createdWebhookSchema>

/**
 * `PATCH /organisations/me/webhooks/{id}`. Absent fields stay unchanged. A new URL requires a proof of identity (R64);
 * `is_on: true` ends a pause.
 */
export const webhookPatchSchema = z.partial(z.object({ ...fields, is_on: z.boolean() }))
export type WebhookPatch = z.output<typeof webhookPatchSchema>

const deliverySchema = z.object({
  /** Value of the `webhook-id` header, the same for every attempt. */
  id: z.string(),
  type: z.string(),
  project_id: z.nullable(z.string()),
  at: z.string(),
  state: z.enum(states),
  reason: z.nullable(z.enum(reasons)),
  attempts: z.number(),
  next_at: z.nullable(z.string()),
  last: z.nullable(z.pick(attemptSchema, { at: true, status: true, fault: true, ms: true })),
})
export type WebhookDelivery = z.output<typeof deliverySchema>

/**
 * `GET /organisations/me/webhooks/{id}/deliveries`, 50 per page, newest first. Pass `more` as the `before` parameter to
 * get the next page.
 */
export const webhookDeliveriesSchema = z.object({ deliveries: z.array(deliverySchema), more: z.nullable(z.string()) })

/** `GET /organisations/me/webhooks/{id}/deliveries/{delivery}`: the exact body, and all attempts, newest first. */
export const webhookDeliveryDetailSchema = z.extend(deliverySchema, { body: z.string(), tries: z.array(attemptSchema) })

/** `POST /organisations/me/webhooks/{id}/resend`: resends everything undelivered since a time (UTC ISO). */
export const webhookResendRequestSchema = z.object({
  since: z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)), 'เลือกวันที่')),
})
export const webhookResendResponseSchema = z.object({ resent: z.number() })
