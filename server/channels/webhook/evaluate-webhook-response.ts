import type { DeadWebhookDeliveryReason } from '#contract/account/webhook.ts'
import type { OutgoingPostResult } from '#server/platform/outgoing/outgoing-post.ts'

export type WebhookDeliveryVerdict = (
  | { readonly next: 'delivered' }
  | { readonly next: 'again'; readonly failure: string }
  | { readonly next: 'dead'; readonly reason: DeadWebhookDeliveryReason }
) & {
  readonly isGone?: boolean
  readonly isUnavailable?: boolean
  readonly cooldownMs?: number | undefined
}

type Terms = { readonly isTest: boolean; readonly triesUntil: Date; readonly at: Date }

const MAX_COOLDOWN_MS = 24 * 60 * 60_000

/**
 * Decides what happens after an attempt: 2xx means delivered, 410 ends the webhook, and everything else is retried
 * until the delivery's three days are over. Tests are attempted once.
 */
export function evaluateWebhookResponse(
  posted: OutgoingPostResult,
  { isTest, triesUntil, at }: Terms,
): WebhookDeliveryVerdict {
  if (posted.kind === 'answered' && posted.status >= 200 && posted.status < 300) return { next: 'delivered' }
  if (isTest) return { next: 'dead', reason: 'test' }
  if (posted.kind === 'answered' && posted.status === 410) return { next: 'dead', reason: 'gone', isGone: true }
  const more = {
    isUnavailable: isUnavailable(posted),
    cooldownMs: posted.kind === 'answered' ? retryAfterMs(posted.retryAfter, at) : undefined,
  }
  if (at >= triesUntil) return { next: 'dead', reason: 'expired', ...more }
  return { next: 'again', failure: failureText(posted), ...more }
}

/** Describes a failure. The text is stored with the job, so it must not contain addresses or names. */
function failureText(posted: OutgoingPostResult): string {
  if (posted.kind === 'answered') return `HTTP ${posted.status}`
  return posted.kind === 'broken' ? posted.code : posted.kind
}

/**
 * True if the target is unavailable: it answered 429, 502, 503 or 504, or did not answer at all. A 500 or 400 may
 * concern only this event.
 */
function isUnavailable(posted: OutgoingPostResult): boolean {
  return posted.kind !== 'answered' || [429, 502, 503, 504].includes(posted.status)
}

/** Reads `Retry-After` (RFC 9110), in seconds or as a date. Ignored if unreadable. */
function retryAfterMs(text: string | undefined, at: Date): number | undefined {
  if (text === undefined) return undefined
  const ms = /^\d{1,9}$/.test(text.trim()) ? Number(text) * 1_000 : Date.parse(text) - at.getTime()
  return ms > 0 ? Math.min(ms, MAX_COOLDOWN_MS) : undefined
}
