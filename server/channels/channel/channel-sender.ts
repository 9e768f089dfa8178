import type { NearDeadlineKind } from '#contract/catalogue/bid-state.ts'
import type { ChannelMessageKind, NotificationChannel } from '#contract/channels/channel.ts'
import type { MorningFigures } from '#contract/report/morning-queue.ts'
import type { Db } from '#server/platform/engine/db.ts'

/** Public facts about a project, and nothing that the organisation wrote about it. */
export type ChannelMessageProject = {
  readonly id: string
  readonly name: string
  readonly agency: string
  /** Public budget in satang; null means unknown. */
  readonly budget: number | null
  readonly isStarred: boolean
  readonly isActionable: boolean
}

export type ChannelMessageItem = {
  readonly kind: ChannelMessageKind
  readonly text: string
  readonly detail: string
  readonly path: string
  /** Absent when the organisation's report does not include the project. */
  readonly project?: ChannelMessageProject
}

/**
 * Project of the morning summary. `due` states which deadline is near, `closesOn` its ISO date and `closesAt` its time
 * of day.
 */
export type MorningSummaryProject = ChannelMessageProject & {
  readonly isNew: boolean
  readonly due: NearDeadlineKind | null
  readonly closesOn: string | null
  readonly closesAt: string | null
}

export type MorningSummary = {
  /** ISO date in Bangkok. */
  readonly day: string
  readonly figures: MorningFigures
  readonly week?: string | undefined
  /** At most three: nearest submission deadlines, then comment deadlines, then new projects. */
  readonly projects: readonly MorningSummaryProject[]
  readonly path: string
}

export type ChannelMessage = {
  /** UUID that is the same across retries, so it serves as the provider's idempotency key. */
  readonly id: string
  readonly channel: NotificationChannel
  readonly userId: number
  readonly organisationId: number
  readonly morning: MorningSummary | undefined
  /** Most urgent first; empty only if there is a morning summary. */
  readonly items: readonly ChannelMessageItem[]
  readonly unread: number
  readonly at: Date
}

/**
 * Outcome of sending a message. `later`: the provider asked us to retry at this time; not counted as a failure. `gone`:
 * the user has nothing connected any more, so the channel is closed. `refused`: retrying is useless; `failure` is
 * stored, so it must not contain personal data.
 */
export type ChannelSendResult =
  | { readonly kind: 'sent' }
  | { readonly kind: 'later'; readonly at: Date }
  | { readonly kind: 'gone' }
  | { readonly kind: 'refused'; readonly failure: string }

/**
 * Channel-specific delivery; subscriptions, quiet hours, grouping, retries and metrics are shared code. `send` may be
 * called again with the same `id` after a worker was killed and must not show a message twice. It throws `JobFailedError`
 * (or `ExternalServiceUnavailableError`) to request a retry with backoff.
 */
export type ChannelSender = {
  readonly channel: NotificationChannel
  send(
    message: ChannelMessage,
    work: { readonly db: Db; readonly now: () => Date; readonly signal: AbortSignal },
  ): Promise<ChannelSendResult>
}
