import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'

type Restarted = { readonly id: number; readonly kind: string; readonly organisationId: number | null }

/**
 * What was given up begins anew, with all its tries, as soon as a worker is free. Answers the jobs: none where nothing was given up. A kind whose `died`
 * has told somebody of the end is not begun again behind their back: `kinds` leaves it out.
 */
async function restart(tx: Db, which: Sql, now: Date): Promise<Restarted[]> {
  return await tx.query<Restarted>(sql`
    update jobs set state = 'waiting', attempts = 0, run_at = ${now.toISOString()}::timestamptz, finished_at = null, last_error = null, progress = null
    where state = 'dead' and ${which} returning id::int, kind, organisation_id as "organisationId"`)
}

/** The dead job with this number, if it is one of these kinds. */
export async function restartJob(
  tx: Db,
  id: number,
  kinds: readonly string[],
  now: Date,
): Promise<Restarted | undefined> {
  const [job] = await restart(tx, sql`id = ${id}::bigint and kind = any (${[...kinds]}::text[])`, now)
  return job
}

/** The dead job of a kind and key; whether there was one. */
export async function restartJobOf(tx: Db, kind: string, key: string, now: Date): Promise<boolean> {
  return (await restart(tx, sql`kind = ${kind} and key = ${key}`, now)).length > 0
}
