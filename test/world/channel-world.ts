import sql from 'sql-template-tag'
import type { Channel, ChannelWish } from '#contract/channels/channel.ts'
import { DEFAULT_CHANNEL_WISH } from '#contract/channels/channel.ts'
import type { ChannelMessage, ChannelSender, SendResult } from '#server/channels/channel/channel-sender.ts'
import { openChannel, saveChannelWish } from '#server/channels/channel/queries.ts'
import { channelJob } from '#server/jobs/channel-job.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { runDue } from '../jobs.ts'
import { mailParts } from './report-mail-world.ts'

/** Connects something of a user to a channel, with other wishes than those at first. */
export async function connect(
  db: Db,
  owner: { readonly userId: number; readonly organisationId: number },
  channel: Channel,
  wish: Partial<ChannelWish> = {},
): Promise<void> {
  await db.transaction(async (tx) => {
    await openChannel(tx, owner, channel)
    await saveChannelWish(tx, owner, channel, { ...DEFAULT_CHANNEL_WISH, ...wish })
  })
}

/** A sender that keeps what it is given and answers `answers` in turn, then `sent`. */
export function recordingSender(channel: Channel = 'line') {
  const sent: ChannelMessage[] = []
  const answers: (SendResult | Error)[] = []
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

/** Has one worker send what is due; answers how many runs that took. */
export function sendDue(db: Db, senders: readonly ChannelSender[], now: Date | (() => Date)): Promise<number> {
  return runDue(channelJob, { db, now, parts: { channels: { senders, reader: mailParts.reader } } })
}

export type StoredMessage = { kind: string; state: string; failure: string | null }

/** Rows of the outbox, oldest first. */
export function channelMessages(db: Db): Promise<StoredMessage[]> {
  return db.query(sql`select kind, state, failure from channel_messages order by id`)
}
