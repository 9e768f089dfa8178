import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { companyComparisonPairsSchema, likelyBiddersSchema } from '#contract/market/company-comparison.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import type { SignedIn } from '../../../test/server/http-app.ts'
import {
  A,
  B,
  C,
  type ComparisonApp,
  comparisonApp,
  putHandWorld,
  ROADS,
  TIN,
} from '../../../test/world/comparison-world.ts'
import { addLoad, type ProjectInput, putProjects } from '../../../test/world/report-world.ts'

onEachEngine('suggested companies to compare', (makeDb) => {
  let db: OpenDb
  let on: ComparisonApp
  let cameras: SignedIn
  let roads: SignedIn
  let ids: Map<string, number>

  beforeAll(async () => {
    db = await makeDb()
    on = await comparisonApp(db)
    cameras = await on.member(['กล้อง'])
    roads = await on.member(['ถนน'])
    ids = await putHandWorld(db)
  })
  afterAll(() => on.app.close())

  const open = async (id: string, input: Partial<ProjectInput>) => {
    const load = await addLoad(db)
    const home = { dept: 'เทศบาลเมืองหนึ่ง', unit: 'เทศบาลเมืองหนึ่ง', deptProvince: 50, province: 50 }
    await putProjects(db, load, [{ id, name: 'ซื้อกล้อง', budget: 80_000_000, ...home, ...input }])
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
  }
  const likely = async (id: string, user = cameras) => {
    const answer = await on.get(`/likely/${id}`, {}, user)
    expect(answer.statusCode, answer.body).toBe(200)
    return likelyBiddersSchema.parse(answer.json())
  }

  test('pairs met in the report of the caller', async () => {
    const pairs = async (user: SignedIn) =>
      companyComparisonPairsSchema
        .parse((await on.get('/pairs', {}, user)).json())
        .results.map(({ a, b, met }) => [a.name, b.name, met])
    expect(await pairs(cameras)).toEqual([[A, B, 3]])
    expect(await pairs(roads)).toEqual([
      [A, B, 1],
      [A, C, 1],
      [B, C, 1],
    ])
  })

  test('the comparison of a pair counts as many meetings as the pair', async () => {
    for (const user of [cameras, roads]) {
      const { results } = companyComparisonPairsSchema.parse((await on.get('/pairs', {}, user)).json())
      expect(results.length).toBeGreaterThan(0)
      for (const { a, b, met } of results) {
        const { meetings } = await on.compare([a.tax_id!, b.tax_id!], { scope: 'watch' }, user)
        expect(meetings.map((meeting) => meeting.met)).toEqual([met])
      }
    }
    // A and B also met once outside the report, so a link without the scope would contradict the suggestion.
    expect((await on.compare([A, B], {}, cameras)).meetings[0]!.met).toBe(4)
  })

  test('suggests bidders and winners of similar goods and amounts at the same unit, with the reason', async () => {
    await open('70010000001', {})
    const { project, results } = await likely('70010000001')
    expect(project).toMatchObject({ project_id: '70010000001', name: 'ซื้อกล้อง' })
    expect(results).toEqual([
      {
        company: expect.objectContaining({ id: ids.get(TIN.A), name: A, tax_id: TIN.A, is_shared_name: false }),
        wins: 2,
        bids: 2,
        reason: 'เสนอราคา 2 ครั้ง ชนะ 2 ครั้ง ในงานซื้อของเทศบาลเมืองหนึ่ง วงเงิน 270,000–2.4 ล้านบาท ในรอบ 3 ปี ล่าสุด 10 ม.ค. 2569',
      },
      {
        company: expect.objectContaining({ name: B }),
        wins: 0,
        bids: 2,
        reason: 'เสนอราคา 2 ครั้ง ในงานซื้อของเทศบาลเมืองหนึ่ง วงเงิน 270,000–2.4 ล้านบาท ในรอบ 3 ปี ล่าสุด 10 ม.ค. 2569',
      },
    ])
  })

  test('falls back to the rest of the agency in the province when the unit bought nothing similar', async () => {
    const office = { name: 'ก่อสร้างถนนและกล้อง', dept: ROADS, unit: 'แขวงทางหลวงสอง', methodType: 'construct' }
    await open('70010000002', { ...office, deptProvince: 30, province: 30, budget: 1_000_000_000 })
    const { results } = await likely('70010000002')
    expect(results.map(({ company }) => company.name)).toEqual([B, A, C])
    expect(results[2]!.reason).toContain('เสนอราคา 1 ครั้ง ในงานจ้างก่อสร้างของกรมทางหลวง ในนครราชสีมา')
    await open('70010000003', { ...office, deptProvince: 90, province: 90, budget: 1_000_000_000 })
    expect((await likely('70010000003')).results).toEqual([])
  })

  test('ignores bids that are too old, too large, of another type or of the project itself', async () => {
    await open('70010000004', { methodType: 'service' })
    expect((await likely('70010000004')).results).toEqual([])
    await open('70010000005', { budget: 100_000_000_000 })
    expect((await likely('70010000005')).results).toEqual([])
    await db.execute(sql`update company_projects set decided_on = '2023-01-01' where project_id = '69010000001'`)
    expect((await likely('70010000001')).results.map(({ wins, bids }) => [wins, bids])).toEqual([
      [1, 1],
      [0, 1],
    ])
    await db.execute(sql`update company_projects set decided_on = '2026-01-10' where project_id = '69010000001'`)
    expect((await likely('69010000001')).results.map(({ wins, bids }) => [wins, bids])).toEqual([
      [1, 1],
      [0, 1],
    ])
  })

  test('R24: a project of another report is 404 like an unknown one', async () => {
    const unknown = await on.get('/likely/99999999999', {}, cameras)
    const foreign = await on.get('/likely/69010000002', {}, cameras)
    expect([unknown.statusCode, foreign.statusCode]).toEqual([404, 404])
    expect(foreign.body).toBe(unknown.body)
    expect((await on.get('/likely/69010000002', {}, roads)).statusCode).toBe(200)
  })
})
