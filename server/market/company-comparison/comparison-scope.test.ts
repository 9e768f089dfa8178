import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { comparisonProjectsSchema, comparisonSchema } from '#contract/market/company-comparison.ts'
import type { CompanySearch } from '#contract/market/company-params.ts'
import { CompanyMemory } from '#server/market/company/memory/company-memory.ts'
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
import type { ComparisonScope } from './company-facts.ts'
import { loadFigures } from './figures.ts'
import { findMeetings } from './meetings.ts'

onEachEngine('whom and what a comparison is made of', (makeDb) => {
  let db: OpenDb
  let on: ComparisonApp
  let mine: SignedIn
  let theirs: SignedIn
  let ids: Map<string, number>
  const comparison = (names: readonly string[], more: Record<string, string> = {}, who = mine) =>
    on.compare(names, more, who)
  const get = (path: string, query: Record<string, string>) => on.get(path, query, mine)

  beforeAll(async () => {
    db = await makeDb()
    on = await comparisonApp(db)
    mine = await on.member(['กล้อง'])
    theirs = await on.member(['ถนน'])
    ids = await putHandWorld(db)
  })
  afterAll(() => on.app.close())

  test('turned round, wins change sides and gaps their sign', async () => {
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

  test('scope: years, department, type and the projects in common narrow everything', async () => {
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

  test("scope=watch and in_report know the caller's report alone", async () => {
    const watched = await comparison([A, B], { scope: 'watch' })
    expect(watched.scope).toMatchObject({ universe: 'watch', n: 6 })
    const others = await comparison([A, B], { scope: 'watch' }, theirs)
    expect(others.scope.n).toBe(1)
    expect(others.common_projects.map(({ project_id, in_report }) => [project_id, in_report])).toEqual([
      ['69010000002', true],
    ])
    const all = await comparison([A, B], {}, theirs)
    expect(all.common_projects.filter(({ in_report }) => in_report).map(({ project_id }) => project_id)).toEqual([
      '69010000002',
    ])
    expect(all.prices.filter(({ in_report }) => in_report).map(({ project_id }) => project_id)).toEqual([
      '69010000002',
      '69010000002',
    ])
  })

  test('names: in the order asked, by tax id too, one company once; five at most, unknown ones are named', async () => {
    const { companies, unknown, left_out } = await comparison([
      TIN.C,
      'บริษัท ไม่มีจริง จำกัด',
      A,
      'บจก. ก้าวหน้า',
      B,
      TWIN,
      'บริษัท เกิน จำกัด',
    ])
    expect(companies.map(({ name, asked }) => [name, asked])).toEqual([
      [C, TIN.C],
      [A, A],
      [B, B],
    ])
    expect(unknown.map(({ asked }) => asked)).toEqual(['บริษัท ไม่มีจริง จำกัด'])
    expect(left_out).toEqual([TWIN, 'บริษัท เกิน จำกัด'])
    expect((await comparison(['บริษัท ก้าวหนา จำกัด', B])).unknown).toMatchObject([{ similar: [{ name: A }] }])
  })

  test('two companies of one name are two, told apart by tax id', async () => {
    const { companies } = await comparison([TIN.TWIN_2, TIN.TWIN_1])
    expect(companies.map(({ id, is_shared_name }) => [id, is_shared_name])).toEqual([
      [ids.get(TIN.TWIN_2), true],
      [ids.get(TIN.TWIN_1), true],
    ])
  })

  test('one company or none is still an answer', async () => {
    const one = await comparison([A])
    expect(one).toMatchObject({ companies: [{ name: A, wins: 4 }], meetings: [], common_projects: [], common_total: 0 })
    const none = comparisonSchema.parse((await get('', {})).json())
    expect(none).toMatchObject({
      companies: [],
      meetings: [],
      scope: { n: 0, year_from: null },
      has_meetings: false,
      mix: [],
      unknown: [],
    })
  })

  test('what cannot be read is refused by name; what is not known is left aside', async () => {
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

  test('the rows behind a cell: newest first, in pages, of exactly these two', async () => {
    const cell = { project_winner_name__in: [C, A, B].join('||'), a: String(ids.get(TIN.A)), b: String(ids.get(TIN.B)) }
    const met = comparisonProjectsSchema.parse(
      (await get('/projects', { ...cell, result: 'met', page_size: '20' })).json(),
    )
    expect(met).toMatchObject({ total: 4, page: 1, page_size: 20 })
    expect(met.results.map(({ project_id, fiscal_year }) => [project_id, fiscal_year])).toEqual([
      ['69010000004', 2569],
      ['69010000002', 2569],
      ['69010000001', 2569],
      ['68010000003', 2568],
    ])
    // The third compared company also appears in the row, at its index.
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

  test('a cell of strangers, of one company twice or of no result is refused by name', async () => {
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

  test('out of memory comes what the database gives', async () => {
    const memory = new CompanyMemory(db, { megabytes: 64 })
    await memory.hold()
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
      const scope: ComparisonScope = {
        search,
        organisationId: watcher!.organisation_id,
        companyIds: [TIN.C, TIN.A, TIN.B, TIN.TWIN_1].map((tin) => ids.get(tin)!),
        today: '2026-11-21',
      }
      const bySql = await loadFigures(db, scope, undefined)
      expect(bySql.scope.projects).toBeGreaterThan(0)
      expect(await loadFigures(db, scope, memory)).toEqual(bySql)
      const page = { limit: 3, offset: 1 }
      const cell = { a: 1, b: 2, result: 'met' } as const
      expect(await findMeetings(db, scope, cell, { ...page, memory })).toEqual(
        await findMeetings(db, scope, cell, { ...page, memory: undefined }),
      )
    }
    expect(memory.answered).toEqual({ memory: searches.length * 2, sql: 0 })
    await memory.stop()
  })
})
