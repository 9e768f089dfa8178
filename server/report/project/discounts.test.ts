import { expect, test } from 'vitest'
import { createSeededRandom } from '../../../test/world/seeded.ts'
import { computeDiscountBreakdown, computeDiscountFigures, type PricedProject } from './discount-figures.ts'

const priced = (
  pairs: readonly (readonly [estimate: number, won: number, winner?: string | undefined])[],
): PricedProject[] =>
  pairs.map(([estimate, won, name]) => ({
    estimate,
    won,
    winner: name === undefined ? undefined : { key: name, name },
  }))

/**
 * Computes a quantile independently of the product code, by definition: the smallest value not exceeded by the given
 * share, interpolated between neighbours.
 */
function quantileByCounting(values: readonly number[], share: number): number {
  const position = share * (values.length - 1)
  const nth = (n: number) =>
    values.find((value) => {
      const smaller = values.filter((element) => element < value).length
      const equal = values.filter((element) => element === value).length
      return smaller <= n && n < smaller + equal
    })!
  const low = nth(Math.floor(position))
  return low + (nth(Math.min(values.length - 1, Math.floor(position) + 1)) - low) * (position % 1)
}

test('median, quartiles and the weighted discount match an independent computation', () => {
  const random = createSeededRandom(20)
  for (let round = 0; round < 200; round += 1) {
    const projects = Array.from({ length: 1 + Math.floor(random() * 40) }, () => {
      const estimate = Math.round(10 ** (6 + 4 * random()))
      return { estimate, won: Math.round(estimate * (0.4 + 0.7 * random())), winner: undefined }
    })
    const shares = projects.map(({ estimate, won }) => 1 - won / estimate)
    const figures = computeDiscountFigures(projects)
    expect(figures.n).toBe(projects.length)
    if (projects.length < 5) expect([figures.p25, figures.median, figures.p75]).toEqual([null, null, null])
    else {
      expect(figures.median).toBeCloseTo(quantileByCounting(shares, 0.5), 4)
      expect(figures.p25).toBeCloseTo(quantileByCounting(shares, 0.25), 4)
      expect(figures.p75).toBeCloseTo(quantileByCounting(shares, 0.75), 4)
    }
    expect(figures.above_reference).toBe(shares.filter((share) => share < 0).length)
    const all = projects.reduce((sum, { estimate }) => sum + estimate, 0)
    const weighted = projects.reduce((sum, { estimate }, i) => sum + shares[i]! * (estimate / all), 0)
    expect(figures.weighted).toBeCloseTo(weighted, 4)
    expect(figures.bins.reduce((sum, { count }) => sum + count, 0)).toBe(projects.length)
  }
})

test('the weighted discount of a large and a small project differs from their mean', () => {
  const figures = computeDiscountFigures(
    priced([
      [1_000_000, 990_000],
      [100_000, 50_000],
    ]),
  )
  expect(figures).toMatchObject({ weighted: 0.0545, median: null })
})

test('keeps a price above the reference price as a negative discount', () => {
  const figures = computeDiscountFigures(priced(Array.from({ length: 5 }, () => [100, 105] as const)))
  expect(figures).toMatchObject({
    median: -0.05,
    weighted: -0.05,
    above_reference: 5,
    bins: [{ from: -0.05, count: 5 }],
  })
})

test('returns null figures for an empty list', () => {
  expect(computeDiscountFigures([])).toEqual({
    n: 0,
    above_reference: 0,
    median: null,
    p25: null,
    p75: null,
    weighted: null,
    bins: [],
    winners: [],
  })
})

test('a bin includes its lower bound; the first and the last bin are open', () => {
  const shares = [-3, -0.1, 0, 0.0249, 0.025, 0.1, 0.3, 0.49, 0.5, 0.99]
  const { bins } = computeDiscountFigures(priced(shares.map((share) => [10_000, 10_000 * (1 - share)])))
  expect(bins.filter(({ count }) => count > 0)).toEqual([
    { from: -0.1, count: 2 },
    { from: 0, count: 2 },
    { from: 0.025, count: 1 },
    { from: 0.1, count: 1 },
    { from: 0.3, count: 1 },
    { from: 0.475, count: 1 },
    { from: 0.5, count: 2 },
  ])
})

test('lists the five busiest winners, their median from five wins on, and none below five prices', () => {
  const { winners } = computeDiscountFigures(
    priced([
      ...'abcdef'.split('').map((name) => [100, 90, name] as const),
      ...[70, 71, 72, 73].map((won) => [100, won, 'f'] as const),
      [100, 80, undefined],
    ]),
  )
  expect(winners).toEqual([
    { name: 'f', wins: 5, median: 0.28 },
    ...'abcd'.split('').map((name) => ({ name, wins: 1, median: null })),
  ])
  expect(computeDiscountFigures(priced([[100, 90, 'a']])).winners).toEqual([])
})

test('breaks down by size, agency and year: own agency first, no quartiles below five', () => {
  const grouped = (count: number, agency: string, year: number, estimate: number) =>
    Array.from({ length: count }, (_, i) => ({
      estimate,
      won: estimate * (1 - i / 100),
      agency: `${agency}|`,
      agencyName: agency,
      year,
    }))
  const { n, bands, agencies, years } = computeDiscountBreakdown(
    [...grouped(6, 'ก', 2568, 49_999_900), ...grouped(2, 'ข', 2569, 50_000_000)],
    'ข|',
  )
  expect(n).toBe(8)
  expect(bands).toEqual([
    { from: null, to: 500_000, n: 6, p25: 0.0125, median: 0.025, p75: 0.0375 },
    { from: 500_000, to: 5_000_000, n: 2, p25: null, median: null, p75: null },
  ])
  expect(agencies.map(({ name, is_own, n: of }) => [name, is_own, of])).toEqual([
    ['ข', true, 2],
    ['ก', false, 6],
  ])
  expect(years.map(({ year, median }) => [year, median])).toEqual([
    [2569, null],
    [2568, 0.025],
  ])
})
