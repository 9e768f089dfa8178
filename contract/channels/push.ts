import { z } from 'zod/mini'

/** Browsers of one user; a further one takes the place of the one that was told longest ago. */
export const MOST_PUSH_DEVICES = 10

/** `GET /users/me/push`: the key that a browser subscribes with, and where the user is told. Moments are UTC ISO. */
export const pushSchema = z.object({
  public_key: z.string(),
  devices: z.array(
    z.object({
      id: z.string(),
      /** `Chrome บน Android` */
      name: z.string(),
      created_at: z.string(),
      /** When its push service took a message last; null: never. */
      told_at: z.nullable(z.string()),
      /** When its push service refused the last message for good, and what to do; absent: it did not. */
      refused: z.optional(z.object({ at: z.string(), text: z.string() })),
    }),
  ),
})
export type Push = z.output<typeof pushSchema>
export type PushDevice = Push['devices'][number]

const key = (length: number) => z.string().check(z.regex(/^[A-Za-z0-9_-]+$/), z.maxLength(length), z.minLength(length))

/** A subscription as `PushSubscription.toJSON()` has it: base64url without padding, 65 and 16 bytes. */
export const pushSubscriptionSchema = z.object({
  endpoint: z.string().check(z.url(), z.maxLength(1_000)),
  keys: z.object({ p256dh: key(87), auth: key(22) }),
})
export type PushAddress = z.output<typeof pushSubscriptionSchema>

/** Answer of `PUT /users/me/push/devices`. `secret`: the worker says by it that its address has changed; told once. */
export const pushDeviceAddedSchema = z.object({ ...pushSchema.shape, id: z.string(), secret: z.string() })

/** Body of `POST /push-renewals`, which needs no session: the worker has none. */
export const pushRenewalSchema = z.object({
  secret: z.string().check(z.maxLength(100)),
  ...pushSubscriptionSchema.shape,
})

/** Answer of `POST /users/me/push/devices/{id}/sample`. `failed`: the push service did not take it, `text` says why. */
export const pushSampleSchema = z.object({ result: z.enum(['sent', 'gone', 'failed']), text: z.string() })
export type PushSample = z.output<typeof pushSampleSchema>

/** What a push message holds: public facts alone. The worker shows it (src/worker/push-events.ts); a field that it does not know is passed over. */
export type PushPayload = {
  /** Of the message: shown twice it stands once. */
  readonly id: string
  readonly title: string
  readonly body: string
  /** Where a press leads, from `/`. */
  readonly path: string
  /** Unread notifications, for the badge on the icon. */
  readonly unread: number
  /** When it was put together, ms. */
  readonly at: number
  /** Tokens of `POST /mail-links`, each for one use: of one project that is neither starred nor hidden. */
  readonly star?: string
  readonly hide?: string
}
