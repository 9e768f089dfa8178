import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { z } from 'zod/mini'
import {
  type ChannelPreferences,
  DEFAULT_CHANNEL_PREFERENCES,
  NOTIFICATION_CHANNELS,
  type NotificationChannel,
  type NotificationChannels,
} from '#contract/channels/channel.ts'
import { IS_NOTIFIABLE_USER_SQL } from '#server/account/notification/queries.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { JobType } from '#server/platform/queue/job.ts'

const payload = z.object({ channel: z.enum(NOTIFICATION_CHANNELS), user: z.number() })
/**
 * Sends everything due for a user in a channel as one message. Example of a job key: `push:7`. The trigger of migration
 * 0091 also enqueues this job.
 */
export const NOTIFICATION_CHANNEL_JOB_TYPE: JobType<z.output<typeof payload>> = { kind: 'channel', payload }

type ChannelOwner = { readonly userId: number; readonly organisationId: number }
type ChannelSetting = NotificationChannels['channels'][number]

const COLUMNS = sql`s.channel, s.is_on, s.kinds, s.quiet_from, s.quiet_until, s.working_days_only, s.filters`

export async function loadNotificationChannelSettings(
  db: Db,
  userId: number,
  channels: readonly NotificationChannel[],
): Promise<ChannelSetting[]> {
  const rows = await db.query<ChannelSetting>(
    sql`select ${COLUMNS} from channel_settings s where s.user_id = ${userId}::int`,
  )
  return channels.map(
    (channel) =>
      rows.find((row) => row.channel === channel) ?? { channel, is_on: false, ...DEFAULT_CHANNEL_PREFERENCES },
  )
}

export async function storeChannelPreferences(
  tx: Db,
  { userId, organisationId }: ChannelOwner,
  channel: NotificationChannel,
  { kinds, quiet_from, quiet_until, working_days_only, filters }: ChannelPreferences,
): Promise<void> {
  await tx.execute(sql`
    insert into channel_settings (user_id, organisation_id, channel, is_on, kinds, quiet_from, quiet_until, working_days_only, filters)
    values (${userId}::int, ${organisationId}::int, ${channel}, false, ${[...new Set(kinds)]}::text[], ${quiet_from}, ${quiet_until},
      ${working_days_only}::boolean, ${
        filters === null
          ? sql`null`
          : sql`array(
        select f.id from saved_filters f where f.user_id = ${userId}::int and f.id = any (${[...filters]}::text[]) order by f.created_at, f.id)`
      })
    on conflict (user_id, channel) do update set kinds = excluded.kinds, quiet_from = excluded.quiet_from, quiet_until = excluded.quiet_until,
      working_days_only = excluded.working_days_only, filters = excluded.filters`)
}

/**
 * Enables the channel; only events from now on are sent. Call as superuser or as the user, in the transaction that
 * stores the connection.
 */
export async function enableNotificationChannel(
  tx: Db,
  { userId, organisationId }: ChannelOwner,
  channel: NotificationChannel,
): Promise<void> {
  const { kinds, quiet_from, quiet_until, working_days_only } = DEFAULT_CHANNEL_PREFERENCES
  await tx.execute(sql`
    insert into channel_settings (user_id, organisation_id, channel, is_on, kinds, quiet_from, quiet_until, working_days_only)
    values (${userId}::int, ${organisationId}::int, ${channel}, true, ${kinds}::text[], ${quiet_from}, ${quiet_until}, ${working_days_only}::boolean)
    on conflict (user_id, channel) do update set is_on = true`)
}

export async function disableNotificationChannel(tx: Db, userId: number, channel: NotificationChannel): Promise<void> {
  await tx.execute(
    sql`update channel_settings set is_on = false where user_id = ${userId}::int and channel = ${channel}`,
  )
}

export type ChannelRecipient = ChannelOwner & ChannelSetting & { readonly isNotifiable: boolean }

export async function findChannelRecipient(
  db: Db,
  userId: number,
  channel: NotificationChannel,
): Promise<ChannelRecipient | undefined> {
  const [row] = await db.query<ChannelRecipient>(sql`
    select u.id as "userId", u.organisation_id as "organisationId", ${IS_NOTIFIABLE_USER_SQL} as "isNotifiable", ${COLUMNS}
    from channel_settings s join users u on u.id = s.user_id join organisations o on o.id = u.organisation_id
    where s.user_id = ${userId}::int and s.channel = ${channel}`)
  return row
}

const MAX_NOTIFICATIONS_PER_MESSAGE = 100
/** Older messages, after long holidays or a channel outage, are no longer useful and are dropped. */
const MAX_MESSAGE_AGE = '7 days'

export type WaitingChannelMessage = {
  readonly id: number
  readonly kind: string
  readonly notificationId: number | null
  readonly batch: string
}

/**
 * Returns the batch that a killed worker already claimed, otherwise claims everything due now under a new batch id.
 * Returns the same rows and id until `recordChannelMessageBatchOutcome`; empty if nothing is due.
 */
export async function claimChannelMessageBatch(
  db: Db,
  userId: number,
  channel: NotificationChannel,
  at: Date,
): Promise<WaitingChannelMessage[]> {
  return db.transaction(async (tx) => {
    const isWaiting = sql`m.user_id = ${userId}::int and m.channel = ${channel} and m.state = 'waiting'`
    const now = sql`${at.toISOString()}::timestamptz`
    await tx.execute(sql`
      update channel_messages m set state = 'dropped', settled_at = ${now}, failure = 'too old'
      where ${isWaiting} and m.created_at < ${now} - ${MAX_MESSAGE_AGE}::interval`)
    const claimed = await tx.query<WaitingChannelMessage>(sql`
      select m.id, m.kind, m.notification_id as "notificationId", m.batch from channel_messages m
      where ${isWaiting} and m.batch is not null order by m.id`)
    if (claimed.length > 0) return claimed
    const rows = await tx.query<WaitingChannelMessage>(sql`
      update channel_messages m set batch = ${randomUUID()}::uuid
      where m.id in (select m.id from channel_messages m where ${isWaiting} and m.due_at <= ${now} order by m.id limit ${MAX_NOTIFICATIONS_PER_MESSAGE}::int)
      returning m.id, m.kind, m.notification_id as "notificationId", m.batch`)
    return rows.toSorted((a, b) => a.id - b.id)
  })
}

/**
 * Records the outcome of a message; `dropped` means that it had no content left. Returns whether more messages are due.
 */
export async function recordChannelMessageBatchOutcome(
  tx: Db,
  {
    batch,
    userId,
    channel,
  }: { readonly batch: string; readonly userId: number; readonly channel: NotificationChannel },
  outcome: { readonly state: 'sent' | 'dropped' | 'failed'; readonly failure?: string },
  at: Date,
): Promise<boolean> {
  await tx.execute(sql`
    update channel_messages set state = ${outcome.state}, failure = ${outcome.failure ?? null}, settled_at = ${at.toISOString()}::timestamptz
    where user_id = ${userId}::int and channel = ${channel} and batch = ${batch}::uuid and state = 'waiting'`)
  const [row] = await tx.query<{ more: boolean }>(sql`
    select exists (
      select from channel_messages m where m.user_id = ${userId}::int and m.channel = ${channel} and m.state = 'waiting'
        and m.due_at <= ${at.toISOString()}::timestamptz) as more`)
  return row!.more
}

/**
 * Settles waiting messages. `dropped` applies to all of them, because nothing is connected or the user may not receive
 * them; `failed` only to claimed ones, after too many attempts.
 */
export async function settleWaitingChannelMessages(
  tx: Db,
  { userId, channel }: { readonly userId: number; readonly channel: NotificationChannel },
  outcome: { readonly state: 'dropped' | 'failed'; readonly failure: string },
  at: Date,
): Promise<void> {
  await tx.execute(sql`
    update channel_messages set state = ${outcome.state}, failure = ${outcome.failure}, settled_at = ${at.toISOString()}::timestamptz
    where user_id = ${userId}::int and channel = ${channel} and state = 'waiting' and (${outcome.state} = 'dropped' or batch is not null)`)
}

export async function pruneChannelMessages(db: Db, now: Date): Promise<void> {
  await db.execute(sql`
    delete from channel_messages where state <> 'waiting' and settled_at < ${now.toISOString()}::timestamptz - interval '30 days'`)
}
