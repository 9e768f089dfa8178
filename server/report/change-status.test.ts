import sql from 'sql-template-tag'
import { beforeAll, expect, test } from 'vitest'
import type { FeedRecord, FeedSource } from '#server/catalogue/feed/feed-source.ts'
import { publishDataLoad } from '#server/catalogue/feed/load.ts'
import { stageDataLoad } from '#server/catalogue/feed/stage-load.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import { rematchOrganisation } from '#server/matching/rematch-organisation.ts'
import type { Db, OpenDb } from '#server/platform/engine/db.ts'
import { loadReportPage } from '#server/report/sql/sql-report-engine.ts'
import { onEachEngine } from '../../test/server/databases.ts'
import { addOrganisation, addUser, setWords } from '../../test/world/report-world.ts'
import type { ReportScope } from './report-queries.ts'
import { presentReportRow } from './report-rows.ts'

const TODAY = '2026-11-21'

const RECORD: FeedRecord = {
  projectId: '67000000001',
  name: 'ประกวดราคาซื้อกล้องวงจรปิด',
  deptName: 'เทศบาลตัวอย่าง',
  deptSubName: 'กองช่าง',
  projectProvince: 10,
  method: 'e_bidding',
  methodType: 'buy',
  budgetSatang: 100_000_000,
  biddingInvitedOn: '2026-11-10',
  submissionEndsOn: '2026-11-25',
}

const source = (records: readonly FeedRecord[]): FeedSource => ({
  name: 'test',
  async *records() {
    for (const [i, record] of records.entries()) yield { line: i + 1, record }
  },
})

let fingerprint = 0
async function publish(db: Db, records: readonly FeedRecord[]): Promise<void> {
  fingerprint += 1
  const { loadId } = await stageDataLoad(db, source(records), { origin: 'test', fingerprint: String(fingerprint) })
  await db.transaction(async (tx) => {
    await publishDataLoad(tx, loadId, { today: TODAY })
    await matchDataLoadProjects(tx, loadId)
  })
}

onEachEngine('change status', (makeDb) => {
  let db: OpenDb
  let scope: ReportScope
  const report = async (of = scope) => {
    const { rows, ...page } = await loadReportPage(db, {}, of)
    return { counts: { new: page.new, updated: page.updated }, rows: rows.map(presentReportRow) }
  }

  beforeAll(async () => {
    db = await makeDb()
    const organisationId = await addOrganisation(db, { words: { include: ['กล้อง'] } })
    scope = { organisationId, userId: await addUser(db, organisationId), today: TODAY }
  })

  test('a project that the load announced is New', async () => {
    await publish(db, [RECORD, { ...RECORD, projectId: '67000000002' }])
    expect(await report()).toMatchObject({
      counts: { new: 2, updated: 0 },
      rows: [{ change_status: 'new', changes: [] }, { change_status: 'new' }],
    })
  })

  test('loading the same data again makes nothing Updated', async () => {
    await publish(db, [RECORD, { ...RECORD, projectId: '67000000002' }])
    expect((await report()).counts).toEqual({ new: 0, updated: 0 })
  })

  test('a changed date makes a project Updated, with old and new value', async () => {
    await publish(db, [
      { ...RECORD, submissionEndsOn: '2026-12-01' },
      { ...RECORD, projectId: '67000000003' },
    ])
    const { counts, rows } = await report()
    expect(counts).toEqual({ new: 1, updated: 1 })
    expect(rows.map((row) => [row.project_id, row.change_status])).toEqual([
      ['67000000001', 'updated'],
      ['67000000002', 'no_change'],
      ['67000000003', 'new'],
    ])
    expect(rows[0]!.changes).toMatchObject([{ field: 'submission_end_date', old: '2026-11-25', new: '2026-12-01' }])
    expect(rows[0]!.changes[0]!.seen_at).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
  })

  test('stays until the next load, however often users read it', async () => {
    expect((await report()).counts).toEqual({ new: 1, updated: 1 })
    await publish(db, [{ ...RECORD, projectId: '67000000009', name: 'ซื้อรถขุด' }])
    expect((await report()).counts).toEqual({ new: 0, updated: 0 })
  })

  test('a new keyword makes only projects of the latest load New', async () => {
    await publish(db, [{ ...RECORD, projectId: '67000000010', name: 'เช่ารถขุด' }])
    await setWords(db, scope.organisationId, { include: ['กล้อง', 'รถขุด'] })
    const progress: number[] = []
    const done = await rematchOrganisation(db, scope.organisationId, { onProgress: ({ done: n }) => progress.push(n) })
    expect(done).toEqual({ matched: 5, excluded: 0 })
    expect(progress.at(-1)).toBe(5)
    const { rows } = await report()
    expect(rows.filter((row) => row.change_status === 'new').map((row) => row.project_id)).toEqual(['67000000010'])
    expect(rows).toHaveLength(5)
  })

  test('a rematch with fewer words removes rows, and an exclusion records them in the ledger', async () => {
    await setWords(db, scope.organisationId, { include: ['กล้อง', 'รถขุด'], exclude: ['รถขุด'] })
    expect(await rematchOrganisation(db, scope.organisationId)).toEqual({ matched: 3, excluded: 2 })
    expect((await report()).rows.map((row) => row.project_id)).toEqual(['67000000001', '67000000002', '67000000003'])
    await setWords(db, scope.organisationId, { include: ['กล้อง'] })
    expect(await rematchOrganisation(db, scope.organisationId)).toEqual({ matched: 3, excluded: 0 })
    expect(await db.query(sql`select 1 from match_exclusions`)).toEqual([])
  })

  test('a rematch yields the same matches as loads', async () => {
    const columns = sql`project_id, matched_by, matched_words, is_archived, status, movement, budget_satang, packed, name_search, dept_search, dept_spaced`
    const matches = sql`(
      select r.*, w.matched_by, w.matched_words, t.name_search, d.dept_search, d.dept_spaced
      from report_matches r join worded_matches w using (organisation_id, project_id) join project_texts t using (filters_id) join department_texts d using (department_id)
    ) m`
    const before = await db.query(sql`select ${columns}, first_load, changed_load from ${matches} order by project_id`)
    await rematchOrganisation(db, scope.organisationId)
    expect(
      await db.query(sql`select ${columns}, first_load, changed_load from ${matches} order by project_id`),
    ).toEqual(before)
    await db.execute(sql`delete from project_matches`)
    await rematchOrganisation(db, scope.organisationId)
    expect(await db.query(sql`select ${columns}, first_load from ${matches} order by project_id`)).toEqual(
      before.map((row) => {
        const { changed_load, ...rest } = row as Record<string, unknown>
        return rest
      }),
    )
  })

  test('does not lose a load that publishes during a rematch', async () => {
    await Promise.all([
      rematchOrganisation(db, scope.organisationId),
      publish(db, [
        { ...RECORD, projectId: '67000000004' },
        { ...RECORD, projectId: '67000000001', name: 'ซื้อยางรถยนต์' },
      ]),
    ])
    expect(new Set((await report()).rows.map((row) => row.project_id))).toEqual(
      new Set(['67000000002', '67000000003', '67000000004']),
    )
  })

  test('a project first seen with its winner is never New; one that gets its winner is Updated', async () => {
    const awarded = { winnerAnnouncedOn: '2026-11-20', winnerName: 'บริษัท ตัวอย่าง จำกัด' }
    const contract = { contractNo: '1', winnerName: 'บริษัท ตัวอย่าง จำกัด', amountSatang: 90_000_000 }
    await publish(db, [
      { ...RECORD, projectId: '67000000011' },
      { ...RECORD, projectId: '67000000012', ...awarded },
      { ...RECORD, projectId: '67000000013', contracts: [contract] },
      {
        ...RECORD,
        projectId: '67000000014',
        announcements: [{ movement: 'winner_amended', announcedOn: '2026-11-20' }],
      },
      { ...RECORD, projectId: '67000000003', ...awarded },
    ])
    const { counts, rows } = await report()
    expect(counts).toEqual({ new: 1, updated: 1 })
    expect(Object.fromEntries(rows.map((row) => [row.project_id, row.change_status]))).toMatchObject({
      67000000003: 'updated',
      67000000011: 'new',
      67000000012: 'no_change',
      67000000013: 'no_change',
      67000000014: 'no_change',
    })
  })
})
