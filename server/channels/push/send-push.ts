import webPush from 'web-push'
import type { PushPayload } from '#contract/channels/push.ts'
import { stripDirectionMarks } from '#contract/direction-marks.ts'
import { truncate } from '#contract/truncate.ts'
import type { OutgoingPostFn } from '#server/platform/outgoing/outgoing-post.ts'
import type { PushTargetDevice } from './queries.ts'

/**
 * Key pair that identifies us to push services (VAPID, RFC 8292), in base64url. `subject` is a contact: a `mailto:` or
 * `https:` URL.
 */
export type PushKeys = { readonly publicKey: string; readonly privateKey: string; readonly subject: string }

export type PushDependencies = { readonly keys: PushKeys; readonly post: OutgoingPostFn }

export type PushOptions = {
  /** Seconds for which the push service stores the message for an offline device. */
  readonly ttl: number
  readonly urgency: 'low' | 'normal' | 'high'
  /** A later message with the same topic replaces an undelivered one. At most 32 base64url characters. */
  readonly topic: string
}

/** Response of a push service. `later` means retry at this time; `failure` is a status code or kind of error. */
export type PushResult =
  | { readonly kind: 'taken' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'later'; readonly at: Date; readonly failure: string }
  | { readonly kind: 'failed'; readonly failure: string }
  | { readonly kind: 'refused'; readonly failure: string }

const MAX_RETRY_DELAY_MS = 24 * 60 * 60 * 1000
const DEFAULT_RETRY_DELAY_MS = 60_000

/** Maximum payload. Push services accept 4,096 bytes (RFC 8030); encryption takes the rest. */
const MAX_PAYLOAD_BYTES = 3_900

/**
 * Sends one message to one browser, end-to-end encrypted (RFC 8291, aes128gcm): the push service sees only the
 * message's length and time. Rejects only if the signal aborts.
 */
export async function sendPush(
  { keys, post }: PushDependencies,
  device: Pick<PushTargetDevice, 'endpoint' | 'p256dh' | 'auth'>,
  payload: PushPayload,
  options: PushOptions & { readonly now: Date; readonly signal: AbortSignal },
): Promise<PushResult> {
  const result = await attempt({ keys, post }, device, truncatePushPayload(payload), options)
  // The push service has a lower size limit, so retry with the smallest payload.
  if (result.kind !== 'refused' || result.failure !== '413') return result
  return attempt({ keys, post }, device, { ...shortest(payload), body: '' }, options)
}

/** Maximum title length; phones show only about 40 characters. */
const MAX_TITLE = 120

const isFitting = (payload: PushPayload) => Buffer.byteLength(JSON.stringify(payload)) <= MAX_PAYLOAD_BYTES

export function truncatePushPayload(payload: PushPayload): PushPayload {
  if (isFitting(payload)) return payload
  const title = truncate(payload.title, MAX_TITLE)
  const variants = [
    { ...payload, title },
    { ...shortest(payload), title },
    { ...shortest(payload), title, path: '/report' },
  ]
  const base = variants.find((variant) => isFitting({ ...variant, body: '' })) ?? variants.at(-1)!
  let [low, high] = [0, [...payload.body].length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (isFitting({ ...base, body: truncate(payload.body, middle) })) low = middle
    else high = middle - 1
  }
  return { ...base, body: low === 0 ? '' : truncate(payload.body, low) }
}

const shortest = ({
  star: _star,
  hide: _hide,
  relevant: _relevant,
  irrelevant: _irrelevant,
  seen: _seen,
  ...payload
}: PushPayload): PushPayload => payload

async function attempt(
  { keys, post }: PushDependencies,
  { endpoint, p256dh, auth }: Pick<PushTargetDevice, 'endpoint' | 'p256dh' | 'auth'>,
  payload: PushPayload,
  { ttl, urgency, topic, now, signal }: PushOptions & { readonly now: Date; readonly signal: AbortSignal },
): Promise<PushResult> {
  let request: { headers: Readonly<Record<string, string>>; body: Buffer }
  try {
    const details = webPush.generateRequestDetails(
      { endpoint, keys: { p256dh, auth } },
      stripDirectionMarks(JSON.stringify(payload)),
      {
        vapidDetails: keys,
        TTL: ttl,
        ...{ urgency, topic, contentEncoding: 'aes128gcm' },
      },
    )
    request = { headers: details.headers as Record<string, string>, body: details.body as Buffer }
  } catch {
    // The browser's public key is invalid, so the browser could not decrypt any message.
    return { kind: 'gone' }
  }
  const response = await post(new URL(endpoint), { ...request, signal })
  if (response.kind === 'forbidden') return { kind: 'gone' }
  if (response.kind === 'timeout') return { kind: 'failed', failure: 'timeout' }
  if (response.kind === 'broken') return { kind: 'failed', failure: response.code }
  const { status, retryAfter } = response
  const failure = String(status)
  if (status >= 200 && status < 300) return { kind: 'taken' }
  if (status === 404 || status === 410) return { kind: 'gone' }
  if (status === 429 || (status === 503 && retryAfter !== undefined))
    return { kind: 'later', at: retryAt(retryAfter, now), failure }
  return { kind: status >= 500 || status === 408 ? 'failed' : 'refused', failure }
}

/** Reads Retry-After, in seconds or as a date. Defaults to a minute; at most a day. */
function retryAt(retryAfter: string | undefined, now: Date): Date {
  const requestedMs = /^\d{1,9}$/.test(retryAfter ?? '')
    ? Number(retryAfter) * 1000
    : Date.parse(retryAfter ?? '') - now.getTime()
  const ms = Number.isFinite(requestedMs)
    ? Math.min(Math.max(requestedMs, 1000), MAX_RETRY_DELAY_MS)
    : DEFAULT_RETRY_DELAY_MS
  return new Date(now.getTime() + ms)
}
