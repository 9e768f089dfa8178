import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Agency } from '#contract/market/agency.ts'
import type { CompanyDetail, CompanyProjects } from '#contract/market/company.ts'
import type { WhoWins, WonProjects } from '#contract/market/who-wins.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { createListFeedSource, createTestFeedRecord } from '#server/catalogue/feed/feed-for-tests.ts'
import type { FeedContract } from '#server/catalogue/feed/feed-source.ts'
import { runDataLoad, withDataLoadLease } from '#server/jobs/load/run-load.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { appOn, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { setWords } from '../../../test/world/report-world.ts'

const TODAY = '2026-11-21'
const AGENCY = 'เทศบาลตำบลตัวอย่าง'
const A = { winnerTin: '0105500000011', winnerName: 'บริษัท ก จำกัด' }
const B = { winnerTin: '0105500000029', winnerName: 'บริษัท ข จำกัด' }
const ENDED = 'ยกเลิกสัญญา'

/**
 * Contracts per project: A's was terminated in the first project, B's but not A's in the second, none in the third; the
 * fourth project is not watched.
 */
const CONTRACTS: readonly (readonly Omit<FeedContract, 'contractNo'>[])[] = [
  [{ ...A, status: ENDED }],
  [
    { ...A, status: 'ระหว่างดำเนินการ' },
    { ...B, status: ENDED },
  ],
  [{ ...A, status: 'สิ้นสุดสัญญา' }],
  [{ ...B, status: ENDED }],
]
const idOf = (at: number) => `6811700000${at + 1}`

onEachEngine('terminated contracts', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let me: SignedIn

  const get = async <T>(url: string): Promise<T> => {
    const answer = await app.inject({ url: `/api/v2/${url}`, headers: me.headers })
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json<T>()
  }

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, TODAY)
    const [organisation] = await db.query<{ id: number }>(
      sql`select organisation_id as id from users where email_key = 'manager@tharamek.example'`,
    )
    await setWords(db, organisation!.id, { include: ['กล้อง'] })
    const records = CONTRACTS.map((contracts, at) =>
      createTestFeedRecord({
        projectId: idOf(at),
        name: at === 3 ? 'ซ่อมถนนสายหลัก' : 'ซื้อกล้องวงจรปิดพร้อมติดตั้ง',
        deptName: AGENCY,
        budgetSatang: 1_200_000_00,
        contracts: contracts.map((contract, index) => ({
          contractNo: String(index + 1),
          amountSatang: 1_000_000_00,
          signedOn: '2026-07-01',
          ...contract,
        })),
      }),
    )
    await withDataLoadLease(db, (lease) =>
      runDataLoad(db, lease, createListFeedSource(records), { origin: 'test', fingerprint: 'test', today: TODAY }),
    )
    app = await appOn(db, { now: () => new Date(`${TODAY}T05:00:00Z`) })
    me = await signIn(app, 'manager@tharamek.example')
  })
  afterAll(() => app.close())

  test('who wins counts and opens their projects, in the report and in the market', async () => {
    for (const [market, ids] of [
      ['', [idOf(1), idOf(0)]],
      ['market=true', [idOf(3), idOf(1), idOf(0)]],
    ] as const) {
      expect((await get<WhoWins>(`who-wins?${market}`)).figures.terminated).toBe(ids.length)
      const rows = await get<WonProjects>(`who-wins/projects?rows=terminated&${market}`)
      expect([rows.total, rows.results.map(({ project_id: id }) => id)]).toEqual([ids.length, ids])
    }
  })

  test('the agency page counts and opens those of its units', async () => {
    const ids = [idOf(3), idOf(1), idOf(0)]
    const of = await get<Agency>(`agencies/${encodeURIComponent(AGENCY)}`)
    expect(of.figures.terminated).toBe(ids.length)
    const rows = await get<WonProjects>(`agencies/${encodeURIComponent(AGENCY)}/projects?rows=terminated`)
    expect([rows.total, rows.results.map(({ project_id: id }) => id)]).toEqual([ids.length, ids])
  })

  test('the company page counts only its own', async () => {
    for (const [{ winnerName }, ids] of [
      [A, [idOf(0)]],
      [B, [idOf(3), idOf(1)]],
    ] as const) {
      const name = encodeURIComponent(winnerName)
      expect((await get<CompanyDetail>(`companies/${name}`)).figures.terminated).toBe(ids.length)
      const rows = await get<CompanyProjects>(`companies/${name}/projects?rows=terminated`)
      expect(rows.results.map(({ project_id: id }) => id).toSorted()).toEqual(ids.toSorted())
    }
  })
})
