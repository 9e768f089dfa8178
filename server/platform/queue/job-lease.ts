import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import { LeaseLostError } from './job.ts'

export type JobLease = {
  confirm(tx: Db): Promise<void>
}

// Other processes wait at most a minute for the lease of a killed worker (R52).
const LEASE_SECONDS = 60
const RENEW_INTERVAL_MS = 15_000

/**
 * Runs `work` exclusively across all processes. Returns undefined if another process has the lease. After a crash the
 * lease expires within a minute.
 */
export async function withJobLease<T>(
  db: Db,
  name: string,
  work: (lease: JobLease) => Promise<T>,
): Promise<{ result: T } | undefined> {
  const holder = randomUUID()
  if (!(await take(db, name, holder))) return undefined
  let renewing: Promise<unknown> | undefined
  const renewal = setInterval(() => {
    // One renewal at a time: it blocks while a transaction locks the lease, and ten would use up the connection pool.
    // A failed renewal is not fatal, because `confirm` decides before anything becomes visible.
    renewing ??= renew(db, name, holder)
      .catch(() => undefined)
      .finally(() => {
        renewing = undefined
      })
  }, RENEW_INTERVAL_MS)
  try {
    return { result: await work({ confirm: (tx) => confirm(tx, name, holder) }) }
  } finally {
    clearInterval(renewal)
    // A failure must not replace the outcome of the work: the lease expires by itself.
    await db
      .execute(sql`delete from job_leases where name = ${name} and holder = ${holder}`, { timeoutMs: 0 })
      .catch(() => undefined)
  }
}

async function take(db: Db, name: string, holder: string): Promise<boolean> {
  const taken = await db.execute(sql`
    insert into job_leases (name, holder, expires_at) values (${name}, ${holder}, now() + make_interval(secs => ${LEASE_SECONDS}))
    on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
    where job_leases.expires_at < now()`)
  return taken === 1
}

function renew(db: Db, name: string, holder: string): Promise<number> {
  return db.execute(
    sql`update job_leases set expires_at = now() + make_interval(secs => ${LEASE_SECONDS}) where name = ${name} and holder = ${holder}`,
    { timeoutMs: 0 },
  )
}

async function confirm(tx: Db, name: string, holder: string): Promise<void> {
  if ((await renew(tx, name, holder)) !== 1)
    throw new LeaseLostError(`the lease ${name} was taken over by another process`)
}

/** True if any process completed the job on that day (ISO date in Bangkok). */
export async function hasJobRunOnDay(db: Db, job: string, day: string): Promise<boolean> {
  return (await db.query(sql`select 1 from job_runs where job = ${job} and day = ${day}::date`)).length > 0
}

export async function recordJobRun(db: Db, job: string, day: string): Promise<void> {
  await db.execute(sql`insert into job_runs (job, day) values (${job}, ${day}::date) on conflict do nothing`)
}
