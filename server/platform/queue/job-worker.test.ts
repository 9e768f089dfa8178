import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod/mini'
import { DbUnavailableError, type OpenDb } from '#server/platform/engine/db.ts'
import { runAsTenant } from '#server/platform/engine/tenant.ts'
import { jobsOf, runDue, silentLog } from '../../../test/jobs.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { addOrganisation, addUser } from '../../../test/world/report-world.ts'
import { cancelJobs, enqueueSingleJob, type JobRequest } from './enqueue-jobs.ts'
import {
  computeRetryDelayMs,
  defineJob,
  ExternalServiceUnavailableError,
  type JobContext,
  JobFailedError,
  JobPostponedError,
  LeaseLostError,
  NonRetryableJobError,
} from './job.ts'
import { readJobMetrics } from './job-metrics.ts'
import { startQueueWorker } from './job-worker.ts'
import { claimJob, findDueJobKinds, pruneJobs, releaseAllLeases } from './queries.ts'

const AT = new Date('2026-11-21T03:00:00Z')
const later = (seconds: number) => new Date(AT.getTime() + seconds * 1000)

type Payload = { n: number }
type Run = (context: JobContext<unknown>, payload: Payload) => Promise<object | undefined>

test('R52: delays double up to the maximum, with 20 % jitter', () => {
  const backoff = { firstMs: 5_000, maxMs: 1_800_000 }
  expect(computeRetryDelayMs(1, backoff, () => 0.5)).toBe(5_000)
  expect(computeRetryDelayMs(4, backoff, () => 0.5)).toBe(40_000)
  expect(computeRetryDelayMs(14, backoff, () => 0.5)).toBe(1_800_000)
  expect([computeRetryDelayMs(2, backoff, () => 0), computeRetryDelayMs(2, backoff, () => 1)]).toEqual([8_000, 12_000])
})

onEachEngineInTurn('the queue', (makeDb) => {
  let db: OpenDb
  beforeAll(async () => {
    db = await makeDb()
  })
  beforeEach(() => db.script('truncate jobs restart identity'))

  const settings = {
    kind: 'test',
    payload: z.object({ n: z.number() }),
    concurrency: 2,
    maxAttempts: 3,
    backoff: { firstMs: 1_000, maxMs: 60_000 },
  }
  const kindThat = (run: Run, over: object = {}) => defineJob<Payload>({ ...settings, run, ...over })
  const idle = kindThat(async () => undefined)
  const failing = kindThat(async () => Promise.reject(new TypeError('secret of anong@x.example')))
  const enqueueJob = (n: number, over: Partial<JobRequest<Payload>> = {}) =>
    enqueueSingleJob(db, idle, { payload: { n }, key: String(n), at: AT, ...over })
  const states = async () => (await jobsOf(db, 'test')).map(({ state }) => state)

  test('hands jobs out in the order in which they are due, and not before', async () => {
    const seen: number[] = []
    const kind = kindThat(async (_, { n }) => void seen.push(n))
    await enqueueJob(1, { runAt: later(60) })
    await enqueueJob(2)
    await enqueueJob(3)
    expect(await findDueJobKinds(db, ['test', 'other'], AT)).toEqual(new Set(['test']))
    expect(await runDue(kind, { db, now: AT })).toBe(2)
    expect(await runDue(kind, { db, now: later(59) })).toBe(0)
    expect(await findDueJobKinds(db, ['test'], later(59))).toEqual(new Set())
    expect(await runDue(kind, { db, now: later(60) })).toBe(1)
    expect(seen).toEqual([2, 3, 1])
    expect(await states()).toEqual(['done', 'done', 'done'])
  })

  test('enqueues a job in the transaction that needs it, or not at all', async () => {
    const both = db.transaction(async (tx) => {
      await enqueueSingleJob(tx, idle, { payload: { n: 1 }, at: AT })
      throw new Error('rolled back')
    })
    await expect(both).rejects.toThrow('rolled back')
    expect(await states()).toEqual([])
  })

  test('deduplicates an equal job until it has started', async () => {
    await enqueueJob(1, { dedupeKey: 'same' })
    await enqueueJob(1, { dedupeKey: 'same' })
    expect(await states()).toEqual(['waiting'])
    const kind = kindThat(async () => enqueueJob(1, { dedupeKey: 'same', runAt: later(60) }).then(() => undefined))
    expect(await runDue(kind, { db, now: AT })).toBe(1)
    expect(await states()).toEqual(['done', 'waiting'])
  })

  test('R52: two workers do each job once', async () => {
    const seen: number[] = []
    const kind = kindThat(async (_, { n }) => void seen.push(n))
    for (let n = 0; n < 20; n += 1) await enqueueJob(n)
    const runs = await Promise.all([runDue(kind, { db, now: AT }), runDue(kind, { db, now: AT })])
    expect(runs[0]! + runs[1]!).toBe(20)
    expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n))
    expect((await jobsOf(db, 'test')).every(({ state, attempts }) => state === 'done' && attempts === 1)).toBe(true)
  })

  test('never runs two jobs of one key at the same time; other keys proceed', async () => {
    await enqueueJob(1, { key: 'a' })
    await enqueueJob(2, { key: 'a' })
    await enqueueJob(3, { key: 'b' })
    const claims = await Promise.all(['x', 'y', 'z'].map((holder) => claimJob(db, idle, holder, AT)))
    expect(claims.map((claim) => claim?.key).sort()).toEqual(['a', 'b', undefined])
  })

  test('a merging kind runs all waiting jobs of a key at once', async () => {
    const seen: number[] = []
    const kind = kindThat(async (_, { n }) => void seen.push(n), {
      merge: (payloads: readonly Payload[]) => ({ n: payloads.reduce((sum, { n }) => sum + n, 0) }),
    })
    for (const n of [1, 2, 3]) await enqueueJob(n, { key: 'a' })
    await enqueueJob(10, { key: 'a', runAt: later(60) })
    expect(await runDue(kind, { db, now: AT })).toBe(1)
    expect(seen).toEqual([6])
    expect(await states()).toEqual(['done', 'done', 'done', 'waiting'])
  })

  test('R52: another worker finishes the job of a dead worker after its lease; the dead one cannot finish it', async () => {
    await enqueueJob(1)
    let lost: unknown
    const slow = kindThat(async ({ finish, signal }) => {
      expect(await runDue(idle, { db, now: later(59) })).toBe(0)
      expect(await runDue(idle, { db, now: later(61) })).toBe(1)
      lost = await db.transaction((tx) => finish(tx)).catch((error: unknown) => error)
      expect(signal.aborted).toBe(true)
    })
    expect(await runDue(slow, { db, now: AT })).toBe(1)
    expect(lost).toBeInstanceOf(LeaseLostError)
    expect(await jobsOf(db, 'test')).toMatchObject([{ state: 'done', attempts: 2, last_error: null }])
  })

  test('a heartbeat extends the lease of a long job, and aborts it when the lease was lost', async () => {
    await enqueueJob(1)
    const leaseEnd = async () => {
      const [job] = await db.query<{ at: string }>(sql`select lease_until as at from jobs where state = 'running'`)
      return Date.parse(job!.at)
    }
    const longJob = kindThat(
      async () => {
        const firstEnd = await leaseEnd()
        await expect.poll(leaseEnd).toBeGreaterThan(firstEnd)
        expect(await findDueJobKinds(db, ['test'], new Date(firstEnd))).toEqual(new Set())
      },
      // A busy machine may delay a heartbeat by a second or two.
      { leaseSeconds: 3 },
    )
    expect(await runDue(longJob, { db, now: () => new Date() })).toBe(1)
    expect(await states()).toEqual(['done'])

    await enqueueJob(2)
    const stolen = kindThat(
      async ({ signal }) => {
        await db.execute(sql`update jobs set leased_by = 'thief' where state = 'running'`)
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        expect(signal.reason).toBeInstanceOf(LeaseLostError)
        signal.throwIfAborted()
      },
      { leaseSeconds: 1 },
    )
    expect(await runDue(stolen, { db, now: () => new Date() })).toBe(1)
    expect((await jobsOf(db, 'test'))[1]).toMatchObject({ state: 'running', leased_by: 'thief', last_error: null })
  })

  test('retries a failing job with growing delays, then marks it dead and notifies in the same transaction', async () => {
    const died: number[] = []
    const kind = {
      ...failing,
      died: kindThat(async () => undefined, { died: async (_: unknown, { n }: Payload) => void died.push(n) }).died,
    }
    await enqueueJob(7)
    expect(await runDue(kind, { db, now: AT })).toBe(1)
    // Only the error name is stored, because the message contains an address.
    expect(await jobsOf(db, 'test')).toMatchObject([{ state: 'waiting', attempts: 1, last_error: 'TypeError' }])
    expect(await runDue(kind, { db, now: AT })).toBe(0)
    expect(await runDue(kind, { db, now: later(10) })).toBe(1)
    expect(died).toEqual([])
    expect(await runDue(kind, { db, now: later(60) })).toBe(1)
    expect(await jobsOf(db, 'test')).toMatchObject([{ state: 'dead', attempts: 3 }])
    expect(died).toEqual([7])
    expect(await runDue(kind, { db, now: later(86_400) })).toBe(0)
  })

  test('a refusal is final, a postponement costs no attempt, and an outage never uses up the last attempt', async () => {
    const answers: Record<number, Error> = {
      1: new NonRetryableJobError('550 RCPT TO'),
      2: new JobPostponedError(later(3_600)),
      3: new JobFailedError('421 DATA', { retryBy: later(0.5) }),
      4: new DbUnavailableError('away'),
      5: new ExternalServiceUnavailableError('the bucket is away'),
    }
    const kind = kindThat(async (_, { n }) => Promise.reject(answers[n]!), { maxAttempts: 1 })
    for (const n of [1, 2, 4, 5]) await enqueueJob(n)
    await runDue(kind, { db, now: AT })
    expect(await jobsOf(db, 'test')).toMatchObject([
      { state: 'dead', last_error: '550 RCPT TO', attempts: 1 },
      { state: 'waiting', last_error: null, attempts: 0 },
      { state: 'waiting', last_error: 'DbUnavailableError', attempts: 1 },
      { state: 'waiting', last_error: 'the bucket is away', attempts: 1 },
    ])
    expect(await runDue(kind, { db, now: later(3_599) })).toBe(2)
    await db.script('truncate jobs')
    await enqueueJob(3)
    await runDue({ ...kind, maxAttempts: 2 }, { db, now: AT })
    expect(await findDueJobKinds(db, ['test'], later(0.5))).toEqual(new Set(['test']))
  })

  test('marks a job with an unreadable payload as dead', async () => {
    await db.execute(sql`
      insert into jobs (kind, key, payload, requested_at, run_at) values ('test', 'x', '{"n": "one"}', now(), ${AT.toISOString()}::timestamptz)`)
    expect(await runDue(idle, { db, now: AT })).toBe(1)
    expect(await jobsOf(db, 'test')).toMatchObject([{ state: 'dead', last_error: 'unreadable payload' }])
  })

  test('publishes progress while the job runs, and keeps the last progress', async () => {
    await enqueueJob(1)
    let seen: unknown
    const kind = kindThat(async ({ progress, saveProgress }) => {
      progress({ done: 1 })
      await expect.poll(async () => (await jobsOf(db, 'test'))[0]!.progress).toEqual({ done: 1 })
      await db.transaction((tx) => saveProgress(tx, { done: 2 }))
      seen = (await jobsOf(db, 'test'))[0]!.progress
      progress({ done: 3 })
    })
    await runDue(kind, { db, now: AT })
    expect(seen).toEqual({ done: 2 })
    expect(await jobsOf(db, 'test')).toMatchObject([{ state: 'done', progress: { done: 3 } }])
  })

  test('a job finished in its result’s transaction waits again when that is rolled back', async () => {
    await enqueueJob(1)
    const takenBack = kindThat(({ finish }) =>
      db.transaction(async (tx) => {
        await finish(tx)
        throw new Error('rolled back')
      }),
    )
    await runDue(takenBack, { db, now: AT })
    expect(await jobsOf(db, 'test')).toMatchObject([{ state: 'waiting', attempts: 1, last_error: 'Error' }])
  })

  test('a worker notices a cancellation at its next step, and the job stays cancelled', async () => {
    await enqueueJob(1)
    const kind = kindThat(async ({ confirm }) => {
      expect(await cancelJobs(db, idle, '1', later(1))).toBe(1)
      await db.transaction((tx) => confirm(tx))
    })
    await runDue(kind, { db, now: AT })
    expect(await states()).toEqual(['cancelled'])
    expect(await runDue(idle, { db, now: later(3_600) })).toBe(0)
  })

  test('a stopped worker returns its job without counting the attempt', async () => {
    await enqueueJob(1, { at: new Date() })
    const begun = Promise.withResolvers<void>()
    const endless = kindThat(
      ({ signal }) =>
        new Promise((_, reject) => {
          begun.resolve()
          signal.addEventListener('abort', () => reject(signal.reason))
        }),
    )
    const worker = startQueueWorker({ db, kinds: [endless], parts: undefined, log: silentLog, now: () => new Date() })
    await begun.promise
    await worker.stop()
    expect(await jobsOf(db, 'test')).toMatchObject([{ state: 'waiting', attempts: 0, leased_by: null }])
    await enqueueJob(2, { at: new Date() })
    await sleep(600)
    expect(await states()).toEqual(['waiting', 'waiting'])
  })

  test('runs as many jobs at once as the kind allows, and releases the database meanwhile', async () => {
    let [atOnce, maxAtOnce, done] = [0, 0, 0]
    const kind = kindThat(async () => {
      atOnce += 1
      maxAtOnce = Math.max(maxAtOnce, atOnce)
      // Wait until the worker has polled again while the first two jobs are running.
      if (done < 2) await sleep(400)
      atOnce -= 1
      done += 1
    })
    for (let n = 0; n < 6; n += 1) await enqueueJob(n, { at: new Date() })
    const worker = startQueueWorker({ db, kinds: [kind], parts: undefined, log: silentLog, now: () => new Date() })
    await expect.poll(() => done, { timeout: 20_000 }).toBe(6)
    await worker.stop()
    expect(maxAtOnce).toBe(2)
  })

  test('logs a database failure once and continues', async () => {
    const messages: string[] = []
    const log = { ...silentLog, error: (_: object, text: string) => void messages.push(text) }
    let isAway = true
    let refused = 0
    const broken: OpenDb = {
      ...db,
      query(...args) {
        if (!isAway) return db.query(...args)
        refused += 1
        return Promise.reject(new DbUnavailableError('away'))
      },
    }
    await enqueueJob(1, { at: new Date() })
    const worker = startQueueWorker({ db: broken, kinds: [idle], parts: undefined, log, now: () => new Date() })
    await expect.poll(() => refused).toBeGreaterThan(2)
    isAway = false
    await expect.poll(states, { timeout: 10_000 }).toEqual(['done'])
    await worker.stop()
    expect(messages.filter((text) => text === 'queue worker failed: will retry')).toHaveLength(1)
  })

  test('prunes ended jobs, keeps the last of each key, and revives dead jobs where the kind allows it', async () => {
    for (const n of [1, 2]) {
      await enqueueJob(n, { key: 'a' })
      await runDue(idle, { db, now: AT })
    }
    await pruneJobs(db, idle, later(6 * 86_400))
    expect(await states()).toHaveLength(2)
    await pruneJobs(db, { ...idle, retainsLast: true }, later(8 * 86_400))
    expect(await states()).toHaveLength(1)
    await pruneJobs(db, idle, later(8 * 86_400))
    expect(await states()).toEqual([])

    await enqueueJob(3)
    await runDue(
      kindThat(async () => Promise.reject(new NonRetryableJobError('no'))),
      { db, now: AT },
    )
    await pruneJobs(db, { ...idle, reviveDays: 1 }, later(3_600))
    expect(await states()).toEqual(['dead'])
    await pruneJobs(db, { ...idle, reviveDays: 1 }, later(90_000))
    expect(await jobsOf(db, 'test')).toMatchObject([{ state: 'waiting', attempts: 0 }])
  })

  test('releases the jobs of a killed process when the embedded database is reopened', async () => {
    await enqueueJob(1)
    await claimJob(db, idle, 'killed', AT)
    expect(await runDue(idle, { db, now: AT })).toBe(0)
    await releaseAllLeases(db)
    expect(await runDue(idle, { db, now: AT })).toBe(1)
  })

  test('reports per kind: waiting, running, retried and dead jobs, and durations', async () => {
    const now = new Date()
    await enqueueJob(1, { at: new Date(now.getTime() - 100_000) })
    await enqueueJob(2, { at: new Date(now.getTime() + 100_000) })
    for (const n of [3, 4, 5]) await enqueueJob(n, { at: now })
    await db.execute(sql`update jobs set state = 'running', last_error = 'Error' where key = '3'`)
    await db.execute(sql`update jobs set state = 'dead', finished_at = now() where key = '4'`)
    await db.execute(
      sql`update jobs set state = 'done', started_at = now() - interval '4 s', finished_at = now() where key = '5'`,
    )
    const [figures, otherFigures] = await readJobMetrics(db, ['test', 'other'])
    expect(figures).toMatchObject({ job: 'test', waiting: 2, running: 1, retried: 1, dead: 1, doneLastHour: 1 })
    expect(figures!.oldestSeconds).toBeGreaterThan(99)
    expect(figures!.meanSeconds).toBeCloseTo(4)
    expect(otherFigures).toMatchObject({ job: 'other', waiting: 0, oldestSeconds: 0, dead: 0, meanSeconds: 0 })
  })

  test('R25: a request enqueues, follows and cancels only jobs of its own organisation', async () => {
    const organisationId = await addOrganisation(db, {})
    const userId = await addUser(db, organisationId)
    const otherOrganisation = await addOrganisation(db, {})
    const tenant = { organisationId, userId }
    const request = { payload: { n: 1 }, at: AT, organisationId, userId }
    await enqueueSingleJob(db, idle, { payload: { n: 2 }, key: 'theirs', at: AT, organisationId: otherOrganisation })
    await runAsTenant(tenant, async () => {
      await enqueueSingleJob(db, idle, { ...request, key: 'mine' })
      await enqueueSingleJob(db, idle, { ...request, key: 'ours', userId: undefined, dedupeKey: 'ours' })
      await enqueueSingleJob(db, idle, { ...request, key: 'ours', userId: undefined, dedupeKey: 'ours' })
      expect((await jobsOf(db, 'test')).map(({ key }) => key)).toEqual(['mine', 'ours'])
      expect(await cancelJobs(db, idle, 'mine', AT)).toBe(1)
      expect(await cancelJobs(db, idle, 'theirs', AT)).toBe(0)
      const forOthers = enqueueSingleJob(db, idle, { ...request, organisationId: otherOrganisation, userId: undefined })
      await expect(forOthers).rejects.toMatchObject({ code: '42501' })
    })
    expect(await jobsOf(db, 'test')).toMatchObject([{ state: 'waiting' }, { state: 'cancelled' }, { state: 'waiting' }])
  })
})
