import { createHash } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'

export type ActionRateLimit = {
  readonly action: string
  readonly maxUses: number
  readonly windowSeconds: number
  readonly gapSeconds: number
}

/** Returns a waiting time in Thai: `45 วินาที`, `12 นาที`, `3 ชั่วโมง`. */
export function formatWaitTime(seconds: number): string {
  if (seconds <= 90) return `${seconds} วินาที`
  return seconds < 5400 ? `${Math.ceil(seconds / 60)} นาที` : `${Math.ceil(seconds / 3600)} ชั่วโมง`
}

/**
 * Counts one use of an action by a subject (an address, a form) and returns 0 if the use is allowed, otherwise the
 * seconds to wait. The count is in the database, so that neither a restart nor a second server resets it; a row lock
 * serializes concurrent calls. Subjects are stored hashed, because some are strangers' e-mail addresses.
 */
export async function consumeActionRateLimit(
  db: Db,
  limit: ActionRateLimit,
  subject: string,
  now: Date,
): Promise<number> {
  const at = now.toISOString()
  const key = keyOf(limit, subject)
  const isOver = sql`c.window_started_at <= ${at}::timestamptz - make_interval(secs => ${limit.windowSeconds})`
  const reserved = await db.query(sql`
    insert into use_counts as c (action, subject, window_started_at, last_used_at, uses)
    values (${limit.action}, ${key}, ${at}::timestamptz, ${at}::timestamptz, 1)
    on conflict (action, subject) do update set
      uses = case when ${isOver} then 1 else c.uses + 1 end,
      window_started_at = case when ${isOver} then ${at}::timestamptz else c.window_started_at end,
      last_used_at = ${at}::timestamptz
    where (${isOver} or c.uses < ${limit.maxUses}::int)
      -- without a gap nothing is asked of the clocks of two servers, which differ
      and (${limit.gapSeconds}::int = 0 or c.last_used_at <= ${at}::timestamptz - make_interval(secs => ${limit.gapSeconds}))
    returning c.uses`)
  if (reserved.length > 0) return 0
  const [row] = await db.query<{ wait: number }>(sql`
    select ceil(greatest(
      extract(epoch from last_used_at + make_interval(secs => ${limit.gapSeconds}) - ${at}::timestamptz),
      case when uses >= ${limit.maxUses}::int
        then extract(epoch from window_started_at + make_interval(secs => ${limit.windowSeconds}) - ${at}::timestamptz) else 0 end
    ))::int as wait
    from use_counts where action = ${limit.action} and subject = ${key}`)
  return Math.max(1, row?.wait ?? 1)
}

const keyOf = ({ action }: ActionRateLimit, subject: string) =>
  createHash('sha256').update(`${action}:${subject}`).digest('base64url')

export async function resetActionRateLimit(db: Db, limit: ActionRateLimit, subject: string): Promise<void> {
  await db.execute(sql`delete from use_counts where action = ${limit.action} and subject = ${keyOf(limit, subject)}`)
}

export async function pruneActionRateLimits(db: Db, now: Date): Promise<void> {
  await db.execute(
    sql`delete from use_counts where last_used_at < ${now.toISOString()}::timestamptz - interval '2 days'`,
  )
}
