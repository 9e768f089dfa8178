import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'

/** Last known state of the LINE account. Timestamps are UTC, in database format. */
export type LineAccountStatus = {
  readonly basicId: string | null
  readonly name: string | null
  /** Messages per month; null means unlimited. */
  readonly quota: number | null
  readonly used: number | null
  readonly quotaOutAt: string | null
  readonly askedAt: string | null
  readonly failure: string | null
}

const EMPTY_CHANNEL: LineAccountStatus = {
  ...{ basicId: null, name: null, quota: null, used: null },
  ...{ quotaOutAt: null, askedAt: null, failure: null },
}

export async function loadLineAccountStatus(db: Db): Promise<LineAccountStatus> {
  const [row] = await db.query<LineAccountStatus>(sql`
    select basic_id as "basicId", name, quota, used, quota_out_at as "quotaOutAt", asked_at as "askedAt", failure from line_channel where id = 1`)
  return row ?? EMPTY_CHANNEL
}

export async function recordLineAccountStatus(
  db: Db,
  { basicId, name, quota, used }: { basicId: string; name: string; quota: number | null; used: number },
  at: Date,
): Promise<void> {
  await db.execute(sql`
    insert into line_channel as c (id, basic_id, name, quota, used, asked_at, failure)
    values (1, ${basicId}, ${name}, ${quota}::int, ${used}::int, ${at.toISOString()}::timestamptz, null)
    on conflict (id) do update set basic_id = excluded.basic_id, name = excluded.name, quota = excluded.quota, used = excluded.used,
      asked_at = excluded.asked_at, failure = null,
      quota_out_at = case when excluded.quota is null or excluded.used < excluded.quota then null else c.quota_out_at end`)
}

export async function recordLineAccountFailure(db: Db, failure: string, at: Date): Promise<void> {
  await db.execute(sql`
    insert into line_channel (id, asked_at, failure) values (1, ${at.toISOString()}::timestamptz, ${failure})
    on conflict (id) do update set asked_at = excluded.asked_at, failure = excluded.failure`)
}

/** Counts a sent message. The count is a local estimate until LINE reports its own. */
export async function incrementLineMessageCount(db: Db): Promise<void> {
  await db.execute(sql`update line_channel set used = used + 1 where id = 1`)
}

export async function recordLineQuotaExhausted(tx: Db, at: Date): Promise<void> {
  await tx.execute(sql`
    insert into line_channel (id, quota_out_at) values (1, ${at.toISOString()}::timestamptz)
    on conflict (id) do update set quota_out_at = coalesce(line_channel.quota_out_at, excluded.quota_out_at)`)
}

/** Returns whether the monthly quota is exhausted at `now`. LINE's months follow Japan time. */
export function isLineQuotaExhausted({ quota, used, quotaOutAt }: LineAccountStatus, now: Date): boolean {
  if (quotaOutAt !== null) return monthOf(new Date(quotaOutAt)) === monthOf(now)
  return quota !== null && used !== null && used >= quota
}

const JAPAN_OFFSET_MS = 9 * 3_600_000
const monthOf = (at: Date) => new Date(at.getTime() + JAPAN_OFFSET_MS).toISOString().slice(0, 7)
