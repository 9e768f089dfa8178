import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'

type RestartedJob = { readonly id: number; readonly kind: string; readonly organisationId: number | null }

/**
 * Restarts dead jobs with the full number of attempts and returns them. `condition` must exclude kinds whose `died` hook
 * notified a user.
 */
async function restart(tx: Db, condition: Sql, now: Date): Promise<RestartedJob[]> {
  return await tx.query<RestartedJob>(sql`
    update jobs set state = 'waiting', attempts = 0, run_at = ${now.toISOString()}::timestamptz, finished_at = null, last_error = null, progress = null
    where state = 'dead' and ${condition} returning id::int, kind, organisation_id as "organisationId"`)
}

export async function restartJob(
  tx: Db,
  id: number,
  kinds: readonly string[],
  now: Date,
): Promise<RestartedJob | undefined> {
  const [job] = await restart(tx, sql`id = ${id}::bigint and kind = any (${[...kinds]}::text[])`, now)
  return job
}

export async function restartJobByKey(tx: Db, kind: string, key: string, now: Date): Promise<boolean> {
  return (await restart(tx, sql`kind = ${kind} and key = ${key}`, now)).length > 0
}
