import type { DeadReason } from '#contract/account/webhook.ts'
import type { Posted } from '#server/platform/outgoing/post.ts'

/** What an answer means for its delivery, and for everything else that goes to the same webhook. */
export type Verdict = (
  | { readonly next: 'delivered' }
  | { readonly next: 'again'; readonly failure: string }
  | { readonly next: 'dead'; readonly reason: DeadReason }
) & {
  /** 410: nobody is there any more. */
  readonly isGone?: boolean
  /** Not the fault of this delivery: nothing else would arrive either. */
  readonly isAway?: boolean
  /** What the target asked for. */
  readonly restMs?: number | undefined
}

type Terms = { readonly isTest: boolean; readonly triesUntil: Date; readonly at: Date }

/** Longer than that nobody is waited for, whatever they ask. */
const LONGEST_REST_MS = 24 * 60 * 60_000

/** 2xx arrived; 410 ends the webhook; everything else is tried again until the three days of the delivery are over. A test is tried once. */
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

/** Kept with the job: no address, no name. */
function failureOf(posted: Posted): string {
  if (posted.kind === 'answered') return `HTTP ${posted.status}`
  return posted.kind === 'broken' ? posted.code : posted.kind
}

/** Too many, unavailable, a gateway without anybody behind it, or nobody at all. A 500 or 400 may be about this one event. */
function isAway(posted: Posted): boolean {
  return posted.kind !== 'answered' || [429, 502, 503, 504].includes(posted.status)
}

/** `Retry-After` (RFC 9110): seconds or a date; what cannot be read asks for nothing. */
function restOf(text: string | undefined, at: Date): number | undefined {
  if (text === undefined) return undefined
  const ms = /^\d{1,9}$/.test(text.trim()) ? Number(text) * 1_000 : Date.parse(text) - at.getTime()
  return ms > 0 ? Math.min(ms, LONGEST_REST_MS) : undefined
}
