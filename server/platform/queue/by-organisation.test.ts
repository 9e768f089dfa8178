import { beforeEach, expect, test } from 'vitest'
import { z } from 'zod/mini'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { runDue } from '../../../test/jobs.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { addOrganisation } from '../../../test/world/report-world.ts'
import { enqueueSingleJob, type JobRequest } from './enqueue-jobs.ts'
import { defineJob } from './job.ts'
import { claimJob } from './queries.ts'

const AT = new Date('2026-11-21T03:00:00Z')
const later = (seconds: number) => new Date(AT.getTime() + seconds * 1000)

onEachEngineInTurn('a kind that serves by organisation', (makeDb) => {
  let db: OpenDb
  let a: number
  let b: number
  const seen: number[] = []
  const kind = defineJob<{ n: number }>({
    ...{ kind: 'test', payload: z.object({ n: z.number() }), concurrency: 2, maxAttempts: 3 },
    backoff: { firstMs: 1_000, maxMs: 60_000 },
    servesByOrganisation: true,
    run: async (_, { n }) => void seen.push(n),
  })
  const enqueueJob = (n: number, over: Partial<JobRequest<{ n: number }>> = {}) =>
    enqueueSingleJob(db, kind, { payload: { n }, key: String(n), at: AT, ...over })

  beforeEach(async () => {
    db = await makeDb()
    ;[a, b] = [await addOrganisation(db), await addOrganisation(db)]
    seen.length = 0
  })

  test('R42: serves the least recently served organisation first', async () => {
    for (const n of [1, 2, 3, 4]) await enqueueJob(n, { organisationId: a })
    await enqueueJob(5, { at: later(1), organisationId: b })
    // Enqueue a job of the server itself, which has no organisation.
    await enqueueJob(6, { at: later(1) })
    await enqueueJob(7, { at: later(1), organisationId: b })
    let second = 1
    expect(await runDue(kind, { db, now: () => later(second++) })).toBe(7)
    expect(seen).toEqual([1, 5, 6, 2, 7, 3, 4])
  })

  test('R42: runs one job per organisation at a time, and reclaims the job of a dead worker', async () => {
    for (const n of [1, 2]) await enqueueJob(n, { organisationId: a })
    await enqueueJob(3, { organisationId: b })
    const keys: (string | undefined)[] = []
    for (const worker of ['x', 'y', 'z']) keys.push((await claimJob(db, kind, worker, AT))?.key)
    expect(keys).toEqual(['1', '3', undefined])
    expect((await claimJob(db, kind, 'z', later(61)))?.key).toBe('1')
    expect((await claimJob(db, kind, 'z', later(62)))?.key).toBe('3')
  })
})
