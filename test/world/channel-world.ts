import sql from 'sql-template-tag'
import type { ChannelPreferences, NotificationChannel } from '#contract/channels/channel.ts'
import { DEFAULT_CHANNEL_PREFERENCES } from '#contract/channels/channel.ts'
import type { ChannelMessage, ChannelSender, ChannelSendResult } from '#server/channels/channel/channel-sender.ts'
import { enableNotificationChannel, storeChannelPreferences } from '#server/channels/channel/queries.ts'
import { notificationChannelJob } from '#server/jobs/channel-job.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { runDue } from '../jobs.ts'
import { reportMailDependencies } from './report-mail-world.ts'

export async function connectTestChannel(
  db: Db,
  owner: { readonly userId: number; readonly organisationId: number },
  channel: NotificationChannel,
  wish: Partial<ChannelPreferences> = {},
): Promise<void> {
  await db.transaction(async (tx) => {
    await enableNotificationChannel(tx, owner, channel)
    await storeChannelPreferences(tx, owner, channel, { ...DEFAULT_CHANNEL_PREFERENCES, ...wish })
  })
}

/** Returns a sender that records its messages. Its results are `answers` in turn, then `sent`. */
export function createRecordingSender(channel: NotificationChannel = 'line') {
  const sent: ChannelMessage[] = []
  const answers: (ChannelSendResult | Error)[] = []
  const sender: ChannelSender = {
    channel,
    async send(message) {
      sent.push(message)
      const answer = answers.shift() ?? { kind: 'sent' }
      if (answer instanceof Error) throw answer
      return answer
    },
  }
  return { sender, sent, answers }
}

export function sendDueMessages(db: Db, senders: readonly ChannelSender[], now: Date | (() => Date)): Promise<number> {
  return runDue(notificationChannelJob, {
    db,
    now,
    parts: { channels: { senders, reader: reportMailDependencies.reader } },
  })
}

type StoredMessage = { kind: string; state: string; failure: string | null }

export function listChannelMessages(db: Db): Promise<StoredMessage[]> {
  return db.query(sql`select kind, state, failure from channel_messages order by id`)
}
