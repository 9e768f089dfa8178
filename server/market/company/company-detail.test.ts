import { afterAll, beforeAll, expect, test } from 'vitest'
import { onEachEngine } from '../../../test/server/databases.ts'
import type { SignedIn } from '../../../test/server/http-app.ts'
import { ALPHA, BETA, type CompanyWorld, companyWorld, GAMMA } from '../../../test/world/company-world.ts'

onEachEngine('GET /companies/{name}', (makeDb) => {
  let world: CompanyWorld

  beforeAll(async () => {
    world = await companyWorld(await makeDb())
  })
  afterAll(() => world.app.close())

  test('matches the hand-computed figures: cancelled is no win, an unknown amount counts as none', async () => {
    const { company, scope, years, figures } = await world.detail()
    expect(company).toMatchObject({ name: ALPHA.name, tax_id: ALPHA.tin, is_shared_name: false })
    expect(scope).toMatchObject({
      universe: 'all',
      year_from: 2567,
      year_to: 2570,
      n: 10,
      coverage: { full: 3, names: 1, winner: 6 },
    })
    expect(scope.computed_at).not.toBeNull()
    expect(years).toEqual([2570, 2569, 2568, 2567])
    expect(figures).toMatchObject({
      wins: 7,
      contracts: 8,
      value: 900_000 + 450_000 + 110_000 + 300_000 + 120_000 + 300_000,
      // The median of 900, 450, 110, 300, 50, 70 and 300 thousand.
      median_contract: 300_000,
      first_win_date: '2024-02-01',
      last_win_date: '2026-10-15',
    })
  })

  test('D20: discounts skip projects without reference price or with two winners, and may be negative', async () => {
    const { discount } = (await world.detail()).figures
    // The four discounts are p1 10 %, p4 −10 %, p8 20 % and p9 25 %. p3 is measured against the budget, p5 has two
    // winners, and p7 has no price.
    expect(discount).toMatchObject({ n: 4, weighted: 0.1333, median: 0.15 })
    expect(discount.against_budget).toEqual({ n: 1, weighted: 0.1, median: 0.1 })
    const { discount_bins: bins, discount_by_size: sizes } = await world.detail()
    expect(bins.filter(({ count }) => count > 0)).toEqual([
      { from: -0.1, count: 1 },
      { from: 0.1, count: 1 },
      { from: 0.2, count: 1 },
      { from: 0.25, count: 1 },
    ])
    expect(sizes.map(({ from, discount: { n } }) => [from, n])).toEqual([
      [null, 3],
      [500_000, 1],
      [5_000_000, 0],
      [10_000_000, 0],
      [50_000_000, 0],
    ])
  })

  test('D21: counts bids with a known result; no rate below five, and null where bidders are unknown', async () => {
    expect((await world.detail()).figures.bids).toEqual({ bids: 3, won: 1, win_rate: null })
    expect((await world.detail({ year_from: '2567', year_to: '2567' })).figures.bids).toBeNull()
    expect((await world.detail({ year_from: '2569', year_to: '2569' })).figures.bids).toEqual({
      bids: 0,
      won: 0,
      win_rate: null,
    })
  })

  test('a contract is in progress until its end date, or until it is closed', async () => {
    const { active_contracts, active_value } = (await world.detail()).figures
    // Active are p3 until December, one of the two contracts of p8, and p9 without an end date.
    expect([active_contracts, active_value]).toEqual([3, 450_000 + 120_000 + 300_000])
    const rows = await world.projects({ rows: 'active' })
    expect([rows.results.map(({ project_id }) => project_id), rows.totals.value]).toEqual([
      ['p8', 'p3', 'p9'],
      active_value,
    ])
  })

  test('competitors: who met whom, who won, and by how much', async () => {
    const { competitors } = await world.detail()
    expect(competitors.map(({ company, ...met }) => [company.name, met])).toEqual([
      [
        BETA.name,
        // The gaps are +5 % in p1, −5 % in p2, and +1.43 % in p6, which has no winner; p10 has no prices.
        { met: 4, we_won: 1, they_won: 2, others_won: 0, mean_gap: 0.0048, n_gap: 3, last_met_date: '2026-11-10' },
      ],
      [
        GAMMA.name,
        { met: 1, we_won: 1, they_won: 0, others_won: 0, mean_gap: 0.1, n_gap: 1, last_met_date: '2025-03-01' },
      ],
    ])
    const alphaRow = (await world.detail({}, BETA.name)).competitors.find(({ company }) => company.name === ALPHA.name)
    expect(alphaRow).toMatchObject({ met: 4, we_won: 2, they_won: 1, others_won: 0, mean_gap: -0.0048, n_gap: 3 })
  })

  test('the row of a department has its share of spending won, contracts of persons included', async () => {
    const { by_department, figures } = await world.detail()
    expect(by_department.map(({ department, wins, value, share }) => [department, wins, value, share])).toEqual([
      // The share of a total spending of 0.9 + 1.8 + 0.45 + 0.3 + 0.05 million.
      ['กรมหนึ่ง', 3, 1_650_000, 0.4714],
      ['กรมสอง', 2, 410_000, 0.6721],
      ['กรมสาม', 2, 120_000, 0.1237],
    ])
    expect(figures.top_department).toEqual({ department: 'กรมหนึ่ง', value: 1_650_000, spent: 3_500_000, share: 0.4714 })
    const inYear = await world.detail({ year_from: '2569', year_to: '2569' })
    expect(inYear.figures.top_department).toEqual({ department: 'กรมหนึ่ง', value: 450_000, spent: 500_000, share: 0.9 })
    const unit = await world.detail({ project_dept_sub__in: 'กอง ก' })
    expect(unit.figures.top_department).toEqual({
      department: 'กรมหนึ่ง',
      value: 1_650_000,
      spent: 1_700_000,
      share: 0.9706,
    })
  })

  test('the previous period is as long as the scope, and null where the data does not reach back', async () => {
    expect((await world.detail()).previous).toBeNull()
    expect((await world.detail({ year_from: '2567', year_to: '2567' })).previous).toBeNull()
    expect((await world.detail({ year_from: '2568', year_to: '2569' })).previous).toBeNull()
    expect((await world.detail({ year_from: '2568', year_to: '2568' })).previous).toEqual({
      ...{ year_from: 2567, year_to: 2567, wins: 1, value: 300_000, weighted_discount: 0.25, win_rate: null },
    })
    // A scope without a last year ends with the last year of the data.
    expect((await world.detail({ year_from: '2569' })).previous).toMatchObject({
      year_from: 2567,
      year_to: 2568,
      wins: 2,
    })
  })

  test('fills years without a win between years with one; the current year is still open', async () => {
    expect((await world.detail({ project_dept_sub__in: 'กรมสาม' })).by_year).toEqual([
      { year: 0, wins: 1, value: 120_000, is_open: false },
      { year: 2570, wins: 1, value: null, is_open: true },
    ])
    const road = await world.detail({ scope: 'watch' }, ALPHA.name, world.stranger)
    expect(road.by_year.map(({ year, wins }) => [year, wins])).toEqual([
      [0, 1],
      [2567, 1],
      [2568, 0],
      [2569, 2],
    ])
  })

  test('the report of another organisation is not included', async () => {
    const figures = async (user: SignedIn) => (await world.detail({ scope: 'watch' }, ALPHA.name, user)).figures
    expect([(await figures(world.mine)).wins, (await figures(world.stranger)).wins]).toEqual([3, 4])
    expect((await figures(world.mine)).top_department).toEqual({
      department: 'กรมหนึ่ง',
      value: 900_000,
      spent: 2_700_000,
      share: 0.3333,
    })
    const inReport = async (user: SignedIn) =>
      (await world.projects({ page_size: '100' }, ALPHA.name, user)).results
        .filter(({ in_report }) => in_report)
        .map(({ project_id }) => project_id)
    expect((await inReport(world.mine)).toSorted()).toEqual(['p1', 'p2', 'p5', 'p7'])
    expect((await inReport(world.stranger)).toSorted()).toEqual(['p10', 'p3', 'p4', 'p6', 'p8', 'p9'])
  })
})
