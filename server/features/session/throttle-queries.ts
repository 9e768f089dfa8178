import sql from 'sql-template-tag'
import type { Db } from '#server/engine/db.ts'

/** Attempts within the window that close the account, and the longest it stays closed (R5). */
const ALLOWED = 5
const WINDOW = '15 minutes'
const LONGEST_BLOCK_MINUTES = 15
/** A closed account's count is forgotten this long after it opened again, so that waits keep growing for who keeps trying. */
const MEMORY = '1 hour'

/** Counts one attempt and answers true, or answers false without counting while the account is closed. Parallel calls wait for each other's row. */
export async function reserveLoginAttempt(db: Db, emailKey: string, now: Date): Promise<boolean> {
  const at = now.toISOString()
  const rows = await db.query(sql`
    insert into login_failures as f (email_key, failures, first_failed_at, blocked_until)
    values (${emailKey}, 1, ${at}::timestamptz, null)
    on conflict (email_key) do update set
      failures = case when f.first_failed_at <= ${at}::timestamptz - ${WINDOW}::interval
                       and coalesce(f.blocked_until <= ${at}::timestamptz - ${MEMORY}::interval, true)
                      then 1 else f.failures + 1 end,
      first_failed_at = case when f.first_failed_at <= ${at}::timestamptz - ${WINDOW}::interval
                              and coalesce(f.blocked_until <= ${at}::timestamptz - ${MEMORY}::interval, true)
                             then ${at}::timestamptz else f.first_failed_at end,
      blocked_until = case when f.first_failed_at <= ${at}::timestamptz - ${WINDOW}::interval
                            and coalesce(f.blocked_until <= ${at}::timestamptz - ${MEMORY}::interval, true) then null
                           when f.failures + 1 >= ${ALLOWED}::int
                           then ${at}::timestamptz + interval '1 minute'
                                * least(${LONGEST_BLOCK_MINUTES}::int, power(2, least(f.failures + 1 - ${ALLOWED}::int, 10))::int)
                           end
    where f.blocked_until is null or f.blocked_until <= ${at}::timestamptz
    returning f.failures`)
  return rows.length > 0
}

/** When the account opens again, UTC ISO; null when it is open. */
export async function blockedUntil(db: Db, emailKey: string): Promise<string | null> {
  const rows = await db.query<{ until: string | null }>(sql`
    select blocked_until as until from login_failures where email_key = ${emailKey}`)
  return rows[0]?.until ?? null
}

export async function forgetLoginFailures(db: Db, emailKey: string): Promise<void> {
  await db.execute(sql`delete from login_failures where email_key = ${emailKey}`)
}

/** Removes counts that can no longer close anything, so that guessing random addresses does not fill the table. */
export async function pruneLoginFailures(db: Db, now: Date): Promise<void> {
  await db.execute(sql`
    delete from login_failures
    where first_failed_at < ${now.toISOString()}::timestamptz - interval '1 day'
      and coalesce(blocked_until < ${now.toISOString()}::timestamptz - ${MEMORY}::interval, true)`)
}
