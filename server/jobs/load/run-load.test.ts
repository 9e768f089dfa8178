import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sql from 'sql-template-tag'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { FeedRow, FeedSource } from '#server/catalogue/feed/feed-source.ts'
import type { DataLoadProgress } from '#server/catalogue/feed/load-report.ts'
import { importProjectFile } from '#server/jobs/intake/import-data-file.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { JobLease } from '#server/platform/queue/job-lease.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { emptyTables } from '../../../test/server/empty-tables.ts'
import { DataLoadInProgressError, type RunDataLoadOptions, runDataLoad, withDataLoadLease } from './run-load.ts'

const TODAY = '2026-11-20'

function sourceOf(items: (line: number) => FeedRow | undefined, count: number): FeedSource {
  return {
    name: 'test',
    async *records(after: number) {
      for (let line = after + 1; line <= count; line += 1) {
        const item = items(line)
        if (item) yield item
      }
    },
  }
}

const project = (line: number): FeedRow => ({
  line,
  record: {
    projectId: String(69_000_000_000 + line),
    name: `โครงการก่อสร้างถนนคอนกรีตเสริมเหล็ก สายที่ ${line}`,
    deptName: 'องค์การบริหารส่วนตำบลตัวอย่าง',
    deptProvince: 30,
    projectProvince: 30,
    budgetSatang: 100_000_000,
    biddingInvitedOn: '2026-11-10',
    announcements: [{ movement: 'w1', announcedOn: '2026-11-10' }],
  },
})

onEachEngineInTurn('a load', (makeDb) => {
  let db: OpenDb
  beforeAll(async () => {
    db = await makeDb()
  })
  beforeEach(async () => {
    await emptyTables(db, 'projects', 'loads', 'project_matches', 'job_leases')
  })
  const load = (source: FeedSource, options: Partial<RunDataLoadOptions> = {}) =>
    withDataLoadLease(db, (lease: JobLease) =>
      runDataLoad(db, lease, source, { origin: 'test', fingerprint: 'test:1', today: TODAY, ...options }),
    )
  const visible = async () => (await db.query<{ n: number }>(sql`select count(*) as n from projects`))[0]!.n
  const states = async () => await db.query(sql`select state, new_projects from loads order by id`)

  test('becomes visible whole, with its counts and its progress', async () => {
    const phases: DataLoadProgress['phase'][] = []
    const seen: number[] = []
    const report = await load(sourceOf(project, 1_500), {
      onProgress: ({ phase, done }) => {
        if (phases.at(-1) !== phase) phases.push(phase)
        if (phase === 'read') seen.push(done)
      },
    })
    expect(report).toMatchObject({
      read: 1_500,
      staged: 1_500,
      quarantined: 0,
      newProjects: 1_500,
      resumedAfterLine: 0,
    })
    expect(phases).toEqual(['read', 'publish', 'match', 'derive', 'tidy'])
    expect(seen).toEqual([1_000, 1_500])
    expect(await visible()).toBe(1_500)
    expect(await states()).toEqual([{ state: 'published', new_projects: 1_500 }])
  })

  test('that is stopped while reading shows nothing and resumes where it stopped', async () => {
    const stop = new AbortController()
    const stopped = load(
      sourceOf((line) => {
        if (line === 1_200) stop.abort(new Error('stopped by hand'))
        return project(line)
      }, 2_500),
      { signal: stop.signal },
    )
    await expect(stopped).rejects.toThrow('stopped by hand')
    expect(await visible()).toBe(0)
    const lines: number[] = []
    const report = await load(
      sourceOf((line) => {
        lines.push(line)
        return project(line)
      }, 2_500),
    )
    expect(report).toMatchObject({ resumedAfterLine: 1_000, read: 2_500, newProjects: 2_500 })
    expect(lines[0]).toBe(1_001)
    expect(await states()).toEqual([{ state: 'published', new_projects: 2_500 }])
  })

  test('that the database rejects while publishing shows nothing and is marked failed', async () => {
    const tooLate: FeedRow = {
      line: 2,
      record: {
        ...(project(2) as { record: object }).record,
        projectId: '69000000002',
        biddingInvitedOn: '2026-13-45',
      },
    }
    await expect(load(sourceOf((line) => (line === 2 ? tooLate : project(line)), 3))).rejects.toThrow()
    expect(await visible()).toBe(0)
    expect(await db.query(sql`select state, failure is not null as told from loads`)).toEqual([
      { state: 'failed', told: true },
    ])
  })

  test('does not queue: a second load is refused while one runs', async () => {
    const inside = withDataLoadLease(
      db,
      async () => await withDataLoadLease(db, async () => 'never').catch((error: unknown) => error),
    )
    expect(await inside).toBeInstanceOf(DataLoadInProgressError)
  })

  test('of a file writes its rejected rows next to it, safe for spreadsheets', async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'tamngan-import-'))
    const file = path.join(dataDir, 'projects.csv')
    const rows = [
      'project_id,project_name,dept_name',
      '69010000001,ซื้อกล้องวงจรปิด,กรมตัวอย่าง',
      '=HYPERLINK(1),ไม่มีเลขที่ใช้ได้,กรมตัวอย่าง',
    ]
    await writeFile(file, rows.join('\n'))
    const report = await importProjectFile(db, { file }, { dataDir })
    expect(report.read).toBe(report.staged + report.quarantined)
    expect(report).toMatchObject({ staged: 1, quarantined: 1, newProjects: 1 })
    const csv = await readFile(report.quarantineFile!, 'utf8')
    expect(csv).toMatch(/^\uFEFFline,reason,row\r\n3,"(?:[^"]|"")+","'=HYPERLINK\(1\),(?:[^"]|"")+"\r\n$/)
    await rm(dataDir, { recursive: true })
  })
})
