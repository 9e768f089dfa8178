import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import type { JobType } from './job.ts'

export type JobRequest<Payload> = {
  readonly payload: Payload
  /** What the job works on: jobs of one kind and key never run at the same time. Default: a key of its own. */
  readonly key?: string | undefined
  /** A second request with it, made before the first is begun, is the same job. */
  readonly dedupeKey?: string | undefined
  readonly organisationId?: number | undefined
  readonly userId?: number | undefined
  /** The moment of asking. */
  readonly at: Date
  /** Not before this moment; default: at once. */
  readonly runAt?: Date | undefined
}

/** Asks for a job in the transaction of what makes it necessary: both are there, or neither. A request may ask in its tenant's name. */
export async function enqueue<Payload>(tx: Db, type: JobType<Payload>, job: JobRequest<Payload>): Promise<void> {
  await enqueueAll(tx, type, [job])
}

/** The same for many at once: one statement, and their order is that in which they begin. */
export async function enqueueAll<Payload>(
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

/** Ends the jobs of a key that wait or run; a worker that is at one notices when it renews. Answers how many. */
export async function cancelJobs(tx: Db, { kind }: JobType<unknown>, key: string, now: Date): Promise<number> {
  return await tx.execute(sql`
    update jobs set state = 'cancelled', leased_by = null, lease_until = null, dedupe_key = null, finished_at = ${now.toISOString()}::timestamptz
    where kind = ${kind} and key = ${key} and state in ('waiting', 'running')`)
}
