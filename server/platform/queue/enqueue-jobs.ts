import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import type { JobType } from './job.ts'

export type JobRequest<Payload> = {
  readonly payload: Payload
  /** Jobs of one kind with the same key never run at the same time. By default each job has a unique key. */
  readonly key?: string | undefined
  /** Jobs with the same value that are enqueued before the first of them starts become one job. */
  readonly dedupeKey?: string | undefined
  readonly organisationId?: number | undefined
  readonly userId?: number | undefined
  readonly at: Date
  readonly runAt?: Date | undefined
}

/**
 * Enqueues a job in the transaction that makes it necessary, so both commit or neither does. Tenant requests may
 * enqueue too.
 */
export async function enqueueSingleJob<Payload>(
  tx: Db,
  type: JobType<Payload>,
  job: JobRequest<Payload>,
): Promise<void> {
  await enqueueJobs(tx, type, [job])
}

export async function enqueueJobs<Payload>(
  tx: Db,
  { kind }: JobType<Payload>,
  jobs: readonly JobRequest<Payload>[],
): Promise<void> {
  const rows = jobs.map(({ payload, key = randomUUID(), dedupeKey, organisationId, userId, at, runAt = at }) => ({
    key,
    dedupe_key: dedupeKey,
    payload,
    organisation_id: organisationId,
    user_id: userId,
    requested_at: at,
    run_at: runAt,
  }))
  await tx.execute(sql`
    insert into jobs (kind, key, dedupe_key, payload, organisation_id, user_id, requested_at, run_at)
    select ${kind}, r.key, r.dedupe_key, r.payload, r.organisation_id, r.user_id, r.requested_at, r.run_at
    from rows from (json_to_recordset(${JSON.stringify(rows)}::json) as
      (key text, dedupe_key text, payload jsonb, organisation_id int, user_id int, requested_at timestamptz, run_at timestamptz)) with ordinality
      r (key, dedupe_key, payload, organisation_id, user_id, requested_at, run_at, place)
    order by r.place
    on conflict (kind, dedupe_key) where dedupe_key is not null do nothing`)
}

/** Cancels waiting and running jobs of a key; a worker notices when it renews its lease. Returns their number. */
export async function cancelJobs(tx: Db, { kind }: JobType<unknown>, key: string, now: Date): Promise<number> {
  return await tx.execute(sql`
    update jobs set state = 'cancelled', leased_by = null, lease_until = null, dedupe_key = null, finished_at = ${now.toISOString()}::timestamptz
    where kind = ${kind} and key = ${key} and state in ('waiting', 'running')`)
}
