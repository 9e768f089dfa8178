import sql from 'sql-template-tag'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { DATA_ISSUE_KINDS } from '#contract/catalogue/data-issue.ts'
import { listDataLoads } from '#server/operation/admin/admin-load-queries.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { emptyTables } from '../../../test/server/empty-tables.ts'
import { writeTemporaryTestFile } from './feed-for-tests.ts'
import type { FeedSource } from './feed-source.ts'
import { publishDataLoad } from './load.ts'
import { createCgdCsvSource } from './sources/cgd-csv.ts'
import { createOcdsSource } from './sources/ocds.ts'
import { stageDataLoad } from './stage-load.ts'

const HEADER =
  'project_id,project_name,dept_name,project_money,sum_price_agree,winner_tin,winner,contract_no,contract_date'
const row = (price: string, date = '2026-06-01') =>
  `69010000001,ซื้อของ,กรมทดสอบ,500000,${price},0105546135262,บริษัท ก จำกัด,1,${date}`
const table = (...rows: readonly string[]) =>
  createCgdCsvSource(writeTemporaryTestFile('a.csv', [HEADER, ...rows].join('\n')))
const releases = (...all: readonly unknown[]) =>
  createOcdsSource(writeTemporaryTestFile('a.json', JSON.stringify({ version: '1.1', releases: all })))

onEachEngine('doubts of a load', (makeDb) => {
  let db: OpenDb
  beforeAll(async () => {
    db = await makeDb()
  })
  beforeEach(() => emptyTables(db, 'loads', 'departments', 'projects'))

  let prints = 0
  async function load(source: FeedSource) {
    prints += 1
    const staged = await stageDataLoad(db, source, { origin: 'test', fingerprint: `doubt ${prints}` })
    const published = await db.transaction((tx) => publishDataLoad(tx, staged.loadId, { today: '2026-06-15' }))
    return { ...staged, ...published }
  }
  const doubts = async () =>
    await db.query<{ id: string; kinds: string[] }>(sql`
      select project_id as id, (select json_agg(d ->> 'kind') from jsonb_array_elements(doubts) d) as kinds
      from project_doubts where doubts <> '[]' order by project_id`)
  const project = async () =>
    (await db.query(sql`select winner_satang, submission_ends_on, contract_signed_on from projects`))[0]

  test('are stored with the project until its source corrects it, and counted by kind', async () => {
    const first = await load(table(row('49500000', '7/2/1968')))
    expect(first.doubts).toEqual({ amount_too_high: 1, date_repaired: 1 })
    expect(await doubts()).toEqual([{ id: '69010000001', kinds: ['date_repaired', 'amount_too_high'] }])
    expect(await project()).toMatchObject({ winner_satang: null, contract_signed_on: '2025-02-07' })
    expect((await listDataLoads(db))[0]).toMatchObject({
      doubts: [
        { kind: 'amount_too_high', count: 1 },
        { kind: 'date_repaired', count: 1 },
      ],
    })
    await load(table(row('495000')))
    expect([await doubts(), await project()]).toMatchObject([[], { winner_satang: 49_500_000 }])
    await load(table(row('21.5')))
    expect([await doubts(), await project()]).toMatchObject([
      [{ kinds: ['amount_too_low'] }],
      { winner_satang: 49_500_000 },
    ])
    const [again] = await listDataLoads(db)
    expect(again?.updatedProjects).toBe(0)
  })

  test('mark the projects whose budget or price is left out', async () => {
    const flags = async () =>
      (await db.query(sql`select has_doubtful_budget as budget, has_doubtful_price as price from project_doubts`))[0]
    await load(table(row('49500000', '7/2/1968')))
    expect(await flags()).toEqual({ budget: false, price: true })
    await load(table(row('495000', '7/2/1968')))
    expect(await flags()).toEqual({ budget: false, price: false })
    const budget = { amount: 105_546_135_262, currency: 'THB' }
    const tender = { title: 'ซื้อของ', value: { amount: 500_000, currency: 'THB' } }
    await db.execute(sql`delete from projects`)
    await load(
      releases({
        ocid: 'ocds-x-69010000001',
        buyer: { name: 'กรม' },
        planning: { budget: { amount: budget } },
        tender,
      }),
    )
    expect(await flags()).toEqual({ budget: true, price: false })
    await db.execute(sql`delete from projects`)
    const contracts = [{ id: 'c', awardID: 'a', value: { amount: 9_000, currency: 'USD' } }]
    const awards = [{ id: 'a', status: 'active', suppliers: [{ id: 's', name: 'บริษัท ก จำกัด' }] }]
    await load(releases({ ocid: 'ocds-x-69010000001', buyer: { name: 'กรม' }, tender, awards, contracts }))
    expect(await flags()).toEqual({ budget: false, price: true })
  })

  test('every kind is counted with its load', async () => {
    const columns = `${HEADER},price_build,budget_year,province,contract_finish_date`
    const cells = (id: number, change: Readonly<Record<string, string>> = {}) => {
      const usual: Readonly<Record<string, string>> = {
        ...{ project_id: `690100001${10 + id}`, project_name: 'ซื้อของ', dept_name: 'กรมทดสอบ', project_money: '500000' },
        ...{ sum_price_agree: '495000', winner_tin: '0105546135262', winner: 'บริษัท ก จำกัด', contract_no: '1' },
        ...{ contract_date: '2026-06-01', price_build: '500000', budget_year: '2569', province: 'เลย' },
        contract_finish_date: '2026-12-01',
        ...change,
      }
      return columns.split(',').map((name) => `"${usual[name]}"`)
    }
    const rows: readonly Readonly<Record<string, string>>[] = [
      { project_money: '105546135262' },
      { sum_price_agree: '49500000' },
      { sum_price_agree: '21.5' },
      { project_money: '0' },
      { sum_price_agree: 'ประมาณ 5 แสน' },
      { contract_date: 'วันพุธ' },
      { contract_date: '31/02/2569' },
      { contract_date: '7/2/1968' },
      { winner_tin: '105546135262' },
      { winner_tin: 'LINESTRING' },
      { winner_tin: '0105546135263' },
      { province: 'นครนายกเทศมนตรี' },
      { budget_year: 'ปีนี้' },
      { contract_no: '1\ufffd' },
    ]
    const lines = ['รายงานสัญญา', columns, ...rows.map((change, id) => cells(id, change).join(','))]
    await load(createCgdCsvSource(writeTemporaryTestFile('all.csv', lines.join('\n'))))
    const value = { amount: 1, currency: 'EUR' }
    await load(
      releases({
        ...{ ocid: 'ocds-x-69010000099', buyer: { name: 'กรม' } },
        tender: { title: 'ซื้อของ', value: { amount: 500_000 }, tenderPeriod: { endDate: '2026-07-01T23:59:59Z' } },
        awards: [
          { id: 'a', status: 'pending' },
          { id: 'b', status: 'active', value },
        ],
      }),
    )
    const counted = (await listDataLoads(db)).flatMap(({ doubts: kinds }) => kinds.map(({ kind }) => kind))
    expect(counted.toSorted()).toEqual(DATA_ISSUE_KINDS.toSorted())
  })

  test('a row without a name creates no project and is quarantined with its line', async () => {
    const award = { ocid: 'ocds-x-69010000002', tender: { status: 'active' }, buyer: { name: 'กรม' } }
    const named = { ocid: 'ocds-x-69010000003', tender: { title: 'ซื้อของ' }, buyer: { name: 'กรม' } }
    const report = await load(releases(named, award))
    expect(report).toMatchObject({ newProjects: 1, unchangedProjects: 0, refused: 1 })
    expect(await db.query(sql`select line, reason from quarantined_rows`)).toEqual([
      { line: 2, reason: 'ไม่มีชื่อโครงการ และยังไม่เคยมีโครงการ 69010000002 นำเข้าข้อมูลที่มีชื่อก่อน' },
    ])
    expect(await db.query(sql`select read_rows, staged_rows, quarantined_rows from loads`)).toEqual([
      { read_rows: 2, staged_rows: 1, quarantined_rows: 1 },
    ])
    await load(releases({ ...award, ocid: named.ocid, tender: { tenderPeriod: { endDate: '2026-07-01' } } }))
    expect(await project()).toMatchObject({ submission_ends_on: '2026-07-01' })
  })

  test('an older release in a later load changes nothing', async () => {
    const release = (date: string, endDate: string) => ({
      ...{ ocid: 'ocds-x-69010000004', date, buyer: { name: 'กรม' } },
      tender: { title: 'ซื้อของ', tenderPeriod: { endDate } },
    })
    await load(releases(release('2026-06-10T00:00:00Z', '2026-07-10')))
    await load(releases(release('2026-06-01T00:00:00Z', '2026-07-01')))
    expect(await project()).toMatchObject({ submission_ends_on: '2026-07-10' })
    await load(releases(release('2026-06-12T00:00:00+07:00', '2026-07-20')))
    expect(await project()).toMatchObject({ submission_ends_on: '2026-07-20' })
  })
})
