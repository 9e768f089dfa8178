import sql from 'sql-template-tag'
import { getWatchListLockEnd } from '#contract/account/watch-list-lock-window.ts'
import type { ChannelPreferences, NotificationChannel } from '#contract/channels/channel.ts'
import { addDays, getBangkokToday } from '#contract/thai/thai-date.ts'
import { isWorkingDay } from '#contract/thai/working-day.ts'
import { IS_NOTIFIABLE_USER_SQL } from '#server/account/notification/queries.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { getNextMorning } from '#server/platform/mail/morning.ts'
import { enqueueJobs } from '#server/platform/queue/enqueue-jobs.ts'
import { NOTIFICATION_CHANNEL_JOB_TYPE } from './queries.ts'

type DeliveryHours = Pick<ChannelPreferences, 'quiet_from' | 'quiet_until' | 'working_days_only'>

const MAX_STEPS = 60

export function findNextDeliveryTime({ quiet_from, quiet_until, working_days_only }: DeliveryHours, now: Date): Date {
  let at = now
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const quietUntil = getWatchListLockEnd({ not_allow_start_time: quiet_from, not_allow_end_time: quiet_until }, at)
    const today = getBangkokToday(quietUntil ?? at)
    if (working_days_only && !isWorkingDay(today)) at = new Date(`${addDays(today, 1)}T00:00:00+07:00`)
    else if (quietUntil) at = quietUntil
    else return at
  }
  return at
}

/** Time of the morning summary, 07:30: before office hours and half an hour after the default quiet hours end. */
const SUMMARY_TIME_MS = 7.5 * 3_600_000

/**
 * Schedules the next morning summary in the transaction that publishes a load: at most one per user, channel and day,
 * however many loads there are. Its content is computed when it is sent. Returns how many were scheduled.
 */
export async function scheduleMorningSummaries(tx: Db, at: Date): Promise<number> {
  const morning = getNextMorning(at, SUMMARY_TIME_MS)
  const scheduled = await tx.query<{ userId: number; organisationId: number; channel: NotificationChannel }>(sql`
    insert into channel_messages (user_id, organisation_id, channel, kind, dedupe_key, created_at, due_at)
    select s.user_id, s.organisation_id, s.channel, 'Morning', ${morning.toISOString()}, ${at.toISOString()}::timestamptz, ${morning.toISOString()}::timestamptz
    from channel_settings s join users u on u.id = s.user_id join organisations o on o.id = u.organisation_id
    where s.is_on and 'Morning' = any (s.kinds) and ${IS_NOTIFIABLE_USER_SQL}
    order by s.organisation_id, s.user_id
    on conflict do nothing
    returning user_id as "userId", organisation_id as "organisationId", channel`)
  await enqueueJobs(
    tx,
    NOTIFICATION_CHANNEL_JOB_TYPE,
    scheduled.map(({ userId, organisationId, channel }) => {
      const key = `${channel}:${userId}`
      const ids = { key, dedupeKey: `${key}:morning`, organisationId, userId }
      return { ...ids, payload: { channel, user: userId }, at, runAt: morning }
    }),
  )
  return scheduled.length
}
