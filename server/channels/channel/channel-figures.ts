import sql, { join } from 'sql-template-tag'
import { NOTIFICATION_CHANNELS } from '#contract/channels/channel.ts'
import type { Db } from '#server/platform/engine/db.ts'

export type NotificationChannelMetrics = {
  readonly channel: string
  /** Connected users; for email, subscribers of the report email. */
  readonly users: number
  readonly waiting: number
  readonly oldestSeconds: number
  readonly sent: number
  readonly failed: number
  /** UTC ISO time. */
  readonly lastSentAt: string | null
  readonly lastError: string | null
  readonly lastErrorAt: string | null
}

const TIMEOUT_MS = 1_000

/**
 * Returns the status of each channel over all organisations, email first: only numbers and status codes. A new channel
 * adds a row with the same columns. The last error is from a failed message, or from an attempt whose job is waiting
 * for a retry.
 */
export async function readNotificationChannelMetrics(db: Db): Promise<NotificationChannelMetrics[]> {
  const day = sql`now() - interval '1 day'`
  const lastAttemptError = (kind: string, key: string) => sql`
    (select j.last_error from jobs j where j.kind = ${kind} and j.key like ${key} and j.last_error is not null and j.state in ('waiting', 'running') order by j.id desc limit 1)`
  const mail = sql`
    select 'mail' as channel,
      (select count(*) from users u where u.is_send_report_email and not u.is_disabled and not u.is_demo_visitor) as users,
      (select count(*) from mails m where m.state in ('queued', 'sending')) as waiting,
      coalesce((select greatest(0, extract(epoch from now() - min(m.created_at))) from mails m where m.state in ('queued', 'sending')), 0)::float8 as "oldestSeconds",
      (select count(*) from mails m where m.state in ('sent', 'kept') and m.settled_at > ${day}) as sent,
      (select count(*) from mails m where m.state = 'failed' and m.settled_at > ${day}) as failed,
      (select max(m.settled_at) from mails m where m.state in ('sent', 'kept')) as "lastSentAt",
      coalesce(${lastAttemptError('mail', '%')}, (select j.last_error from jobs j where j.kind = 'mail' and j.state = 'dead' order by j.finished_at desc limit 1)) as "lastError",
      (select max(m.settled_at) from mails m where m.state = 'failed') as "lastErrorAt"`
  const channels = NOTIFICATION_CHANNELS.map(
    (channel) => sql`
      select ${channel} as channel,
        (select count(*) from channel_settings s where s.channel = ${channel} and s.is_on),
        (select count(*) from channel_messages m where m.channel = ${channel} and m.state = 'waiting' and m.due_at <= now()),
        coalesce((select greatest(0, extract(epoch from now() - min(m.due_at))) from channel_messages m
          where m.channel = ${channel} and m.state = 'waiting' and m.due_at <= now()), 0)::float8,
        (select count(*) from channel_messages m where m.channel = ${channel} and m.state = 'sent' and m.settled_at > ${day}),
        (select count(*) from channel_messages m where m.channel = ${channel} and m.state = 'failed' and m.settled_at > ${day}),
        (select max(m.settled_at) from channel_messages m where m.channel = ${channel} and m.state = 'sent'),
        coalesce(${lastAttemptError('channel', `${channel}:%`)}, (select m.failure from channel_messages m
          where m.channel = ${channel} and m.state = 'failed' order by m.settled_at desc limit 1)),
        (select max(m.settled_at) from channel_messages m where m.channel = ${channel} and m.state = 'failed')`,
  )
  return db.query<NotificationChannelMetrics>(sql`${join([mail, ...channels], ' union all ')}`, {
    timeoutMs: TIMEOUT_MS,
  })
}
