import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { companyComparisonProjectsSchema, companyComparisonSchema } from '#contract/market/company-comparison.ts'
import type { CompanySearch } from '#contract/market/company-params.ts'
import { CompanyFactCache } from '#server/market/company/memory/company-fact-cache.ts'
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
  TWIN,
} from '../../../test/world/comparison-world.ts'
import type { CompanyComparisonScope } from './company-facts.ts'
import { findCompanyHeadToHeads } from './company-head-to-heads.ts'
import { loadCompanyComparisonFigures } from './comparison-figures.ts'

onEachEngine('scope of a comparison', (makeDb) => {
  let db: OpenDb
  let on: ComparisonApp
  let caller: SignedIn
  let stranger: SignedIn
  let ids: Map<string, number>
  const comparison = (names: readonly string[], more: Record<string, string> = {}, user = caller) =>
    on.compare(names, more, user)
  const get = (path: string, query: Record<string, string>) => on.get(path, query, caller)

  beforeAll(async () => {
    db = await makeDb()
    on = await comparisonApp(db)
    caller = await on.member(['กล้อง'])
    stranger = await on.member(['ถนน'])
    ids = await putHandWorld(db)
  })
  afterAll(() => on.app.close())

  test('reversing the order swaps wins and negates gaps', async () => {
    const [there] = (await comparison([A, B])).meetings
    const [back] = (await comparison([B, A])).meetings
    expect(back).toEqual({
      ...there,
      a_won: there!.b_won,
      b_won: there!.a_won,
      mean_gap: 0 - there!.mean_gap!,
      median_gap: 0 - there!.median_gap!,
    })
  })

  test('years, department, type and common projects narrow every figure', async () => {
    const year = await comparison([A, B], { year_from: '2568', year_to: '2568' })
    expect(year.companies.map(({ wins }) => wins)).toEqual([2, 0])
    expect(year.meetings[0]).toMatchObject({ met: 1, others_won: 1 })
    const roads = await comparison([A, B], { project_dept_sub__in: ROADS, project_method_type__in: 'construct' })
    expect(roads.scope).toMatchObject({ n: 1, year_from: 2569, year_to: 2569 })
    expect(roads.companies.map(({ wins }) => wins)).toEqual([0, 1])
    const common = await comparison([A, B], { common: 'true' })
    expect(common.scope.n).toBe(4)
    expect(common.companies.map(({ wins }) => wins)).toEqual([1, 1])
    expect(common.prices_total).toBe(4)
    expect(common.common_total).toBe(4)
  })

  test('scope=watch and in_report use only the report of the caller', async () => {
    const watched = await comparison([A, B], { scope: 'watch' })
    expect(watched.scope).toMatchObject({ universe: 'watch', n: 6 })
    const strangerComparison = await comparison([A, B], { scope: 'watch' }, stranger)
    expect(strangerComparison.scope.n).toBe(1)
    expect(strangerComparison.common_projects.map(({ project_id, in_report }) => [project_id, in_report])).toEqual([
      ['69010000002', true],
    ])
    const all = await comparison([A, B], {}, stranger)
    expect(all.common_projects.filter(({ in_report }) => in_report).map(({ project_id }) => project_id)).toEqual([
      '69010000002',
    ])
    expect(all.prices.filter(({ in_report }) => in_report).map(({ project_id }) => project_id)).toEqual([
      '69010000002',
      '69010000002',
    ])
  })

  test('keeps the requested order, accepts tax ids, dedupes, caps at five and names unknown companies', async () => {
    const { companies, unknown, left_out } = await comparison([
      TIN.C,
      'บริษัท ไม่มีจริง จำกัด',
      A,
      'บจก. ก้าวหน้า',
      B,
      TWIN,
      'บริษัท เกิน จำกัด',
    ])
    expect(companies.map(({ name, asked: requested }) => [name, requested])).toEqual([
      [C, TIN.C],
      [A, A],
      [B, B],
    ])
    expect(unknown.map(({ asked: requested }) => requested)).toEqual(['บริษัท ไม่มีจริง จำกัด'])
    expect(left_out).toEqual([TWIN, 'บริษัท เกิน จำกัด'])
    expect((await comparison(['บริษัท ก้าวหนา จำกัด', B])).unknown).toMatchObject([{ similar: [{ name: A }] }])
  })

  test('distinguishes two companies with one name by tax id', async () => {
    const { companies } = await comparison([TIN.TWIN_2, TIN.TWIN_1])
    expect(companies.map(({ id, is_shared_name }) => [id, is_shared_name])).toEqual([
      [ids.get(TIN.TWIN_2), true],
      [ids.get(TIN.TWIN_1), true],
    ])
  })

  test('answers for one company or none', async () => {
    const single = await comparison([A])
    expect(single).toMatchObject({
      companies: [{ name: A, wins: 4 }],
      meetings: [],
      common_projects: [],
      common_total: 0,
    })
    const none = companyComparisonSchema.parse((await get('', {})).json())
    expect(none).toMatchObject({
      companies: [],
      meetings: [],
      scope: { n: 0, year_from: null },
      has_meetings: false,
      mix: [],
      unknown: [],
    })
  })

  test('refuses an unreadable parameter by name and ignores an unknown one', async () => {
    for (const [name, value] of [
      ['year_from', '69'],
      ['scope', 'mine'],
      ['common', 'yes'],
      ['project_province__in', 'ไม่มี'],
      ['page_size', '7'],
    ]) {
      const answer = await get('', { project_winner_name__in: A, [name!]: value! })
      expect([name, answer.statusCode, Object.keys(answer.json())]).toEqual([name, 400, expect.arrayContaining([name])])
    }
    expect((await get('', { project_winner_name__in: A, colour: 'red' })).statusCode).toBe(200)
  })

  test('returns the rows behind a cell: newest first, in pages, only of these two companies', async () => {
    const cell = { project_winner_name__in: [C, A, B].join('||'), a: String(ids.get(TIN.A)), b: String(ids.get(TIN.B)) }
    const met = companyComparisonProjectsSchema.parse(
      (await get('/projects', { ...cell, result: 'met', page_size: '20' })).json(),
    )
    expect(met).toMatchObject({ total: 4, page: 1, page_size: 20 })
    expect(met.results.map(({ project_id, fiscal_year }) => [project_id, fiscal_year])).toEqual([
      ['69010000004', 2569],
      ['69010000002', 2569],
      ['69010000001', 2569],
      ['68010000003', 2568],
    ])
    expect(met.results[1]!.parts.map(({ company, price }) => [company, price])).toEqual([
      [0, 9_950_000],
      [1, 9_900_000],
      [2, 9_700_000],
    ])
    expect((await get('/projects', { ...cell, result: 'met', page: '2' })).json()).toMatchObject({
      total: 4,
      page: 2,
      results: [],
    })
  })

  test('refuses by name a cell of unrelated companies, of one company twice or without a result', async () => {
    const cell = {
      project_winner_name__in: [A, B].join('||'),
      a: String(ids.get(TIN.A)),
      b: String(ids.get(TIN.B)),
      result: 'met',
    }
    const refused = async (change: Record<string, string>) => {
      const answer = await get('/projects', { ...cell, ...change })
      expect(answer.statusCode).toBe(400)
      return Object.keys(answer.json()).filter((key) => key in cell)
    }
    expect(await refused({ a: String(ids.get(TIN.C)) })).toEqual(['a'])
    expect(await refused({ b: cell.a })).toEqual(['b'])
    expect(await refused({ result: 'lost' })).toEqual(['result'])
    expect(await refused({ a: 'x', b: '', result: '' })).toEqual(['a', 'b', 'result'])
  })

  test('the cache returns the same as the database', async () => {
    const memory = new CompanyFactCache(db, { megabytes: 64 })
    await memory.load()
    const [watcher] = await db.query<{ organisation_id: number }>(
      sql`select organisation_id from project_matches group by 1 order by count(*) desc limit 1`,
    )
    const searches: readonly CompanySearch[] = [
      {},
      { common: true },
      { scope: 'watch' },
      { year_from: 2568, year_to: 2568 },
      { project_dept_sub__in: [ROADS], common: true },
      { project_method_type__in: ['construct'] },
    ]
    for (const search of searches) {
      const scope: CompanyComparisonScope = {
        search,
        organisationId: watcher!.organisation_id,
        companyIds: [TIN.C, TIN.A, TIN.B, TIN.TWIN_1].map((tin) => ids.get(tin)!),
        today: '2026-11-21',
      }
      const bySql = await loadCompanyComparisonFigures(db, scope, undefined)
      expect(bySql.scope.projects).toBeGreaterThan(0)
      expect(await loadCompanyComparisonFigures(db, scope, memory)).toEqual(bySql)
      const page = { limit: 3, offset: 1 }
      const cell = { a: 1, b: 2, result: 'met' } as const
      expect(await findCompanyHeadToHeads(db, scope, cell, { ...page, memory })).toEqual(
        await findCompanyHeadToHeads(db, scope, cell, { ...page, memory: undefined }),
      )
    }
    expect(memory.answered).toEqual({ memory: searches.length * 2, sql: 0 })
    await memory.stop()
  })
})
