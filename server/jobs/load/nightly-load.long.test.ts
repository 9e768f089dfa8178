import sql from 'sql-template-tag'
import { beforeAll, expect, test } from 'vitest'
import { createNextDemoDataLoadStep } from '#sample/sample-days.ts'
import { seedDemoData } from '#sample/seed-projects.ts'
import { readLatestDemoDay } from '#server/catalogue/feed/demo-source.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { releaseAllLeases } from '#server/platform/queue/queries.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { runDueNightlyLoad, runNightlyLoad } from './nightly-load.ts'
import { DataLoadInProgressError } from './run-load.ts'

/** Returns the options of a nightly load at 02:00 in Bangkok. */
const night = (day: string) => ({
  now: () => new Date(`${day}T02:00:00+07:00`),
  nextDemoStep: createNextDemoDataLoadStep,
})

onEachEngine('the nightly load', (makeDb) => {
  let db: OpenDb
  beforeAll(async () => {
    db = await makeDb()
    // 22 November is a Sunday, so the last announcements were on Friday the 20th.
    await seedDemoData(db, { now: night('2026-11-22').now, days: 40 })
  })
  const latestLoad = async () =>
    (
      await db.query<{ news: number; source: string }>(sql`
      select new_projects + updated_projects as news, source from loads where state = 'published' order by id desc limit 1`)
    )[0]!

  test('has a load with news after the first fill, even on a Sunday', async () => {
    expect(await readLatestDemoDay(db)).toBe('2026-11-22')
    expect((await latestLoad()).news).toBeGreaterThan(0)
  })

  test('is not due again on the day of the first fill', async () => {
    expect(await runDueNightlyLoad(db, night('2026-11-22'))).toBeUndefined()
  })

  test('run by hand moves the demo data to the next working day', async () => {
    const report = await runNightlyLoad(db, night('2026-11-22'))
    expect(await readLatestDemoDay(db)).toBe('2026-11-23')
    expect(report.newProjects).toBeGreaterThan(0)
    expect(report.updatedProjects).toBeGreaterThan(0)
  })

  test('runs once a day, even when two processes find it due at the same time', async () => {
    const outcomes = await Promise.allSettled([
      runDueNightlyLoad(db, night('2026-11-25')),
      runDueNightlyLoad(db, night('2026-11-25')),
    ])
    const reports = outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value !== undefined)
    expect(reports).toHaveLength(1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(DataLoadInProgressError)
    expect(await readLatestDemoDay(db)).toBe('2026-11-25')
  })

  test('only refreshes date-dependent data when the demo data is ahead of today', async () => {
    await runNightlyLoad(db, night('2026-11-25'))
    const report = await runDueNightlyLoad(db, night('2026-11-26'))
    expect(report).toMatchObject({ read: 0, newProjects: 0 })
    expect((await latestLoad()).source).toBe('nightly')
  })

  test('fails a load that was started a week ago and never finished', async () => {
    await db.script(`
      insert into loads (source, origin, fingerprint, state, started_at) values
        ('cgd-csv', 'old.csv', 'x:old', 'staging', now() - interval '8 days'), ('cgd-csv', 'new.csv', 'x:new', 'staging', now());
      insert into staged_chunks select id, 0, 1, '[]' from loads where origin = 'old.csv'`)
    await runDueNightlyLoad(db, night('2026-11-27'))
    const states = await db.query(sql`select origin, state from loads where origin like '%.csv' order by origin desc`)
    expect(states).toEqual([
      { origin: 'old.csv', state: 'failed' },
      { origin: 'new.csv', state: 'staging' },
    ])
    expect(await db.query(sql`select 1 from staged_chunks`)).toEqual([])
  })

  test('releases all leases', async () => {
    expect(await db.query(sql`select name from job_leases`)).toEqual([])
    await releaseAllLeases(db)
  })
})
