import { isDeepStrictEqual } from 'node:util'
import sql from 'sql-template-tag'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { FeedFormatError, type FeedRow, type FeedSource } from '#server/catalogue/feed/feed-source.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { computeContentSums } from '../../../bench/data/content-sums.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { emptyTables } from '../../../test/server/empty-tables.ts'
import { addOrganisation } from '../../../test/world/report-world.ts'
import { type RunDataLoadOptions, runDataLoad, withDataLoadLease } from './run-load.ts'

const TODAY = '2026-11-20'
const ROWS = 6_500
const REJECTED = 16
/** Stages one chunk and publishes the rest while it is read; the embedded database stages everything. */
const ALONG = { stagedFirst: 1 }

const WORKS = ['ซื้อกล้องวงจรปิด', 'จ้างก่อสร้างถนน', 'ซื้อกล้องสำรวจถ้ำ', 'จ้างเหมาทำความสะอาด']
/**
 * Returns a contract row. The contracts are of many companies and departments; every 50th row is the second contract of
 * a project 4,500 rows earlier, and every 400th row is invalid.
 */
function contract(line: number): FeedRow {
  if (line % 400 === 0) return { line, rejected: { reason: 'แถวเสีย', raw: `แถวที่ ${line}` } }
  const isSecond = line > 4_500 && line % 50 === 0
  const project = isSecond ? line - 4_501 : line
  return {
    line,
    record: {
      projectId: String(69_000_000_000 + project),
      name: `${WORKS[project % WORKS.length]} แห่งที่ ${project}`,
      deptName: `องค์การบริหารส่วนตำบล ${project % 60}`,
      deptProvince: 30,
      projectProvince: 30,
      method: project % 3 === 0 ? 'e_bidding' : `วิธีเฉพาะที่ ${Math.floor(line / 1_500)}`,
      methodType: 'buy',
      budgetSatang: 100_000_000 + line,
      biddingInvitedOn: '2026-11-10',
      winnerAnnouncedOn: project % 4 === 0 ? '2026-11-15' : undefined,
      contracts:
        project % 5 === 0
          ? []
          : [
              {
                contractNo: String(line),
                winnerTin: String(105_500_000_000_0 + (line % 700)),
                winnerName: `บริษัท ผู้รับจ้าง ${line % 700} จำกัด`,
                amountSatang: 90_000_000 + line,
                signedOn: '2026-11-16',
                endsOn: '2027-03-31',
                status: 'ระหว่างดำเนินการ',
              },
            ],
    },
  }
}

const sourceOf = (count: number, item: (line: number) => FeedRow = contract): FeedSource => ({
  name: 'test',
  async *records(after: number) {
    for (let line = after + 1; line <= count; line += 1) yield item(line)
  },
})

onEachEngine('a load that is published as it is read', (makeDb) => {
  let db: OpenDb
  beforeAll(async () => {
    db = await makeDb()
  })
  const empty = () =>
    emptyTables(
      db,
      'project_matches',
      'match_exclusions',
      'project_filters',
      'project_texts',
      'department_texts',
      'match_words',
      'company_figures',
      'company_slices',
      'department_spending',
      'projects',
      'contracts',
      'loads',
      'organisations',
      'companies',
      'project_traits',
      'project_spending',
      'company_projects',
      'stale_departments',
      'departments',
      'job_leases',
      'match_values',
    )
  beforeEach(empty)

  const load = (source: FeedSource, options: Partial<RunDataLoadOptions> = {}) =>
    withDataLoadLease(db, (lease) =>
      runDataLoad(db, lease, source, { origin: 'test', fingerprint: 'test:1', today: TODAY, ...options }),
    )
  const watch = () => addOrganisation(db, { words: { include: ['กล้อง'], exclude: ['ถ้ำ'] } })
  const states = () =>
    db.query(sql`select state, read_rows as read, staged_rows as staged, quarantined_rows as quarantined from loads`)
  const count = async (table: 'projects' | 'quarantined_rows' | 'project_traits') => {
    const tables = {
      projects: sql`projects`,
      quarantined_rows: sql`quarantined_rows`,
      project_traits: sql`project_traits`,
    }
    const [row] = await db.query<{ n: number }>(sql`select count(*)::int as n from ${tables[table]}`)
    return row!.n
  }
  const left = async () => {
    const matches = await db.query<object>(
      sql`select m.project_id, m.changed_load is null as old from project_matches m order by 1`,
    )
    const excluded = await db.query<object>(sql`select x.project_id, x.word from match_exclusions x order by 1`)
    const rejected = await db.query<object>(sql`select q.line, q.raw from quarantined_rows q order by 1`)
    const sums = await computeContentSums(db)
    for (const table of ['projects', 'project_matches']) sums.delete(table)
    const projects = await db.query<object>(sql`
      select p.project_id, p.name, p.status, p.winner_satang, p.budget_satang from projects p order by 1`)
    return { matches, excluded, rejected, sums: [...sums], projects }
  }

  test('stores and reports the same as a staged load', async () => {
    await watch()
    const staged = await load(sourceOf(ROWS))
    const expected = await left()
    await empty()
    await watch()
    const along = await load(sourceOf(ROWS), ALONG)
    const of = ({ loadId: _, seconds: __, ...counts }: typeof along) => counts
    expect(of(along)).toEqual(of(staged))
    expect(along).toMatchObject({ read: ROWS, quarantined: REJECTED, updatedProjects: 0 })
    expect(along.matched).toBeGreaterThan(1_000)
    expect(along.excluded).toBeGreaterThan(1_000)
    const is = await left()
    for (const kind of Object.keys(expected) as (keyof typeof expected)[]) {
      expect(is[kind].length, kind).toBe(expected[kind].length)
      expect(
        is[kind].filter((row, index) => !isDeepStrictEqual(row, expected[kind][index])),
        kind,
      ).toEqual([])
    }
    expect(await states()).toEqual([{ state: 'published', read: ROWS, staged: ROWS - REJECTED, quarantined: REJECTED }])
  }, 120_000)

  test('that proves unusable midway shows nothing, keeps its rejected rows and is marked failed', async () => {
    const broken = sourceOf(ROWS, (line) => {
      if (line === 6_000) throw new FeedFormatError('ขาดตอนหลังบรรทัดที่ 5999')
      return contract(line)
    })
    await expect(load(broken, ALONG)).rejects.toThrow(FeedFormatError)
    expect([await count('projects'), await count('project_traits')]).toEqual([0, 0])
    expect(await db.query(sql`select state, failure from loads`)).toEqual([
      { state: 'failed', failure: 'ขาดตอนหลังบรรทัดที่ 5999' },
    ])
    expect(await count('quarantined_rows')).toBeGreaterThanOrEqual(12)
  })

  test('that is stopped midway shows nothing, and a rerun publishes it once', async () => {
    const stop = new AbortController()
    const stopped = sourceOf(ROWS, (line) => {
      if (line === 6_000) stop.abort(new Error('stopped by hand'))
      return contract(line)
    })
    await expect(load(stopped, { ...ALONG, signal: stop.signal })).rejects.toThrow('stopped by hand')
    expect([await count('projects'), await count('project_traits')]).toEqual([0, 0])
    expect(await states()).toMatchObject([{ state: 'staging' }])
    const report = await load(sourceOf(ROWS), ALONG)
    expect(report).toMatchObject({ read: ROWS, staged: ROWS - REJECTED, quarantined: REJECTED })
    expect(report.resumedAfterLine).toBeGreaterThanOrEqual(1_000)
    expect(await count('project_traits')).toBe(report.newProjects)
    expect(await states()).toEqual([{ state: 'published', read: ROWS, staged: ROWS - REJECTED, quarantined: REJECTED }])
  })

  test('is published even when writing derived data fails, which is then derived afterwards', async () => {
    // A sequence is not rolled back with its transaction, so only the first write fails.
    await db.script(`
      create sequence failures;
      create function fail_once() returns trigger language plpgsql as $$
        begin if nextval('failures') = 1 then raise exception 'no room'; end if; return null; end $$;
      create trigger fail_once after insert on project_traits for each statement execute function fail_once()`)
    try {
      const failing = load(sourceOf(ROWS), ALONG)
      if (db.engine === 'postgres') expect(await failing).toMatchObject({ read: ROWS })
      // The embedded database publishes first and derives afterwards, so the next call completes what failed.
      else await failing.catch(() => load(sourceOf(1), { fingerprint: 'test:2' }))
      expect(await count('project_traits')).toBe(await count('projects'))
    } finally {
      await db.script('drop trigger fail_once on project_traits; drop function fail_once; drop sequence failures')
    }
  })
})
