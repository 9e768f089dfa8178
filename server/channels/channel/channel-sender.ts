import { DUE_TEXTS, type DueKind } from '#contract/catalogue/bid-state.ts'
import type { Channel, ChannelKind } from '#contract/channels/channel.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import type { Db } from '#server/platform/engine/db.ts'

/** Public project facts only: nothing that the organisation wrote about it. */
export type ChannelProject = {
  readonly id: string
  readonly name: string
  readonly agency: string
  /** Public budget in satang; null means unknown. */
  readonly budget: number | null
  readonly isStarred: boolean
}

export type ChannelItem = {
  readonly kind: ChannelKind
  /** Event text as in the bell: `ยื่นข้อเสนอ เหลือ 1 วัน`. */
  readonly text: string
  readonly detail: string
  /** Path within the product, starting with `/`. */
  readonly path: string
  /** Absent unless the organisation's report includes the project. */
  readonly project?: ChannelProject
}

/** `due`: which deadline is near; `closesOn`: its ISO date; `closesAt`: its time of day. */
export type MorningProject = ChannelProject & {
  readonly isNew: boolean
  readonly due: DueKind | null
  readonly closesOn: string | null
  readonly closesAt: string | null
}

export type Morning = {
  /** Bangkok, ISO. */
  readonly day: string
  readonly newCount: number
  readonly closingCount: number
  readonly commentCount: number
  /** At most three: nearest submission deadlines, then comment deadlines, then new projects. */
  readonly projects: readonly MorningProject[]
  readonly path: string
}

export type ChannelMessage = {
  /** UUID, stable across retries: serves as idempotency key for the provider. */
  readonly id: string
  readonly channel: Channel
  readonly userId: number
  readonly organisationId: number
  readonly morning: Morning | undefined
  /** Most urgent first; empty only if there is a morning summary. */
  readonly items: readonly ChannelItem[]
  readonly unread: number
  readonly at: Date
}

/**
 * Outcome of a send. `later`: the provider asked to retry at this time; not counted as a failure. `gone`: the user has
 * nothing connected any more, so the channel closes. `refused`: retries are useless; `failure` is stored, so it must
 * not contain personal data.
 */
export type SendResult =
  | { readonly kind: 'sent' }
  | { readonly kind: 'later'; readonly at: Date }
  | { readonly kind: 'gone' }
  | { readonly kind: 'refused'; readonly failure: string }

/**
 * Channel-specific delivery; subscriptions, quiet hours, grouping, retries and metrics are shared. `send` may be called
 * again with the same `id` after a worker was killed and must not show a message twice. It throws `JobFailure` (or
 * `ServiceAway`) to request a retry with backoff.
 */
export type ChannelSender = {
  readonly channel: Channel
  send(
    message: ChannelMessage,
    work: { readonly db: Db; readonly now: () => Date; readonly signal: AbortSignal },
  ): Promise<SendResult>
}

/** Formats the non-zero counts: `ใหม่ 9 · ใกล้ปิด 3`. */
export function morningCounts({ newCount, closingCount, commentCount }: MorningCounts): string {
  const counts = [
    ['ใหม่', newCount],
    [DUE_TEXTS.closing, closingCount],
    [DUE_TEXTS.comment, commentCount],
  ] as const
  return counts.flatMap(([word, count]) => (count > 0 ? [`${word} ${formatCount(count)}`] : [])).join(' · ')
}
type MorningCounts = Pick<Morning, 'newCount' | 'closingCount' | 'commentCount'>
