import { afterAll, beforeAll, expect, test } from 'vitest'
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
  SCHOOL,
  TIN,
} from '../../../test/world/comparison-world.ts'

onEachEngine('figures of a comparison', (makeDb) => {
  let on: ComparisonApp
  let caller: SignedIn
  let ids: Map<string, number>
  const comparison = (names: readonly string[], more: Record<string, string> = {}, user = caller) =>
    on.compare(names, more, user)

  beforeAll(async () => {
    const db = await makeDb()
    on = await comparisonApp(db)
    caller = await on.member(['กล้อง'])
    ids = await putHandWorld(db)
  })
  afterAll(() => on.app.close())

  test('a hand-computed example: wins, bids and discounts of each company', async () => {
    const { companies, scope, has_meetings } = await comparison([A, B])
    expect(companies.map(({ name, asked: requested }) => [name, requested])).toEqual([
      [A, A],
      [B, B],
    ])
    expect(companies[0]).toMatchObject({
      id: ids.get(TIN.A),
      tax_id: TIN.A,
      is_sme: false,
      is_shared_name: false,
      wins: 4,
      value: 890_000 + 380_000 + 540_000 + 50_500_000,
      bids: { bids: 3, won: 1, win_rate: null },
      discount: {
        n: 2,
        weighted: 0.0929,
        median: 0.08,
        against_budget: { n: 1, weighted: 0.1, median: 0.1 },
      },
      median_contract: 715_000,
      departments: 2,
      active_contracts: 1,
      last_win_date: '2026-01-10',
      coverage: { full: 3, names: 1, winner: 3 },
    })
    expect(companies[1]).toMatchObject({
      wins: 1,
      value: 9_700_000,
      departments: 1,
      active_contracts: 1,
      last_win_date: '2026-03-10',
    })
    expect(has_meetings).toBe(true)
    expect(scope).toMatchObject({
      universe: 'all',
      n: 7,
      year_from: 2567,
      year_to: 2569,
      coverage: { full: 3, names: 1, winner: 3 },
    })
    expect(scope.computed_at).toMatch(/^20\d\d-/)
  })

  test('meetings: counts each once, with gaps only where both prices and the reference price are known', async () => {
    const { meetings } = await comparison([A, B, C])
    expect(meetings).toEqual([
      {
        a: 0,
        b: 1,
        met: 4,
        a_won: 1,
        b_won: 1,
        others_won: 1,
        undecided: 1,
        mean_gap: 0.015,
        median_gap: 0.015,
        n_gap: 2,
        last_met_date: '2026-05-01',
      },
      {
        a: 0,
        b: 2,
        met: 1,
        a_won: 0,
        b_won: 0,
        others_won: 1,
        undecided: 0,
        mean_gap: 0.005,
        median_gap: 0.005,
        n_gap: 1,
        last_met_date: '2026-03-10',
      },
      {
        a: 1,
        b: 2,
        met: 1,
        a_won: 1,
        b_won: 0,
        others_won: 0,
        undecided: 0,
        mean_gap: 0.025,
        median_gap: 0.025,
        n_gap: 1,
        last_met_date: '2026-03-10',
      },
    ])
  })

  test('common projects: newest first, with the price of each company and the lowest bid of all', async () => {
    const { common_projects: projects, common_total: total } = await comparison([B, A])
    expect(total).toBe(4)
    expect(projects.map(({ project_id }) => project_id)).toEqual([
      '69010000004',
      '69010000002',
      '69010000001',
      '68010000003',
    ])
    expect(projects[1]).toEqual({
      project_id: '69010000002',
      name: 'ก่อสร้างถนน',
      dept_name: ROADS,
      dept_sub_name: 'แขวงทางหลวงหนึ่ง',
      decided_date: '2026-03-10',
      estimate_budget: 10_000_000,
      criteria: 'price_performance',
      winner_name: TIN.B,
      parts: [
        { company: 0, price: 9_700_000, is_winner: true },
        { company: 1, price: 9_900_000, is_winner: false },
      ],
      lowest_price: 9_700_000,
      in_report: false,
    })
    expect(projects[0]).toMatchObject({ decided_date: null, in_report: true, lowest_price: 90 })
    expect(projects[3]).toMatchObject({ parts: [{ price: null }, { price: null }], lowest_price: null })
  })

  test('prices: bids against the reference price, oldest first; wins without a bid at contract price', async () => {
    const { prices, prices_total: total } = await comparison([A, B])
    expect(prices.map(({ company, project_id, ratio, is_winner }) => [company, project_id, ratio, is_winner])).toEqual([
      [0, '68010000005', 0.95, true],
      [0, '69010000001', 0.9, true],
      [1, '69010000001', 0.95, false],
      [0, '69010000002', 0.99, false],
      [1, '69010000002', 0.97, true],
    ])
    expect(total).toBe(5)
    expect(prices[0]).toMatchObject({
      date: '2025-02-01',
      criteria: 'price',
      in_report: true,
      name: 'ซื้อกล้องวงจรปิด 68010000005',
    })
    const byQuality = await comparison([A, B], { project_criteria_for_consideration: 'price_performance' })
    expect(byQuality.prices.map(({ project_id }) => project_id)).toEqual(['69010000002', '69010000002'])
    expect(byQuality.meetings).toEqual((await comparison([A, B])).meetings)
  })

  test('departments and mix: wins of each company, in the order of the companies', async () => {
    const { departments, departments_total: total, mix } = await comparison([A, B])
    expect(total).toBe(3)
    expect(departments).toEqual([
      {
        department: 'เทศบาลเมืองหนึ่ง',
        cells: [
          { wins: 2, value: 1_270_000 },
          { wins: 0, value: null },
        ],
      },
      {
        department: SCHOOL,
        cells: [
          { wins: 2, value: 51_040_000 },
          { wins: 0, value: null },
        ],
      },
      {
        department: ROADS,
        cells: [
          { wins: 0, value: null },
          { wins: 1, value: 9_700_000 },
        ],
      },
    ])
    expect(mix.map(({ dimension, value, cells }) => [dimension, value, cells.map(({ wins }) => wins)])).toEqual([
      ['method', 'e_bidding', [4, 1]],
      ['type', 'buy', [4, 0]],
      ['type', 'construct', [0, 1]],
      ['size', '0-500000', [1, 0]],
      ['size', '500000-5000000', [2, 0]],
      ['size', '5000000-10000000', [0, 1]],
      ['size', '50000000-', [1, 0]],
      ['province', 'เชียงใหม่', [4, 0]],
      ['province', 'นครราชสีมา', [0, 1]],
    ])
    const unknown = (await comparison([C, A])).mix.filter(({ value }) => value === 'unknown')
    expect(unknown).toEqual([
      {
        dimension: 'size',
        value: 'unknown',
        cells: [
          { wins: 1, value: null },
          { wins: 0, value: null },
        ],
      },
    ])
  })

  test('with winners only: compares wins and leaves meetings unknown instead of zero', async () => {
    const { has_meetings, meetings, companies, prices, common_total } = await comparison([A, C], { year_to: '2567' })
    expect(has_meetings).toBe(false)
    expect(meetings).toEqual([
      {
        a: 0,
        b: 1,
        met: 0,
        a_won: 0,
        b_won: 0,
        others_won: 0,
        undecided: 0,
        mean_gap: null,
        median_gap: null,
        n_gap: 0,
        last_met_date: null,
      },
    ])
    expect(companies.map(({ wins, bids, value }) => [wins, bids, value])).toEqual([
      [1, null, 50_500_000],
      [1, null, null],
    ])
    // The winners are joint, so neither price can be compared with the whole reference price.
    expect(prices).toEqual([])
    expect(common_total).toBe(1)
  })
})
