import type { FastifyRequest } from 'fastify'
import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import { ProblemError } from './route-problem.ts'

/**
 * Days to keep keys. Devices retry stored changes for at most this long (src/shell/installed-app/start-persisting-queued-changes.ts), so a retry
 * always finds its key.
 */
const RETENTION_DAYS = 7
const KEY = /^[\w-]{8,100}$/

export function parseIdempotencyKeyHeader({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const key = headers['idempotency-key']?.toString()
  if (key !== undefined && !KEY.test(key)) throw new ProblemError('bad_input')
  return key
}

/**
 * Returns false if the user already made a change with this key within seven days, for example when the response was
 * lost. Call it in the transaction of the change, under the lock that orders changes, so that a refused change leaves
 * no key.
 */
export async function claimIdempotencyKey(
  tx: Db,
  { userId, key, at }: { readonly userId: number; readonly key: string | undefined; readonly at: Date },
): Promise<boolean> {
  if (key === undefined) return true
  const timestamp = sql`${at.toISOString()}::timestamptz`
  await tx.execute(sql`
    delete from change_keys where user_id = ${userId}::int and made_at < ${timestamp} - ${RETENTION_DAYS}::int * interval '1 day'`)
  const added = await tx.execute(sql`
    insert into change_keys (user_id, key, made_at) values (${userId}::int, ${key}, ${timestamp}) on conflict do nothing`)
  return added > 0
}
