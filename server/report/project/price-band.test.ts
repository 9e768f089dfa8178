import { expect, test } from 'vitest'
import { createSeededRandom } from '../../../test/world/seeded.ts'
import { computeOrderStatistic, computePriceBand } from './price-band.ts'

const percents = (...values: readonly number[]) => values.map((value) => value / 100)
const oneTo = (count: number) => percents(...Array.from({ length: count }, (_, index) => index + 1))

test('interpolates order statistics at rank (n + 1)·p and clamps to the ends', () => {
  const values = [10, 20, 40, 80]
  expect([0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.95].map((share) => computeOrderStatistic(values, share))).toEqual([
    10, 10, 15, 30, 60, 80, 80,
  ])
})

test.each([
  // Ranks 0.3 and 8.25.
  [9, { low: 0.01, high: 0.083, n: 9 }],
  // Ranks 0.63 and 17.325; both ends are rounded outwards to a tenth of a point.
  [20, { low: 0.01, high: 0.174, n: 20 }],
  // Ranks 3 and 82.5.
  [99, { low: 0.03, high: 0.825, n: 99 }],
])('computes the band of %i prices by hand', (count, band) => {
  expect(computePriceBand(oneTo(count).toReversed(), 'agency')).toEqual(band)
  expect(computePriceBand(oneTo(count), undefined)).toEqual(band)
})

test('has no band below nine prices', () => {
  expect(computePriceBand(oneTo(8), 'all')).toBeUndefined()
  expect(computePriceBand([], 'all')).toBeUndefined()
})

test.each(['years', 'sizes'] as const)('is wider for the widened scope %s', (step) => {
  // Ranks 0.63 and 18.48.
  expect(computePriceBand(oneTo(20), step)).toEqual({ low: 0.01, high: 0.185, n: 20 })
  expect(computePriceBand(oneTo(20), 'all')).toEqual({ low: 0.01, high: 0.174, n: 20 })
})

test('rounds negative discounts outwards, and exact tenths not at all', () => {
  expect(
    computePriceBand(
      Array.from({ length: 9 }, () => -0.02345),
      'all',
    ),
  ).toMatchObject({ low: -0.024, high: -0.023 })
  expect(
    computePriceBand(
      Array.from({ length: 9 }, () => 0.1 + 0.2 - 0.2),
      'all',
    ),
  ).toMatchObject({ low: 0.1, high: 0.1 })
})

test('contains at least 79 % of the prices it was computed from', () => {
  const random = createSeededRandom(80)
  for (let round = 0; round < 200; round += 1) {
    const discounts = Array.from({ length: 9 + Math.floor(random() * 200) }, () => random() ** 3 - 0.02)
    const { low, high } = computePriceBand(discounts, 'agency')!
    const inside = discounts.filter((discount) => discount >= low && discount <= high)
    // One price may be cut at each end by the interpolation.
    expect(inside.length).toBeGreaterThanOrEqual(Math.floor(0.79 * discounts.length) - 1)
  }
})
