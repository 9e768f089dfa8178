import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readServerMetricHistory } from '#server/operation/admin/metric-history.ts'
import { computeQuantileMs } from '#server/operation/admin/metric-minutes.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { createRequestCountsByMinute } from './request-minute-counts.ts'

test('computeQuantileMs reads median and 99th percentile from the histogram, linearly within a bucket', () => {
  expect(computeQuantileMs([], 0.5)).toBeUndefined()
  const times = [0, 0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 1]
  expect(computeQuantileMs(times, 0.5)).toBeCloseTo(25 + 0.55 * 35)
  expect(computeQuantileMs(times, 0.99)).toBe(15_000)
})

onEachEngine('minute metrics', (makeDb) => {
  let db: OpenDb
  let now: Date
  const clock = () => now
  const go = (minutes: number) => {
    now = new Date(now.getTime() + minutes * 60_000)
  }
  const hour = () => readServerMetricHistory(db, 'hour', now)
  beforeAll(async () => {
    db = await makeDb()
  })
  afterAll(() => db.script('truncate metric_minutes'))
  beforeEach(async () => {
    now = new Date('2026-11-23T02:01:00Z')
    await db.script('truncate metric_minutes, jobs, mails')
  })

  test('are counted per process, summed per step, and null where no server ran', async () => {
    const [first, second] = [createRequestCountsByMinute(db, clock), createRequestCountsByMinute(db, clock)]
    for (let n = 0; n < 3; n += 1) first.count({ status: 200, ms: 40, isReport: true })
    first.count({ status: 503, ms: 4, isReport: false })
    second.count({ status: 404, ms: 4, isReport: false })
    go(1)
    await first.write()
    await second.write()
    go(1)
    await first.write()
    const points = await hour()
    expect(points).toHaveLength(12)
    expect(points[0]).toMatchObject({ at: '2026-11-23T01:05:00.000Z', requests: null, reportP99Ms: null, jobsDone: 0 })
    expect(points.at(-1)).toMatchObject({
      ...{ at: '2026-11-23T02:00:00.000Z', requests: 5, errors: 1, reportPages: 3, jobsDue: 0 },
    })
    expect(points.at(-1)!.reportHalfMs).toBeCloseTo(25 + 35 / 2)
    expect(points.at(-1)!.memoryMb).toBeGreaterThan(10)
    const day = await readServerMetricHistory(db, 'two-days', now)
    // Intervals of two hours begin at even hours in Bangkok.
    expect([day.length, day.at(-1)!.at, day.at(-1)!.requests]).toEqual([24, '2026-11-23T01:00:00.000Z', 5])
  })

  test('count jobs and mails by when they ended, and the jobs that were due', async () => {
    const at = sql`${now.toISOString()}::timestamptz`
    await db.execute(sql`
      insert into jobs (kind, key, payload, state, requested_at, run_at, finished_at)
      values ('match', '1', '{}', 'done', ${at}, ${at}, ${at}), ('match', '2', '{}', 'dead', ${at}, ${at}, ${at}), ('mail', '3', '{}', 'done', ${at}, ${at}, ${at}),
        ('match', '4', '{}', 'waiting', ${at}, ${at}, null), ('match', '5', '{}', 'waiting', ${at}, ${at} + interval '1 day', null)`)
    await db.execute(sql`
      insert into mails (kind, dedupe_key, message_id, created_at, settled_at, state)
      values ('x', 'a', 'a', ${at}, ${at}, 'sent'), ('x', 'b', 'b', ${at}, ${at}, 'failed')`)
    const counts = createRequestCountsByMinute(db, clock)
    go(1)
    await counts.write()
    expect((await hour()).at(-1)).toMatchObject({ jobsDone: 1, jobsDead: 1, jobsDue: 1, mailsSent: 1, mailsFailed: 1 })
  })

  test('are retried while database unavailable and deleted after 48 hours', async () => {
    let isAway = true
    const away = {
      ...db,
      execute: async (...args: Parameters<typeof db.execute>) => {
        if (isAway) throw new Error('away')
        return await db.execute(...args)
      },
    }
    const counts = createRequestCountsByMinute(away, clock)
    counts.count({ status: 503, ms: 1, isReport: false })
    go(1)
    await expect(counts.write()).rejects.toThrow('away')
    isAway = false
    counts.count({ status: 200, ms: 1, isReport: false })
    go(1)
    await counts.write()
    expect(await db.query(sql`select requests, errors, jobs_due from metric_minutes order by at`)).toEqual([
      { requests: 1, errors: 1, jobs_due: null },
      { requests: 1, errors: 0, jobs_due: 0 },
    ])
    go(48 * 60)
    await counts.write()
    expect(await db.query(sql`select count(*)::int as n from metric_minutes`)).toEqual([{ n: 1 }])
  })
})
