import sql from 'sql-template-tag'
import { beforeAll, expect, test, vi } from 'vitest'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { LeaseLostError } from './job.ts'
import { hasJobRunOnDay, recordJobRun, withJobLease } from './job-lease.ts'
import { releaseAllLeases } from './queries.ts'

onEachEngine('a lease', (makeDb) => {
  let db: OpenDb
  beforeAll(async () => {
    db = await makeDb()
  })

  test('has one holder at a time and is released afterwards, also after a failure', async () => {
    const outcome = await withJobLease(db, 'load', async () => await withJobLease(db, 'load', async () => 'inner'))
    expect(outcome).toEqual({ result: undefined })
    await expect(withJobLease(db, 'load', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
    expect(await withJobLease(db, 'load', async () => 1)).toEqual({ result: 1 })
  })

  test('keeps the outcome of the work if it cannot be released', async () => {
    const work = (outcome: () => Promise<string>) =>
      withJobLease(db, 'load', async () => {
        await db.script('alter table job_leases rename to unavailable_leases')
        return await outcome()
      }).finally(() => db.script('alter table unavailable_leases rename to job_leases; delete from job_leases'))
    await expect(work(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
    expect(await work(async () => 'done')).toEqual({ result: 'done' })
  })

  test('of a dead holder is taken over only after it expired', async () => {
    await db.script(`insert into job_leases values ('load', 'dead', now() + interval '1 minute')`)
    expect(await withJobLease(db, 'load', async () => 1)).toBeUndefined()
    await db.script(`update job_leases set expires_at = now() - interval '1 second'`)
    expect(await withJobLease(db, 'load', async () => 1)).toEqual({ result: 1 })
  })

  test('aborts the transaction that relies on it when another holder took it', async () => {
    const work = withJobLease(db, 'load', async (lease) => {
      await db.execute(sql`update job_leases set holder = 'thief' where name = 'load'`)
      await db.transaction((tx) => lease.confirm(tx))
    })
    await expect(work).rejects.toBeInstanceOf(LeaseLostError)
    await releaseAllLeases(db)
  })

  test('queues at most one renewal while a transaction locks its row', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const [confirmed, enough] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const work = withJobLease(db, 'load', (lease) =>
        db.transaction(async (tx) => {
          await lease.confirm(tx)
          confirmed.resolve()
          await enough.promise
        }),
      )
      await confirmed.promise
      await vi.advanceTimersByTimeAsync(10 * 60_000)
      const { running, waiting } = db.connections()
      enough.resolve()
      await work
      // The transaction uses one session, and at most one pending renewal uses another.
      expect(running + waiting).toBe(2)
    } finally {
      vi.useRealTimers()
    }
  })

  test('records the days on which a job has run', async () => {
    expect(await hasJobRunOnDay(db, 'nightly', '2026-11-21')).toBe(false)
    await recordJobRun(db, 'nightly', '2026-11-21')
    await recordJobRun(db, 'nightly', '2026-11-21')
    expect(await hasJobRunOnDay(db, 'nightly', '2026-11-21')).toBe(true)
    expect(await hasJobRunOnDay(db, 'nightly', '2026-11-22')).toBe(false)
  })
})
