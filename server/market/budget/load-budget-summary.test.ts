import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  BUDGET_ITEM_STATES,
  type BudgetSummary,
  budgetPageSchema,
  budgetSummarySchema,
} from '#contract/market/budget.ts'
import { refreshBudget } from '#server/jobs/intake/refresh-budget.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import {
  addBudgetOrganisation,
  BUDGET_PASSWORD,
  putBudget,
  putBudgetProjects,
} from '../../../test/world/budget-world.ts'

type Query = Readonly<Record<string, string>>
const LEVELS = ['ministry', 'unit', 'plan', 'project'] as const

const itemsOf = (year: number) =>
  Array.from({ length: 48 }, (_, index) => ({
    sourceId: String(index),
    ministry: `กระทรวงที่ ${index % 2}`,
    unit: `กรมที่ ${index % 4}`,
    plan: `แผนงานที่ ${index % 3}`,
    project: index % 5 === 0 ? null : `โครงการที่ ${index % 5}`,
    output: index % 10 === 0 ? 'ผลผลิตกลาง' : null,
    categories: index % 7 === 0 ? [] : [`งบที่ ${index % 3}`, 'ค่าครุภัณฑ์'],
    description: `${['กล้องวงจรปิด', 'ถนนลาดยาง', 'คอมพิวเตอร์ตั้งโต๊ะ', 'ซ่อมกล้อง'][index % 4]} แห่งที่ ${index}`,
    amountSatang: index % 11 === 0 ? null : (index + 1) * 10_000_001 + year,
  }))

onEachEngineInTurn("the budget's figures", (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let reader: SignedIn
  beforeAll(async () => {
    db = await makeDb()
    app = await appOn(db)
    const words = { include: ['กล้อง', 'คอมพิวเตอร์'], exclude: ['ซ่อม'] }
    const { organisationId, email } = await addBudgetOrganisation(db, { years: '2568,2569,2570' }, { words })
    reader = await signIn(app, email, BUDGET_PASSWORD)
    for (const year of [2567, 2568, 2569, 2570]) await putBudget(db, year, itemsOf(year).slice(0, year - 2530))
    const states = [
      { movement: 'draft_published', draftPublishedOn: '2025-11-03' },
      { movement: 'invited', invitedOn: '2026-01-05' },
      {
        movement: 'winner_announced',
        winner: 'บริษัท ก จำกัด',
        winnerAnnouncedOn: '2026-02-05',
        winning: 900,
        estimate: 1_000,
      },
      { movement: 'project_cancelled', status: 'project_cancelled' },
    ]
    for (const year of [2569, 2570])
      await putBudgetProjects(
        db,
        year,
        itemsOf(year)
          .slice(0, 24)
          .map(({ description, unit, amountSatang }, index) => ({
            ...states[index % 4],
            id: `${year}${index}`,
            name: `ซื้อ${description}`,
            dept: unit,
            unit: 'กองคลัง',
            budget: amountSatang,
          })),
      )
    await refreshBudget(db)
    // The organisation rejects some links, so that its states differ from the shared ones.
    await db.execute(sql`
      insert into budget_link_decisions (organisation_id, item_id, project_id, decision, decided_at)
      select ${organisationId}::int, item_id, project_id, 'rejected', now() from budget_links where confidence >= 0.7 order by item_id limit 3`)
  })
  afterAll(() => app.close())

  const request = async (path: string, query: Query) => {
    const answer = await app.inject({ url: `/api/v2${path}?${new URLSearchParams(query)}`, headers: reader.headers })
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json()
  }
  const summary = async (query: Query): Promise<BudgetSummary> =>
    budgetSummarySchema.parse(await request('/budgets/summary', query))
  const rowsOf = async (query: Query) => {
    const rows = []
    for (let page = 1; ; page += 1) {
      const answer = budgetPageSchema.parse(
        await request('/budgets', { ...query, page: String(page), page_size: '100' }),
      )
      rows.push(...answer.results)
      if (answer.links.next === null) {
        expect(rows).toHaveLength(answer.total)
        const knownAmounts = rows.flatMap(({ amount }) => (amount === null ? [] : [Math.round(amount * 100)]))
        const amount =
          knownAmounts.length > 0
            ? knownAmounts.reduce((sum, satang) => sum + satang, 0) / 100
            : rows.length > 0
              ? null
              : 0
        expect(answer.total_amount).toBe(amount)
        return { n: rows.length, amount }
      }
    }
  }

  const queries: Query[] = [
    { year: '2570', scope: 'all' },
    { year: '2570' },
    { year: '2569', scope: 'all', ministry: 'กระทรวงที่ 0' },
    { year: '2570', scope: 'all', ministry: 'กระทรวงที่ 1', unit: 'กรมที่ 1', plan: 'แผนงานที่ 1' },
    { year: '2570', scope: 'all', ministry: 'กระทรวงที่ 0', unit: 'กรมที่ 0', plan: 'แผนงานที่ 0', project: 'โครงการที่ 2' },
    { year: '2570', scope: 'all', q: 'กล้อง<<ซ่อม' },
    { year: '2570', state: 'invited||awarded' },
    { year: '2570', scope: 'all', category: 'งบที่ 1', amount__range: '500000,3000000' },
    { year: '2570', scope: 'all', keyword__in: 'กล้อง' },
    { year: '2568', scope: 'all' },
  ]

  test('every figure equals the total of its rows', async () => {
    for (const query of queries) {
      const figures = await summary(query)
      const { n, amount } = await rowsOf(query)
      expect([figures.scope.n, figures.amount]).toEqual([n, amount])
      if (figures.last_year) {
        const { fiscal_year, ...last } = figures.last_year
        expect(last).toEqual(await rowsOf({ ...query, year: String(fiscal_year) }))
      }
      const requestedStates = query.state?.split('||')
      const within = (codes: string[]) => codes.filter((code) => requestedStates?.includes(code) ?? true)
      const { funnel, states } = figures
      for (const [step, codes] of [
        ['draft', ['draft', 'invited', 'awarded']],
        ['invited', ['invited', 'awarded']],
        ['awarded', ['awarded']],
        ['cancelled', ['cancelled']],
      ] as const) {
        const requestedCodes = within([...codes])
        const rows =
          requestedCodes.length === 0
            ? { n: 0, amount: 0 }
            : await rowsOf({ ...query, state: requestedCodes.join('||') })
        expect([step, funnel[step]]).toEqual([step, rows])
      }
      for (const { code } of BUDGET_ITEM_STATES)
        expect([code, states[code]]).toEqual([code, (await rowsOf({ ...query, state: code })).n])
    }
  })

  test('every breakdown row opens its items one level down, next to last year', async () => {
    for (const query of queries.slice(0, 4)) {
      const { level, breakdown, others: remainder } = await summary(query)
      expect(remainder).toBeNull()
      expect(level).toBe(LEVELS.find((step) => query[step] === undefined) ?? 'item')
      for (const row of breakdown) {
        const below = { ...query, [level]: row.name }
        expect([row.name, { n: row.n, amount: row.amount }]).toEqual([row.name, await rowsOf(below)])
        expect(row.announced).toBe((await rowsOf({ ...below, state: 'draft||invited||awarded' })).n)
        expect(row.awarded).toBe((await rowsOf({ ...below, state: 'awarded' })).n)
        const before = await rowsOf({ ...below, year: String(Number(query.year) - 1) })
        expect(row.last_year_amount).toBe(before.amount)
      }
    }
  })

  test('categories per year and words equal their rows', async () => {
    for (const query of queries.slice(0, 3)) {
      const { by_category, words } = await summary(query)
      for (const { category, years } of by_category) {
        expect(years.map(({ fiscal_year }) => fiscal_year)).toEqual([2568, 2569, 2570])
        for (const { fiscal_year, amount } of years)
          expect(amount).toBe((await rowsOf({ ...query, category, year: String(fiscal_year) })).amount)
      }
      expect(words.map(({ word }) => word)).toEqual(['กล้อง', 'คอมพิวเตอร์'])
      for (const { word, n, amount, last_year_n, last_year_amount } of words) {
        const [now, before] = [query.year!, String(Number(query.year) - 1)]
        expect({ n, amount }).toEqual(await rowsOf({ ...query, keyword__in: word, year: now }))
        expect({ n: last_year_n, amount: last_year_amount }).toEqual(
          await rowsOf({ ...query, keyword__in: word, year: before }),
        )
      }
    }
  })

  test('does not compare with the year before the package, even when it is loaded', async () => {
    const { last_year, breakdown, words } = await summary({ year: '2568', scope: 'all' })
    expect(last_year).toBeNull()
    expect(breakdown.every(({ last_year_amount }) => last_year_amount === null)).toBe(true)
    expect(words.every(({ last_year_n }) => last_year_n === null)).toBe(true)
  })

  test('counts discounts of awarded projects, months of earlier years, and each project once', async () => {
    const { discount, months, funnel } = await summary({ year: '2570', scope: 'all' })
    expect(discount).toEqual({ n: funnel.awarded.n, weighted: 0.1, median: 0.1 })
    expect(months).toHaveLength(12)
    const [{ project_id: id, winner_satang: price }] = (await db.query<{
      project_id: string
      winner_satang: number
    }>(sql`
      select l.project_id, l.winner_satang from budget_links l join budget_items i on i.id = l.item_id
      where i.fiscal_year = 2570 and l.state = 4 order by l.project_id limit 1`)) as [
      { project_id: string; winner_satang: number },
    ]
    const setPrice = (satang: number | null) =>
      db.execute(sql`update budget_links set winner_satang = ${satang}::bigint where project_id = ${id}`)
    await db.execute(sql`
      insert into project_doubts (project_id, doubts) values (${id}, '[{"kind": "amount_too_low", "field": "งบสัญญา", "value": "21.5"}]')`)
    await setPrice(null)
    expect((await summary({ year: '2570', scope: 'all' })).discount).toEqual({
      ...discount,
      n: discount.n - 1,
      amounts_in_doubt: 1,
    })
    await setPrice(price)
    expect((await summary({ year: '2570', scope: 'all' })).discount).toEqual(discount)
    const earlier = await summary({ year: '2569', scope: 'all' })
    expect(months.filter(({ n }) => n > 0).map(({ month, n }) => [month, n])).toEqual([
      [1, earlier.states.invited],
      [2, earlier.states.awarded],
      [11, earlier.states.draft],
    ])
  })

  test('an empty result names the open years in which the same search finds items', async () => {
    const page = budgetPageSchema.parse(await request('/budgets', { year: '2568', scope: 'all', q: 'แห่งที่ 38' }))
    expect(page).toMatchObject({
      total: 0,
      elsewhere: [
        { fiscal_year: 2570, n: 1 },
        { fiscal_year: 2569, n: 1 },
      ],
    })
  })

  test('sorts items as requested, with unknown amounts last in both directions', async () => {
    const amounts = async (ordering: string) =>
      budgetPageSchema
        .parse(await request('/budgets', { year: '2570', scope: 'all', ordering, page_size: '50' }))
        .results.map(({ amount }) => amount)
    const [falling, rising] = [await amounts('-amount'), await amounts('amount')]
    expect(falling.at(-1)).toBeNull()
    expect(rising.at(-1)).toBeNull()
    const knownAmounts = falling.filter((amount) => amount !== null)
    expect(knownAmounts).toEqual(knownAmounts.toSorted((a, b) => b - a))
    expect(rising.filter((amount) => amount !== null)).toEqual(knownAmounts.toReversed())
    for (const ordering of ['description', 'unit', 'state']) await amounts(ordering)
  })

  test('pages neither skip nor repeat items and link to their neighbours', async () => {
    const page = async (number: number) =>
      budgetPageSchema.parse(
        await request('/budgets', { year: '2570', scope: 'all', page: String(number), page_size: '20' }),
      )
    const [first, second] = [await page(1), await page(2)]
    const all = budgetPageSchema.parse(await request('/budgets', { year: '2570', scope: 'all', page_size: '100' }))
    expect([...first.results, ...second.results]).toEqual(all.results)
    expect([first.links.previous, second.links.next]).toEqual([null, null])
    expect(first.links.next).toContain('page=2')
    expect(second.links.previous).toContain('/api/v2/budgets?')
  })
})
