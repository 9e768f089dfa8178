import type { NotificationChannel } from '#contract/channels/channel.ts'
import type { ChannelSender, ChannelSendResult } from '#server/channels/channel/channel-sender.ts'
import { composeChannelMessage } from '#server/channels/channel/compose-channel-message.ts'
import { findNextDeliveryTime } from '#server/channels/channel/delivery-hours.ts'
import {
  claimChannelMessageBatch,
  disableNotificationChannel,
  findChannelRecipient,
  NOTIFICATION_CHANNEL_JOB_TYPE,
  pruneChannelMessages,
  recordChannelMessageBatchOutcome,
  settleWaitingChannelMessages,
} from '#server/channels/channel/queries.ts'
import { enqueueSingleJob } from '#server/platform/queue/enqueue-jobs.ts'
import { defineJob, JobPostponedError } from '#server/platform/queue/job.ts'
import type { ReportMailDependencies } from '#server/report/mail/compose-report-mail.ts'

export type NotificationChannelJobDependencies = {
  readonly senders: readonly ChannelSender[]
  readonly reader: ReportMailDependencies['reader']
}

/**
 * Retry interval for a channel that the operator switched off. Queued messages stay useful for a week, so it is worth
 * waiting.
 */
const DISABLED_RETRY_MS = 60 * 60 * 1000

/**
 * Sends everything queued for a user in one channel as a single message. Before sending, the batch gets an id and its
 * rows are bound to it; they are settled in the transaction that finishes the job. So a kill at any point loses
 * nothing, and a resent message has the same id. Quiet hours postpone the job.
 */
export const notificationChannelJob = defineJob<
  { channel: NotificationChannel; user: number },
  { readonly channels: NotificationChannelJobDependencies }
>({
  ...NOTIFICATION_CHANNEL_JOB_TYPE,
  concurrency: 4,
  maxAttempts: 15,
  backoff: { firstMs: 5_000, maxMs: 30 * 60 * 1000 },
  retentionDays: 7,
  diesQuietly: true,
  merge: (payloads) => payloads[0]!,
  async run({ db, parts, now, finish, signal, ...job }, { channel, user: userId }) {
    const at = now()
    const recipient = { userId, channel }
    const drop = (failure: string) =>
      db.transaction(async (tx) => {
        await finish(tx)
        await settleWaitingChannelMessages(tx, recipient, { state: 'dropped', failure }, at)
        return { ...recipient, dropped: failure }
      })
    const receiver = await findChannelRecipient(db, userId, channel)
    if (!receiver?.isNotifiable) return await drop('not notifiable')
    if (!receiver.is_on) return await drop('not connected')
    const sender = parts.channels.senders.find((candidate) => candidate.channel === channel)
    if (!sender) throw new JobPostponedError(new Date(at.getTime() + DISABLED_RETRY_MS))
    const sendableAt = findNextDeliveryTime(receiver, at)
    if (sendableAt > at) throw new JobPostponedError(sendableAt)
    const rows = await claimChannelMessageBatch(db, userId, channel, at)
    if (rows.length === 0) return
    const message = await composeChannelMessage(db, parts.channels.reader, receiver, rows, at)
    const result = message ? await sender.send(message, { db, now, signal }) : undefined
    if (result?.kind === 'later') throw new JobPostponedError(result.at)
    return await db.transaction(async (tx) => {
      await finish(tx)
      const hasMore = await recordChannelMessageBatchOutcome(
        tx,
        { ...recipient, batch: rows[0]!.batch },
        outcomeOf(result),
        now(),
      )
      if (result?.kind === 'gone') {
        await disableNotificationChannel(tx, userId, channel)
        await settleWaitingChannelMessages(tx, recipient, { state: 'dropped', failure: 'not connected' }, now())
      } else if (hasMore) {
        await enqueueSingleJob(tx, NOTIFICATION_CHANNEL_JOB_TYPE, {
          ...{ key: job.key, payload: { channel, user: userId }, at: now(), userId },
          organisationId: receiver.organisationId,
        })
      }
      return { ...recipient, messages: rows.length, result: result?.kind ?? 'nothing' }
    })
  },
  died: async (tx, { channel, user: userId }, at) =>
    await settleWaitingChannelMessages(tx, { userId, channel }, { state: 'failed', failure: 'too many attempts' }, at),
  prune: pruneChannelMessages,
})

function outcomeOf(result: Exclude<ChannelSendResult, { kind: 'later' }> | undefined) {
  if (result === undefined) return { state: 'dropped', failure: 'nothing to send' } as const
  if (result.kind === 'sent') return { state: 'sent' } as const
  if (result.kind === 'gone') return { state: 'dropped', failure: 'gone' } as const
  return { state: 'failed', failure: result.failure } as const
}
