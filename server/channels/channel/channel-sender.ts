import { DUE_TEXTS, type DueKind } from '#contract/catalogue/bid-state.ts'
import type { Channel, ChannelKind } from '#contract/channels/channel.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import type { Db } from '#server/platform/engine/db.ts'

/** A project as strangers may see it: nothing of what the organisation wrote about it. */
export type ChannelProject = {
  readonly id: string
  readonly name: string
  readonly agency: string
  /** Public budget, satang; null: not told. */
  readonly budget: number | null
  readonly isStarred: boolean
}

/** One thing that is told. */
export type ChannelItem = {
  readonly kind: ChannelKind
  /** What happened, as the bell says it: `ยื่นข้อเสนอ เหลือ 1 วัน`. */
  readonly text: string
  /** What it is about: name of the project, of the file, of the person. */
  readonly detail: string
  /** Where it leads in the product, from `/`. */
  readonly path: string
  /** Absent where it is about none that the organisation's report holds. */
  readonly project?: ChannelProject
}

/** A project of the morning; `due`: which deadline is near, `closesOn`: its ISO date, `closesAt`: hour of that day. */
export type MorningProject = ChannelProject & {
  readonly isNew: boolean
  readonly due: DueKind | null
  readonly closesOn: string | null
  readonly closesAt: string | null
}

/** The summary of a morning. */
export type Morning = {
  /** Bangkok, ISO. */
  readonly day: string
  readonly newCount: number
  readonly closingCount: number
  readonly commentCount: number
  /** Three at most: those that close first, then near ends of comments, then new ones. */
  readonly projects: readonly MorningProject[]
  /** The report with just these projects. */
  readonly path: string
}

/** All that waits for a user in a channel, as one message. */
export type ChannelMessage = {
  /** A UUID, the same for each try: the retry key of what goes out. */
  readonly id: string
  readonly channel: Channel
  readonly userId: number
  readonly organisationId: number
  readonly morning: Morning | undefined
  /** The most urgent first; with the morning never both empty. */
  readonly items: readonly ChannelItem[]
  /** Unread notifications of the bell, for a badge. */
  readonly unread: number
  /** When it was put together. */
  readonly at: Date
}

/**
 * What became of a message. `sent`: the other side has it. `later`: it says when to come again, which is no failed try. `gone`: nothing of the user is
 * connected any more, the channel closes. `refused`: no later try would go better; `failure` is stored, so it holds nothing personal.
 */
export type SendResult =
  | { readonly kind: 'sent' }
  | { readonly kind: 'later'; readonly at: Date }
  | { readonly kind: 'gone' }
  | { readonly kind: 'refused'; readonly failure: string }

/**
 * A channel's own part: everything else (who wants what, quiet hours, grouping, tries, figures) is the same for all. `send` may be called again with the same `id` after a
 * worker was killed in the middle, and must not show the user a message twice. It throws `JobFailure` (or `ServiceAway`) for what should be tried again with growing delay.
 */
export type ChannelSender = {
  readonly channel: Channel
  send(
    message: ChannelMessage,
    work: { readonly db: Db; readonly now: () => Date; readonly signal: AbortSignal },
  ): Promise<SendResult>
}

/** Returns the counts of a morning in words, without those that are 0: `ใหม่ 9 · ใกล้ปิด 3`. */
export function morningCounts({ newCount, closingCount, commentCount }: MorningCounts): string {
  const counts = [
    ['ใหม่', newCount],
    [DUE_TEXTS.closing, closingCount],
    [DUE_TEXTS.comment, commentCount],
  ] as const
  return counts.flatMap(([word, count]) => (count > 0 ? [`${word} ${formatCount(count)}`] : [])).join(' · ')
}
type MorningCounts = Pick<Morning, 'newCount' | 'closingCount' | 'commentCount'>
