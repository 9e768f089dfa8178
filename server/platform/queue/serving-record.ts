import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import type { WorkThrottle } from '#server/platform/engine/process-in-batches.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'
import { runPeriodically } from './run-periodically.ts'

/**
 * Name of the lease that servers renew while they answer users. The lease blocks no process, but a load that sees it
 * slows down (decision 0156).
 */
const LEASE = 'serving'
const LEASE_SECONDS = 5
const RENEW_INTERVAL_MS = 2_000
const POLL_INTERVAL_MS = 500

/**
 * Returns a function to call with every response: records in the database, at most every two seconds, that users are
 * being served.
 */
export function createServedRequestRecorder(db: Db): () => void {
  let recordedAt = Number.NEGATIVE_INFINITY
  return () => {
    if (db.engine !== 'postgres' || performance.now() - recordedAt < RENEW_INTERVAL_MS) return
    recordedAt = performance.now()
    const expiresAt = sql`now() + make_interval(secs => ${LEASE_SECONDS})`
    const recorded = runWithoutTenant(() =>
      db.execute(sql`
        insert into job_leases (name, holder, expires_at) values (${LEASE}, 'servers', ${expiresAt})
        on conflict (name) do update set expires_at = excluded.expires_at`),
    )
    recorded.catch(() => undefined)
  }
}

export type StoppableWorkThrottle = WorkThrottle & { stop(): Promise<void> }

/**
 * Creates the pace of a load: full speed while no user is being served, otherwise one step at a time, so that the load
 * uses one core at most. On the embedded database, which has one session, a load is sequential anyway.
 */
export function createRequestAwareWorkThrottle(db: Db): StoppableWorkThrottle {
  let isServing = false
  let lastTask: Promise<unknown> = Promise.resolve()
  const schedule = runPeriodically({
    everyMs: POLL_INTERVAL_MS,
    async work() {
      isServing =
        db.engine === 'postgres' &&
        (await db.query(sql`select from job_leases where name = ${LEASE} and expires_at > now()`)).length > 0
    },
    onFailure: () => undefined,
  })
  return {
    isSlow: () => isServing,
    async run(work) {
      if (!isServing) return await work()
      const result = lastTask.then(work)
      lastTask = result.catch(() => undefined)
      return await result
    },
    stop: () => schedule.stop(),
  }
}
