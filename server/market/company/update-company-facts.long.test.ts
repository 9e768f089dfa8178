import fc from 'fast-check'
import sql from 'sql-template-tag'
import { beforeAll, expect, test } from 'vitest'
import { createListFeedSource, createTestFeedRecords } from '#server/catalogue/feed/feed-for-tests.ts'
import type { FeedBidder, FeedContract, FeedRecord } from '#server/catalogue/feed/feed-source.ts'
import { publishDataLoad } from '#server/catalogue/feed/load.ts'
import { stageDataLoad } from '#server/catalogue/feed/stage-load.ts'
import type { Db, OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { emptyTables } from '../../../test/server/empty-tables.ts'
import {
  type CompanyIdentityBySpelling,
  loadDerivedCompanyTables,
  recomputeDerivedCompanyTables,
} from './recount-for-tests.ts'
import { areCompanyFactsCurrent, updateCompanyFacts } from './update-company-facts.ts'

const TODAY = '2026-11-21'
const A = '0105500000011'
const B = '0105500000022'
const NAMELESS = '0105500000033'
const IDENTITIES: CompanyIdentityBySpelling = new Map([
  ['บริษัท ก จำกัด', 'n:limited:ก'],
  ['บจก. ก', 'n:limited:ก'],
  ['หจก. ก', 'n:limited_partnership:ก'],
  ['บริษัท ข จำกัด (มหาชน)', 'n:public:ข'],
  ['บมจ.ข', 'n:public:ข'],
  ['ร้าน ค', 'n:none:ร้านค'],
  ['บุคคลธรรมดา-1', 'person 1'],
  ['นายสมมุติ ใจดี', 'person 2'],
])
const PARTIES: readonly { readonly tin: string | null; readonly name: string | null }[] = [
  { tin: A, name: 'บริษัท ก จำกัด' },
  { tin: A, name: 'บจก. ก' },
  { tin: null, name: 'บจก. ก' },
  { tin: null, name: 'หจก. ก' },
  { tin: B, name: 'บริษัท ข จำกัด (มหาชน)' },
  { tin: B, name: 'บมจ.ข' },
  { tin: '0000000000000', name: 'ร้าน ค' },
  { tin: '330960000xxxx', name: 'ร้าน ค' },
  { tin: 'xxxxxxxxxxxxx', name: 'บุคคลธรรมดา-1' },
  { tin: null, name: 'นายสมมุติ ใจดี' },
  { tin: NAMELESS, name: null },
  { tin: null, name: null },
]

const seldom = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: undefined })
const satang = fc.constantFrom(0, 5_000, 80_000, 90_001, 100_000, 250_000)
const unknown = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: null, freq: 4 })
const day = fc.constantFrom('2024-09-30', '2024-10-01', '2025-03-31', '2026-02-02')
const party = fc.constantFrom(...PARTIES)

const contract = fc
  .record({
    contractNo: fc.constantFrom('1', '2', ''),
    of: party,
    amountSatang: unknown(satang),
    signedOn: unknown(day),
    endsOn: unknown(fc.constantFrom('2026-01-01', '2027-01-01')),
    status: unknown(fc.constantFrom('ระหว่างดำเนินการ', 'สิ้นสุดสัญญา')),
  })
  .map(({ of, ...fields }): FeedContract => ({ ...fields, winnerTin: of.tin, winnerName: of.name }))
const bidder = fc
  .record({ of: party, priceSatang: unknown(satang), isWinner: fc.boolean(), isSme: unknown(fc.boolean()) })
  .map(({ of, ...fields }): FeedBidder => ({ ...fields, tin: of.tin, name: of.name ?? 'ร้าน ค' }))
/** A project as a load contains it: one of six projects, new, corrected, cancelled, won, or with other bidders. */
const anyRecord: fc.Arbitrary<FeedRecord> = fc
  .record({
    projectId: fc.constantFrom(
      '68010000001',
      '68010000002',
      '68010000003',
      '68010000004',
      '68010000005',
      '68010000006',
    ),
    place: fc.constantFrom(['กรมหนึ่ง', 'หน่วยหนึ่ง', 42], ['กรมหนึ่ง', 'หน่วยสอง', 10], ['กรมสอง', 'หน่วยสาม', null] as const),
    fiscalYear: seldom(unknown(fc.constantFrom(2567, 2568))),
    status: seldom(fc.constantFrom('ระหว่างดำเนินการ', 'ยกเลิกโครงการ', 'จัดทำสัญญา/PO แล้ว')),
    method: seldom(fc.constantFrom('e_bidding', 'specific')),
    methodType: seldom(fc.constantFrom('buy', 'construct')),
    budgetSatang: seldom(unknown(satang)),
    estimateSatang: seldom(unknown(satang)),
    winnerSatang: seldom(unknown(satang)),
    winnerName: seldom(fc.constantFrom(null, 'บจก. ก', 'บมจ.ข', 'ร้าน ค', 'บุคคลธรรมดา-1')),
    winnerAnnouncedOn: seldom(unknown(day)),
    biddingInvitedOn: seldom(day),
    announcements: seldom(fc.constant([{ movement: 'winner_cancelled', announcedOn: '2026-11-01' }])),
    contracts: seldom(fc.array(contract, { minLength: 1, maxLength: 3 })),
    bidders: seldom(fc.array(bidder, { maxLength: 4 })),
  })
  .map(({ place: [deptName, deptSubName, projectProvince], contracts, ...fields }) => ({
    ...fields,
    name: 'ซื้อวัสดุ',
    deptName: String(deptName),
    deptSubName: String(deptSubName),
    projectProvince: projectProvince as number | null,
    // A contract number is unique within a project.
    contracts: contracts && [...new Map(contracts.map((contract) => [contract.contractNo, contract])).values()],
  }))
/** `diesAfter`: the process that counts this load crashes after this many transactions. */
const loads = fc.array(
  fc.record({ records: fc.array(anyRecord, { minLength: 1, maxLength: 6 }), diesAfter: seldom(fc.nat({ max: 2 })) }),
  { minLength: 1, maxLength: 5 },
)

/** Wraps a database so that the process crashes in the transaction after the next `count` ones. */
function dyingAfter(count: number, db: Db): Db {
  let left = count
  return {
    ...db,
    transaction: (work, options) =>
      db.transaction(async (tx) => {
        const result = await work(tx)
        if (left === 0) throw new Error('the process is gone')
        left -= 1
        return result
      }, options),
  }
}

let serial = 0
async function publish(db: Db, records: readonly FeedRecord[]): Promise<void> {
  const staged = await stageDataLoad(db, createListFeedSource(records), {
    origin: 'test',
    fingerprint: `test:${++serial}`,
  })
  await db.transaction((tx) => publishDataLoad(tx, staged.loadId, { today: TODAY }))
}

/** Returns the id of the transaction that last wrote each derived row. Equal ids mean that a row was not rewritten. */
const writings = (db: Db) =>
  db.query(sql`
    select 'project' as what, f.xmin::text as at from company_projects f union all select 'company', c.xmin::text from companies c
    union all select 'spending', s.xmin::text from project_spending s order by 1, 2`)

onEachEngine('what is kept of companies', (makeDb) => {
  let db: OpenDb
  beforeAll(async () => {
    db = await makeDb()
  })
  const runs = (postgres: number, pglite: number) => (db.engine === 'postgres' ? postgres : pglite)
  const empty = () =>
    emptyTables(
      db,
      ...['projects', 'loads', 'companies', 'project_spending', 'department_spending', 'stale_departments'],
    )

  test('equals a full recount after any loads, even when an update was interrupted', async () => {
    const seen = { lines: 0, died: 0 }
    await fc.assert(
      fc.asyncProperty(loads, async (steps) => {
        await empty()
        for (const { records, diesAfter } of steps) {
          await publish(db, records)
          if (diesAfter === undefined) await updateCompanyFacts(db)
          else {
            seen.died += 1
            // Counting may finish before it reaches the transaction that crashes.
            await updateCompanyFacts(dyingAfter(diesAfter, db)).catch((error: Error) => {
              if (error.message !== 'the process is gone') throw error
            })
          }
        }
        await updateCompanyFacts(db)
        const stored = await loadDerivedCompanyTables(db)
        seen.lines += stored.facts.length
        expect(stored).toEqual(await recomputeDerivedCompanyTables(db, IDENTITIES))
      }),
      { numRuns: runs(36, 12) },
    )
    expect(seen.lines).toBeGreaterThan(30)
    expect(seen.died).toBeGreaterThan(3)
  }, 240_000)

  test('is not rewritten when nothing changed', async () => {
    await empty()
    await publish(db, fc.sample(anyRecord, { numRuns: 40, seed: 7 }))
    expect(await areCompanyFactsCurrent(db)).toBe(false)
    expect(await updateCompanyFacts(db)).toBeGreaterThan(3)
    expect(await areCompanyFactsCurrent(db)).toBe(true)
    const before = await writings(db)
    expect(before.length).toBeGreaterThan(10)
    expect(await updateCompanyFacts(db)).toBe(0)
    // Simulates a rules update that changes nothing for these projects.
    await db.script('update loads set companies_version = 0')
    await updateCompanyFacts(db)
    expect(await writings(db)).toEqual(before)
  }, 60_000)

  test('includes a corrected contract of an otherwise unchanged project', async () => {
    await empty()
    const won = (amountSatang: number): FeedRecord => ({
      projectId: '68010000001',
      name: 'ซื้อวัสดุ',
      deptName: 'กรมหนึ่ง',
      winnerSatang: 300,
      contracts: [
        { contractNo: '1', winnerTin: A, winnerName: 'บจก. ก', amountSatang, signedOn: '2025-01-01' },
        { contractNo: '2', winnerTin: B, winnerName: 'บมจ.ข', amountSatang: 100, signedOn: '2025-01-01' },
      ],
    })
    const wonValue = async () => {
      await updateCompanyFacts(db)
      const [row] = await db.query<{ value: number }>(sql`
        select f.value_satang as value from company_figures f join companies c on c.id = f.company_id where c.tax_id = ${A} and f.fiscal_year = 0`)
      return row?.value
    }
    await publish(db, [won(150)])
    expect(await wonValue()).toBe(150)
    await publish(db, [won(170)])
    expect(await wonValue()).toBe(170)
  }, 30_000)

  test('is correct after two concurrent halves of a load with the same companies in opposite orders', async () => {
    await empty()
    // Each half of the load has two batches of 1,000 projects. The same batch of both halves contains the same
    // companies, each of them once.
    const [projects, companies, batch] = [4_000, 2_000, 1_000]
    const backwards = (index: number) => index - (index % batch) + batch - 1 - (index % batch)
    const load = (amountSatang: number) =>
      createTestFeedRecords(projects, (index) => {
        const company = index < companies ? index : backwards(index - companies)
        const [winnerTin, winnerName] = [String(105_500_000_000 + company).padStart(13, '0'), `บริษัท ${company} จำกัด`]
        return {
          deptSubName: `หน่วย ${company % 50}`,
          contracts: [{ contractNo: '1', winnerTin, winnerName, amountSatang, signedOn: '2025-01-01' }],
        }
      })
    for (const amountSatang of [150, 170]) {
      await publish(db, load(amountSatang))
      await expect(updateCompanyFacts(dyingAfter(3, db))).rejects.toThrow('the process is gone')
      expect(await areCompanyFactsCurrent(db)).toBe(false)
      const progress: number[] = []
      expect(await updateCompanyFacts(db, { onProject: (done) => progress.push(done) })).toBe(projects)
      expect(progress.toSorted((a, b) => a - b)).toEqual(progress)
      expect(progress.at(-1)).toBe(projects)
      const figures = await db.query(sql`
        select count(*) as companies, sum(f.wins)::int as wins, min(f.value_satang) as least, max(f.value_satang) as most, bool_or(c.is_stale) as "isStale"
        from company_figures f join companies c on c.id = f.company_id where f.fiscal_year = 0`)
      const value = 2 * amountSatang
      expect(figures).toEqual([{ companies, wins: projects, least: value, most: value, isStale: false }])
    }
  }, 120_000)
})
