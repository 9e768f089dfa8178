import type { DeadReason } from '#contract/account/webhook.ts'
import type { Posted } from '#server/platform/outgoing/post.ts'

export type Verdict = (
  | { readonly next: 'delivered' }
  | { readonly next: 'again'; readonly failure: string }
  | { readonly next: 'dead'; readonly reason: DeadReason }
) & {
  readonly isGone?: boolean
  /** The target as a whole is unavailable; other deliveries would fail too. */
  readonly isAway?: boolean
  readonly restMs?: number | undefined
}

type Terms = { readonly isTest: boolean; readonly triesUntil: Date; readonly at: Date }

/** Maximum delay, whatever the target requests. */
const LONGEST_REST_MS = 24 * 60 * 60_000

/**
 * 2xx means delivered; 410 ends the webhook; everything else is retried until the delivery's three days are over. Tests
 * are attempted once.
 */
export function judge(posted: Posted, { isTest, triesUntil, at }: Terms): Verdict {
  if (posted.kind === 'answered' && posted.status >= 200 && posted.status < 300) return { next: 'delivered' }
  if (isTest) return { next: 'dead', reason: 'test' }
  if (posted.kind === 'answered' && posted.status === 410) return { next: 'dead', reason: 'gone', isGone: true }
  const more = {
    isAway: isAway(posted),
    restMs: posted.kind === 'answered' ? restOf(posted.retryAfter, at) : undefined,
  }
  if (at >= triesUntil) return { next: 'dead', reason: 'expired', ...more }
  return { next: 'again', failure: failureOf(posted), ...more }
}

/** Stored with the job, so it must not contain addresses or names. */
function failureOf(posted: Posted): string {
  if (posted.kind === 'answered') return `HTTP ${posted.status}`
  return posted.kind === 'broken' ? posted.code : posted.kind
}

/** 429, unavailable, bad gateway or no response at all. A 500 or 400 may concern only this event. */
function isAway(posted: Posted): boolean {
  return posted.kind !== 'answered' || [429, 502, 503, 504].includes(posted.status)
}

/** `Retry-After` (RFC 9110): seconds or a date; ignored if unreadable. */
function restOf(text: string | undefined, at: Date): number | undefined {
  if (text === undefined) return undefined
  const ms = /^\d{1,9}$/.test(text.trim()) ? Number(text) * 1_000 : Date.parse(text) - at.getTime()
  return ms > 0 ? Math.min(ms, LONGEST_REST_MS) : undefined
}
