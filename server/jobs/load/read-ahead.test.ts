import { AsyncLocalStorage } from 'node:async_hooks'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { FeedRecord, FeedRow, FeedSource } from '#server/catalogue/feed/feed-source.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { Db, OpenDb } from '#server/platform/engine/db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { runAsTenant } from '#server/platform/engine/tenant.ts'
import { createTextNeedle } from '#server/platform/text/encoded-text-index.ts'
import { openReportMemory } from '#server/report/choose-report-queries.ts'
import { ContractEndIndex } from '#server/report/engine/ending-contracts.ts'
import type { ProjectColumns } from '#server/report/engine/project-columns.ts'
import { findReportPage } from '#server/report/find-report-page.ts'
import type { ReportScope } from '#server/report/report-scope.ts'
import { makeMigratedPostgres } from '../../../test/server/databases.ts'
import { addOrganisation, addUser } from '../../../test/world/report-world.ts'
import { runDataLoad, withDataLoadLease } from './run-load.ts'

const TODAY = '2026-11-20'
const ROWS = 4_500
/** Row at which the source pauses until the servers have polled. */
const LOOKED_AT = 4_010
const BEFORE = 700

const WORKS = ['ซื้อกล้องวงจรปิด', 'จ้างก่อสร้างถนน', 'ซื้อกล้อง สำรวจถ้ำ', 'จ้างเหมาทำความสะอาด']
/**
 * Returns a contract row. Every 50th row after 3,000 is the second contract of an earlier project, in this load or the
 * previous one.
 */
function contract(line: number): FeedRow {
  const project = line > 3_000 && line % 50 === 0 ? line - 2_900 : line
  return {
    line,
    record: {
      projectId: String(69_000_000_000 + project),
      name: `${WORKS[project % WORKS.length]} แห่งที่ ${project}`,
      deptName: `องค์การบริหารส่วนตำบล ${Math.floor(line / 100)}`,
      deptSubName: line % 2 === 0 ? 'กองช่าง' : '',
      deptProvince: line % 7 === 0 ? undefined : 30,
      projectProvince: line % 3 === 0 ? undefined : 31,
      method: project % 3 === 0 ? 'e_bidding' : `วิธีเฉพาะที่ ${Math.floor(line / 1_500)}`,
      methodType: 'buy',
      budgetSatang: line % 11 === 0 ? undefined : 100_000_000 + line,
      estimateSatang: 99_000_000 + line,
      biddingInvitedOn: '2026-11-10',
      submissionEndsOn: project % 6 === 0 ? '2026-11-25' : undefined,
      winnerAnnouncedOn: project % 4 === 0 ? '2026-11-15' : undefined,
      contracts: [1, 2, 3].slice(0, project % 4).map((nth) => ({
        contractNo: `${line}/${nth}`,
        winnerTin: String(105_500_000_000_0 + (line % 700)),
        winnerName: `บริษัท ผู้รับจ้าง ${line % 700} จำกัด`,
        amountSatang: 90_000_000 + line,
        signedOn: nth === 3 ? '2027-06-01' : '2026-11-16',
        endsOn: line % 5 === 0 ? undefined : `2027-0${nth + 2}-${10 + (line % 9)}`,
        status: line % 13 === 0 ? 'สิ้นสุดสัญญา' : 'ระหว่างดำเนินการ',
      })),
    },
  }
}

const SEARCHES: readonly ReportSearch[] = [
  {},
  { is_archived: true },
  { project_name__in: 'กล้อง<<ถ้ำ', ordering: 'project_budget' },
  { project_search__in: '"กล้อง สำรวจ"||ตำบล 37' },
  { project_budget__range: { min: 1_000_030, max: null }, ordering: '-project_budget' },
]

/**
 * Servers preload a load's projects before they are visible, and show them once it is published (decision 0043). The
 * embedded database has one session, so its servers read nothing while it loads.
 */
describe.skipIf(inject('postgres') === undefined)('a load that servers preload, on PostgreSQL', () => {
  let db: OpenDb
  let drop: () => Promise<void>
  let scope: ReportScope
  let read: string[]
  const memories: ReturnType<typeof openReportMemory>[] = []

  const remember = (megabytes = 256) => {
    const watched: Db = {
      ...db,
      query: (statement, options) => {
        if (options?.name?.startsWith('projects_')) read.push(options.name)
        return db.query(statement, options)
      },
    }
    const memory = openReportMemory(watched, { megabytes })
    memories.push(memory)
    return memory
  }
  /** Runs a query outside the publishing transaction, because a server is another process. */
  const outside = AsyncLocalStorage.snapshot()
  /** Returns a source that awaits `poll` at row `LOOKED_AT`, while earlier rows are being published. */
  const source = (poll: () => Promise<unknown>, from = 1): FeedSource => ({
    name: 'test',
    async *records(after: number) {
      for (let line = Math.max(after + 1, from); line <= ROWS; line += 1) {
        if (line === LOOKED_AT) await outside(poll)
        yield contract(line)
      }
    },
  })
  const load = (from: FeedSource, fingerprint = 'test:2', stagedFirst = 1) =>
    withDataLoadLease(db, (lease) =>
      runDataLoad(db, lease, from, { origin: 'test', fingerprint, today: TODAY, stagedFirst }),
    )
  const requestPage = async (memory: ReturnType<typeof openReportMemory> | undefined, search: ReportSearch) =>
    await runAsTenant({ organisationId: scope.organisationId, userId: scope.userId }, () =>
      findReportPage({ db, memory }, search, scope),
    )
  const agrees = async (memory: ReturnType<typeof openReportMemory>) => {
    const { sql: before } = memory.stats().answered
    for (const search of SEARCHES)
      expect(await requestPage(memory, search)).toEqual(await requestPage(undefined, search))
    expect(memory.stats().answered.sql).toBe(before)
  }
  const partCount = async () => {
    const [row] = await db.query<{ n: number }>(sql`select count(*)::int as n from ahead_parts`)
    return row!.n
  }
  /** Waits until this many parts of the running load are stored: a batch is written while the source continues. */
  const untilStored = async (parts: number) => {
    while ((await partCount()) < parts) await new Promise((resolve) => setImmediate(resolve))
  }

  beforeEach(async () => {
    const made = await makeMigratedPostgres()
    drop = made.drop
    db = createDb(await openPostgres(made.url))
    read = []
    const organisationId = await addOrganisation(db, { words: { include: ['กล้อง'], exclude: ['วงจรปิด แห่งที่ 9'] } })
    scope = { organisationId, userId: await addUser(db, organisationId), today: TODAY }
    const first: FeedSource = {
      name: 'test',
      async *records(after: number) {
        for (let line = after + 1; line <= BEFORE; line += 1) yield contract(line)
      },
    }
    await load(first, 'test:1', 20)
  })
  afterEach(async () => {
    await Promise.all(memories.splice(0).map((memory) => memory.close()))
    await db.close()
    await drop()
  })

  test('is invisible until published, then answered from the cache exactly as by SQL', async () => {
    const memory = remember()
    await memory.loadOrganisation(scope.organisationId)
    const before = await requestPage(undefined, {})
    await load(
      source(async () => {
        await untilStored(1)
        await memory.refresh()
        expect(read).toContain('projects_ahead')
        expect(memory.stats().projects).toBe(BEFORE)
        expect(await requestPage(memory, {})).toEqual(before)
      }),
    )
    read = []
    expect(await requestPage(memory, {})).not.toEqual(before)
    await memory.loadOrganisation(scope.organisationId)
    expect(read.filter((name) => name.startsWith('projects_page'))).toEqual([])
    await agrees(memory)
    const fresh = remember()
    await fresh.loadOrganisation(scope.organisationId)
    expect(memory.stats().projects).toBe(fresh.stats().projects)
    expect(await describeProjects(memory)).toEqual(await describeProjects(fresh))
  })

  test('that is stopped shows nothing, and a rerun reads it again', async () => {
    const memory = remember()
    await memory.loadOrganisation(scope.organisationId)
    const before = await requestPage(undefined, {})
    const stopped = source(async () => {
      await untilStored(1)
      await memory.refresh()
      throw new Error('stopped by hand')
    })
    await expect(load(stopped)).rejects.toThrow('stopped by hand')
    await memory.refresh()
    expect(memory.stats().projects).toBe(BEFORE)
    expect(await requestPage(memory, {})).toEqual(before)
    await load(
      source(async () => {
        await untilStored(1)
        await memory.refresh()
      }, 1_500),
      'test:3',
    )
    await memory.loadOrganisation(scope.organisationId)
    await agrees(memory)
    const fresh = remember()
    await fresh.loadOrganisation(scope.organisationId)
    expect(await describeProjects(memory)).toEqual(await describeProjects(fresh))
  })

  test('works together with a second preloaded load that changes one of its projects', async () => {
    const memory = remember()
    await memory.loadOrganisation(scope.organisationId)
    await load(
      source(async () => {
        await untilStored(2)
        await memory.refresh()
      }),
    )
    const changed: FeedSource = {
      name: 'test',
      async *records() {
        const { record } = contract(2_000) as { readonly record: FeedRecord }
        yield { line: 1, record: { ...record, name: 'ซื้อกล้องที่เปลี่ยนแล้ว', budgetSatang: 5 } }
      },
    }
    read = []
    await load(changed, 'test:3', 20)
    await memory.loadOrganisation(scope.organisationId)
    await agrees(memory)
    // Only the second load's projects are loaded; three pages would mean those of the first load.
    expect(read.filter((name) => name.startsWith('projects_page'))).toEqual(['projects_page_of_load'])
    const fresh = remember()
    await fresh.loadOrganisation(scope.organisationId)
    expect(await describeProjects(memory)).toEqual(await describeProjects(fresh))
  })

  test('is read at publication when its parts are damaged, missing or beyond the memory budget', async () => {
    const damaged = remember()
    const missing = remember()
    const complete = remember()
    for (const memory of [damaged, missing, complete]) await memory.loadOrganisation(scope.organisationId)
    const small = remember((complete.stats().bytes + 1_000) / 2 ** 20)
    await small.loadOrganisation(scope.organisationId)
    await load(
      source(async () => {
        await untilStored(2)
        await small.refresh()
        expect(small.stats()).toMatchObject({ projects: BEFORE, organisations: 1 })
        await db.execute(sql`update ahead_parts set bytes = '\\x00'::bytea where part = 1`)
        await damaged.refresh()
        await db.execute(sql`delete from ahead_parts where part = 1`)
        await missing.refresh()
        expect([damaged, missing].map((memory) => memory.stats().projects)).toEqual([BEFORE, BEFORE])
      }),
    )
    const fresh = remember()
    await fresh.loadOrganisation(scope.organisationId)
    for (const memory of [damaged, missing]) {
      await memory.loadOrganisation(scope.organisationId)
      await agrees(memory)
      expect(await describeProjects(memory)).toEqual(await describeProjects(fresh))
    }
    await small.loadOrganisation(scope.organisationId)
    expect(small.stats().projects).toBe(0)
    for (const search of SEARCHES)
      expect(await requestPage(small, search)).toEqual(await requestPage(undefined, search))
  })

  async function describeProjects(memory: ReturnType<typeof openReportMemory>): Promise<Map<string, object>> {
    const { query } = (await runAsTenant({ organisationId: scope.organisationId, userId: scope.userId }, () =>
      memory.prepareMarket({}, scope),
    ))!
    const { columns } = query
    const rows = await db.query<{ id: string; name: string }>(
      sql`select project_id as id, name_spaced as name from projects order by 1`,
    )
    expect(columns.size).toBe(rows.length)
    return new Map(rows.map(({ id, name }) => [id, described(columns, id, name)]))
  }
})

function described(columns: ProjectColumns, id: string, name: string): object {
  const row = columns.rowOf(Number(id.padEnd(14, '0')) * 16 + id.length)!
  const kind = columns.kind[row]!
  const { kinds } = columns
  const ends: number[] = []
  for (let from = 0; ends.length < 9; from = ends.at(-1)! + 1) {
    const next = columns.contractEnds.nextOf(row, from)
    ends.push(next)
    if (next === new ContractEndIndex().nextOf(0, 0)) break
  }
  return {
    name: columns.titles.contains(
      row,
      createTextNeedle({ form: name, quoted: true, guardStart: false, guardEnd: false }),
    ),
    kind: Object.values(kinds.valueOf).map((values, at) => Object.values(kinds.values)[at]![values[kind]!]),
    is: [kinds.isSme, kinds.isArchived, kinds.isAwarded].map((is) => is[kind]),
    bidStates: [...kinds.bidStates.subarray(kind * 3, kind * 3 + 3)],
    provinces: columns.provinces[row],
    facts: [...columns.facts.subarray(row * 8 + 1, row * 8 + 8)],
    department: [
      columns.departments.spaced[columns.department[row]!],
      columns.departments.compact[columns.department[row]!],
    ],
    departmentProvince: columns.departmentProvinces[columns.department[row]!],
    winner: columns.winners.spaced[columns.winner[row]!],
    money: Object.values(columns.money).map((amounts) => amounts[row]),
    days: Object.values(columns.days).map((days) => days[row]),
    ends,
  }
}
