import { expect, test } from 'vitest'
import { seeded } from '../../../test/world/report-population.ts'
import { discountFigures, type Priced } from './similar-prices.ts'

const priced = (pairs: readonly (readonly [estimate: number, won: number, winner?: string | undefined])[]): Priced[] =>
  pairs.map(([estimate, won, winner]) => ({ estimate, won, winner }))

/** Written anew from the definition: the smallest value that so many of all do not exceed, between two neighbours in proportion. */
function quantileByCounting(values: readonly number[], share: number): number {
  const place = share * (values.length - 1)
  const nth = (n: number) =>
    values.find((value) => {
      const smaller = values.filter((other) => other < value).length
      const equal = values.filter((other) => other === value).length
      return smaller <= n && n < smaller + equal
    })!
  const low = nth(Math.floor(place))
  return low + (nth(Math.min(values.length - 1, Math.floor(place) + 1)) - low) * (place % 1)
}

test('median, quartiles and the weighted discount are those of an independent computation', () => {
  const random = seeded(20)
  for (let round = 0; round < 200; round += 1) {
    const projects = Array.from({ length: 1 + Math.floor(random() * 40) }, () => {
      const estimate = Math.round(10 ** (6 + 4 * random()))
      return { estimate, won: Math.round(estimate * (0.4 + 0.7 * random())), winner: undefined }
    })
    const shares = projects.map(({ estimate, won }) => 1 - won / estimate)
    const figures = discountFigures(projects)
    expect(figures.n).toBe(projects.length)
    expect(figures.median).toBeCloseTo(quantileByCounting(shares, 0.5), 4)
    expect(figures.p25).toBeCloseTo(quantileByCounting(shares, 0.25), 4)
    expect(figures.p75).toBeCloseTo(quantileByCounting(shares, 0.75), 4)
    // Each discount counts as much as its reference price is of all.
    const all = projects.reduce((sum, { estimate }) => sum + estimate, 0)
    const weighted = projects.reduce((sum, { estimate }, i) => sum + shares[i]! * (estimate / all), 0)
    expect(figures.weighted).toBeCloseTo(weighted, 4)
    expect(figures.bins.reduce((sum, { count }) => sum + count, 0)).toBe(projects.length)
    expect(figures.discounts).toEqual(figures.discounts.toSorted((a, b) => a - b))
  }
})

test('the weighted discount of a large and a small project is not the mean of both', () => {
  const figures = discountFigures(
    priced([
      [1_000_000, 990_000],
      [100_000, 50_000],
    ]),
  )
  expect(figures).toMatchObject({ weighted: 0.0545, median: 0.255 })
})

test('a price above the reference price stays, as a negative discount', () => {
  const figures = discountFigures(
    priced([
      [100, 105],
      [100, 105],
    ]),
  )
  expect(figures).toMatchObject({ median: -0.05, weighted: -0.05, bins: [{ from: -0.05, count: 2 }] })
})

test('of nothing there is nothing', () => {
  expect(discountFigures([])).toEqual({
    n: 0,
    median: null,
    p25: null,
    p75: null,
    weighted: null,
    bins: [],
    discounts: [],
    winners: [],
  })
})

test('a discount stands in the bin that begins with it, the first and the last bin are open', () => {
  const shares = [-3, -0.1, 0, 0.0249, 0.025, 0.1, 0.3, 0.49, 0.5, 0.99]
  const { bins } = discountFigures(priced(shares.map((share) => [10_000, 10_000 * (1 - share)])))
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

test('5,000 discounts are thinned to 1,000 that keep the ends and every percentile', () => {
  const projects = priced(Array.from({ length: 5_000 }, (_, i) => [1_000_000, 1_000_000 - i * 100]))
  const { discounts } = discountFigures(projects)
  expect(discounts).toHaveLength(1_000)
  expect([discounts[0], discounts[499], discounts.at(-1)]).toEqual([0, 0.2497, 0.4999])
})

test('winners are named with their wins and their own median, at most five, the busiest first', () => {
  const { winners } = discountFigures(
    priced([...'abcdef'.split('').map((name) => [100, 90, name] as const), [100, 70, 'f'], [100, 80, undefined]]),
  )
  expect(winners).toEqual([
    { name: 'f', wins: 2, median: 0.2 },
    ...'abcd'.split('').map((name) => ({ name, wins: 1, median: 0.1 })),
  ])
})
