import { describe, expect, test } from 'vitest'
import { computePriceSpread, hasLostWithinSmePreferenceBand, sortCommonProjects } from './block/common-projects.tsx'
import { isDepartmentShownInComparison } from './block/comparison-department-table.tsx'
import { getComparisonMixLabel } from './block/comparison-mix-panel.tsx'
import { computePriceRatioAxisRange } from './block/comparison-price-plot.tsx'
import { buildTestCommonProject, buildTestCompanyHeadToHead } from './comparison-for-tests.ts'
import {
  findCompanyHeadToHead,
  formatHeadToHeadCell,
  parseHeadToHeadCell,
} from './head-to-head/company-head-to-head-side.ts'
import { abbreviateLegalForm, stripLegalForm } from './scope/comparison-company.ts'
import { withComparedCompanies } from './scope/use-comparison-url-state.ts'

describe('a meeting seen from both sides', () => {
  const meetings = [
    buildTestCompanyHeadToHead(0, 1),
    buildTestCompanyHeadToHead(0, 2, { median_gap: null, mean_gap: -0.01 }),
    buildTestCompanyHeadToHead(1, 2),
  ]

  test('is antisymmetric in wins and gaps', () => {
    for (const { a, b } of meetings) {
      const [forward, reverse] = [findCompanyHeadToHead(meetings, a, b)!, findCompanyHeadToHead(meetings, b, a)!]
      expect([forward.a, forward.b, reverse.a, reverse.b]).toEqual([a, b, b, a])
      expect([forward.a_won, forward.b_won]).toEqual([reverse.b_won, reverse.a_won])
      expect((forward.median_gap ?? 0) + (reverse.median_gap ?? 0)).toBe(0)
      expect((forward.mean_gap ?? 0) + (reverse.mean_gap ?? 0)).toBe(0)
      expect([forward.met, forward.others_won, forward.undecided, forward.n_gap]).toEqual([
        reverse.met,
        reverse.others_won,
        reverse.undecided,
        reverse.n_gap,
      ])
    }
  })

  test('keeps an unknown gap unknown', () => {
    expect(findCompanyHeadToHead(meetings, 2, 0)!.median_gap).toBeNull()
    expect(findCompanyHeadToHead(meetings, 3, 4)).toBeUndefined()
  })

  test('round-trips through the address and rejects malformed text', () => {
    const cell = { result: 'a_won', a: 12, b: 34 } as const
    expect(parseHeadToHeadCell(formatHeadToHeadCell(cell))).toEqual(cell)
    for (const text of [undefined, '', 'met', 'won:1:2', 'met:1', 'met:x:2'])
      expect(parseHeadToHeadCell(text)).toBeUndefined()
  })
})

describe('hasLostWithinSmePreferenceBand', () => {
  const project = buildTestCommonProject('69119000001')
  const part = (price: number | null) => ({ price, is_winner: false })

  test('includes the band edge to the satang', () => {
    expect(hasLostWithinSmePreferenceBand(project, part(9_900_000), true, 10)).toBe(true)
    expect(hasLostWithinSmePreferenceBand(project, part(9_900_000.01), true, 10)).toBe(false)
    expect(
      hasLostWithinSmePreferenceBand({ ...project, lowest_price: 1_100_000.1 }, part(1_210_000.11), true, 10),
    ).toBe(true)
  })

  test('is false for winners, undecided projects, non-SMEs and unknown prices', () => {
    expect(hasLostWithinSmePreferenceBand(project, { price: 9_000_000, is_winner: true }, true, 10)).toBe(false)
    expect(hasLostWithinSmePreferenceBand({ ...project, winner_name: null }, part(9_100_000), true, 10)).toBe(false)
    expect(hasLostWithinSmePreferenceBand(project, part(9_100_000), false, 10)).toBe(false)
    expect(hasLostWithinSmePreferenceBand(project, part(9_100_000), null, 10)).toBe(false)
    expect(hasLostWithinSmePreferenceBand(project, part(null), true, 10)).toBe(false)
    expect(hasLostWithinSmePreferenceBand({ ...project, lowest_price: null }, part(9_100_000), true, 10)).toBe(false)
  })
})

test('sorts projects by date or gap, with unknown values last', () => {
  const far = buildTestCommonProject('1', {
    decided_date: '2026-01-01',
    parts: [
      { company: 0, price: 5_000_000, is_winner: true },
      { company: 1, price: 9_900_000, is_winner: false },
    ],
  })
  const near = buildTestCommonProject('2', { decided_date: '2026-05-01' })
  const unknown = buildTestCommonProject('3', { decided_date: null, estimate_budget: null })
  const ids = (order: Parameters<typeof sortCommonProjects>[1]) =>
    sortCommonProjects([unknown, far, near], order).map(({ project_id: id }) => id)
  expect(ids('-date')).toEqual(['2', '1', '3'])
  expect(ids('date')).toEqual(['1', '2', '3'])
  expect(ids('gap')).toEqual(['2', '1', '3'])
  expect(ids('-gap')).toEqual(['1', '2', '3'])
  expect(computePriceSpread(near)).toBeCloseTo(0.09)
})

test('matches departments won by any, by both or by only one company', () => {
  const won = (...wins: number[]) => ({ department: '', cells: wins.map((count) => ({ wins: count, value: null })) })
  expect(
    [won(1, 0), won(1, 2), won(0, 2)].map((row) =>
      ['all', 'both', '1', '2'].filter((view) => isDepartmentShownInComparison(row, view)),
    ),
  ).toEqual([
    ['all', '1'],
    ['all', 'both'],
    ['all', '2'],
  ])
})

test('drops or shortens only the legal form of a name', () => {
  expect(
    ['บริษัท ธาราเมฆ จำกัด', 'บริษัท ก จำกัด (มหาชน)', 'หจก. เอ็น.พี.', 'ร้านสมชาย', 'บริษัท จำกัด'].map(stripLegalForm),
  ).toEqual(['ธาราเมฆ', 'ก', 'เอ็น.พี.', 'ร้านสมชาย', 'บริษัท จำกัด'])
  expect(['บริษัท ธาราเมฆ จำกัด', 'บริษัท ก จำกัด (มหาชน)', 'ห้างหุ้นส่วนจำกัด ข', 'บริษัท จำกัด'].map(abbreviateLegalForm)).toEqual([
    'บจก. ธาราเมฆ',
    'บมจ. ก',
    'หจก. ข',
    'บริษัท จำกัด',
  ])
})

test('labels methods, sizes and provinces in words', () => {
  expect(getComparisonMixLabel('method', 'e_bidding')).toBe('e-bidding')
  expect(getComparisonMixLabel('size', '500000-5000000')).toBe('500,000–5 ล้าน')
  expect(getComparisonMixLabel('size', '0-500000')).toBe('ไม่เกิน 500,000')
  expect(getComparisonMixLabel('size', '50000000-')).toBe('ตั้งแต่ 50 ล้าน')
  expect(getComparisonMixLabel('province', 'unknown')).toBe('ไม่ระบุ')
})

test('keeps the reference price within the price scale and caps its range', () => {
  const [from, to] = computePriceRatioAxisRange([0.97, 0.99])
  expect(from).toBeCloseTo(0.9)
  expect(to).toBeGreaterThan(1)
  expect(computePriceRatioAxisRange([0.01, 5])).toEqual([0.4, 1.3])
})

test('drops parameters that refer to the previous companies by position', () => {
  const old = { us: 'ก', rows: 'met:1:2', departments_of: '2', year_from: 2568 } as const
  const search = { ...old, project_winner_name__in: ['ก', 'ข'] }
  expect(withComparedCompanies(search, ['ข', 'ค'])).toEqual({ project_winner_name__in: ['ข', 'ค'], year_from: 2568 })
  expect(withComparedCompanies(search, ['ก', 'ค', 'ก']).us).toBe('ก')
  expect(withComparedCompanies(search, [])).toEqual({ year_from: 2568 })
})
