import { z } from 'zod/mini'

/** Maximum push devices per user. Adding another device replaces the one whose last message is oldest. */
export const MAX_PUSH_DEVICES = 10

/** `GET /users/me/push`: VAPID key for subscriptions, and the user's devices. Times are UTC ISO. */
export const pushNotificationStateSchema = z.object({
  public_key: z.string(),
  devices: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      created_at: z.string(),
      told_at: z.nullable(z.string()),
      /** Set when the push service permanently rejected the last message; `text` tells the user what to do. */
      refused: z.optional(z.object({ at: z.string(), text: z.string() })),
    }),
  ),
})
export type PushNotificationState = z.output<typeof pushNotificationStateSchema>
export type PushDevice = PushNotificationState['devices'][number]

const key = (length: number) => z.string().check(z.regex(/^[A-Za-z0-9_-]+$/), z.maxLength(length), z.minLength(length))

/** Result of `PushSubscription.toJSON()`. The keys are base64url without padding and decode to 65 and 16 bytes. */
export const pushSubscriptionSchema = z.object({
  endpoint: z.string().check(z.url(), z.maxLength(1_000)),
  keys: z.object({ p256dh: key(87), auth: key(22) }),
})
export type BrowserPushSubscription = z.output<typeof pushSubscriptionSchema>

/**
 * Response of `PUT /users/me/push/devices`. The service worker reports a changed push URL with `secret`, which is
 * returned only once.
 */
export const addedPushDeviceSchema = z.object({
  ...pushNotificationStateSchema.shape,
  id: z.string(),
  secret: z.string(),
})

/** Body of `POST /push-renewals`, which requires no session because the service worker has none. */
export const pushSubscriptionRenewalSchema = z.object({
  secret: z.string().check(z.maxLength(100)),
  ...pushSubscriptionSchema.shape,
})

/**
 * Response of `POST /users/me/push/devices/{id}/sample`. `failed`: the push service rejected the message; `text` is the
 * reason.
 */
export const testPushResultSchema = z.object({ result: z.enum(['sent', 'gone', 'failed']), text: z.string() })
export type TestPushResult = z.output<typeof testPushResultSchema>

/**
 * Push message with public facts only. The service worker displays it (src/worker/push-events.ts) and ignores fields
 * that it does not support. A message with the same `id` replaces the displayed one.
 */
export type PushPayload = {
  readonly id: string
  readonly title: string
  readonly body: string
  readonly path: string
  readonly unread: number
  readonly at: number
  /**
   * Tokens for `POST /mail-links`. `star` and `hide` work once; `star` is absent if the project is starred. Projects that
   * still take bids have the three answers instead of `hide`.
   */
  readonly star?: string
  readonly hide?: string
  readonly relevant?: string
  readonly irrelevant?: string
  readonly seen?: string
}
