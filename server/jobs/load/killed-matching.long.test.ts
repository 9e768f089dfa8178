import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { openFeedFile } from '#server/catalogue/feed/open-feed-file.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import { enqueueProjectMatchJob } from '#server/matching/match-requests.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { migrateDatabase } from '#server/platform/engine/migrate-database.ts'
import { openDb } from '#server/platform/engine/open-db.ts'
import { releaseAllLeases } from '#server/platform/queue/queries.ts'
import { jobsOf, runDue } from '../../../test/jobs.ts'
import { killOnOutput } from '../../../test/server/killed-process.ts'
import { addLoad, addOrganisation, setWords } from '../../../test/world/report-world.ts'
import { projectMatchJob } from '../match-job.ts'
import { runDataLoad, withDataLoadLease } from './run-load.ts'

const PROJECTS = 6_000
const WORKER = path.join(import.meta.dirname, 'match-worker-for-tests.ts')
const LOADER = path.join(import.meta.dirname, 'loader-for-tests.ts')
const TODAY = '2026-06-15'

async function addProjects(db: Db): Promise<void> {
  const load = await addLoad(db)
  await db.execute(sql`insert into departments (name, sub_name, province) values ('กรมทดสอบ', '', 10)`)
  await db.execute(sql`
    insert into projects (project_id, name, name_search, name_spaced, department_id, project_province, status, movement, movement_on, method, method_type,
      source, first_load, changed_load, written_load)
    select (67000000000 + g)::text, 'ซื้อกล้อง', 'ซื้อกล้อง', 'ซื้อกล้อง', d.id, 10, 'in_progress', 'invited', date '2026-11-10' - g % 300, 'e_bidding', 'buy',
      'test', ${load}::bigint, ${load}::bigint, ${load}::bigint
    from generate_series(1, ${PROJECTS}::int) g cross join departments d`)
  await db.transaction((tx) => matchDataLoadProjects(tx, load))
}

test('the next worker finishes a matching killed with SIGKILL: every project once, none lost', async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'tamngan-killed-'))
  const before = await openDb({ dataDir })
  await migrateDatabase(before)
  const organisation = await addOrganisation(before, { words: {} })
  await addProjects(before)
  await before.transaction(async (tx) => {
    await setWords(tx, organisation, { include: ['กล้อง'] })
    await enqueueProjectMatchJob(tx, organisation, { expressions: ['กล้อง'] }, new Date())
  })
  await before.close()
  await killOnOutput(WORKER, [dataDir], /^[1-9]\d*$/m)

  const db = await openDb({ dataDir })
  try {
    const matched = async () => (await db.query<{ n: number }>(sql`select count(*) as n from project_matches`))[0]!.n
    expect(await matched()).toBeGreaterThan(0)
    expect(await matched()).toBeLessThan(PROJECTS)
    expect(await jobsOf(db, 'match')).toMatchObject([{ state: 'running' }])
    // Release the leases like the server does when it opens a folder that no other process can have open.
    await releaseAllLeases(db)
    expect(await runDue(projectMatchJob, { db, now: new Date() })).toBe(1)
    expect(await matched()).toBe(PROJECTS)
    expect(await jobsOf(db, 'match')).toMatchObject([{ state: 'done', attempts: 2 }])
  } finally {
    await db.close()
  }
}, 240_000)

test('a load killed while matching shows nothing; one rerun completes it, a second changes nothing', async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'tamngan-killed-'))
  const file = path.join(dataDir, 'projects.csv')
  const rows = Array.from({ length: 3_000 }, (_, i) => `${68_010_000_000 + i},${NAMES[i % 3]},กรมทดสอบ,${i}`)
  writeFileSync(file, ['project_id,project_name,dept_name,project_money', ...rows].join('\n'))
  const before = await openDb({ dataDir })
  await migrateDatabase(before)
  const organisation = await addOrganisation(before, {
    words: { include: ['กล้อง'], ai_include: ['รถขุดตีนตะขาบ'], exclude: ['เช่า'] },
    config: { search_by_ai: true },
  })
  await before.execute(sql`
    insert into match_rescues (organisation_id, project_id, list, word) values (${organisation}::int, '68010000002', 'exclude', 'เช่า')`)
  await before.close()
  await killOnOutput(LOADER, [dataDir, file, TODAY], /^match [12]000$/m)

  const db = await openDb({ dataDir })
  const counts = async () =>
    (
      await db.query(sql`
        select (select count(*) from projects) as projects, (select count(*) from project_matches) as matches, (select count(*) from match_exclusions) as hidden`)
    )[0]
  const load = async (fingerprint?: string) => {
    const feed = await openFeedFile(file)
    return await withDataLoadLease(db, (lease) =>
      runDataLoad(db, lease, feed.source, {
        origin: file,
        fingerprint: fingerprint ?? feed.fingerprint,
        today: TODAY,
      }),
    )
  }
  try {
    expect(await counts()).toEqual({ projects: 0, matches: 0, hidden: 0 })
    await releaseAllLeases(db)
    expect(await load()).toMatchObject({ newProjects: 3_000, matched: 2_001, excluded: 999 })
    expect(await counts()).toEqual({ projects: 3_000, matches: 2_001, hidden: 999 })
    const by = await db.query(sql`select matched_by, count(*) as n from worded_matches group by 1 order by 2`)
    expect(by).toEqual([
      { matched_by: ['ai'], n: 1_000 },
      { matched_by: ['name'], n: 1_001 },
    ])
    expect(await load('the same content again')).toMatchObject({ newProjects: 0, updatedProjects: 0 })
    expect(await counts()).toEqual({ projects: 3_000, matches: 2_001, hidden: 999 })
    expect(
      await db.query(sql`select 1 from project_matches where changed_load is not null and changed_load <> first_load`),
    ).toEqual([])
  } finally {
    await db.close()
  }
}, 240_000)

const NAMES = ['ซื้อกล้อง', 'จ้างเหมารถขุดตีนตะขาบ', 'เช่ากล้อง']
