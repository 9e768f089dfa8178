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
  // Ranks 0.3 and 8.5, of other work 8.
  [9, { low: 0.01, high: 0.085, n: 9 }, 0.08],
  // Ranks 0.63 and 17.85, of other work 16.8; both ends are rounded outwards to a tenth of a point.
  [20, { low: 0.01, high: 0.179, n: 20 }, 0.168],
  // Ranks 3 and 85, of other work 80.
  [99, { low: 0.03, high: 0.85, n: 99 }, 0.8],
])('computes the band of %i prices by hand', (count, band, highOfOtherWork) => {
  expect(computePriceBand(oneTo(count).toReversed(), 'agency')).toEqual(band)
  expect(computePriceBand(oneTo(count), undefined)).toEqual({ ...band, high: highOfOtherWork })
})

test('has no band below nine prices', () => {
  expect(computePriceBand(oneTo(8), 'all')).toBeUndefined()
  expect(computePriceBand([], 'all')).toBeUndefined()
})

test.each(['all', 'years', 'sizes'] as const)('is wider for the widened scope %s', (step) => {
  // Ranks 0.63 and 18.48.
  expect(computePriceBand(oneTo(20), step)).toEqual({ low: 0.01, high: 0.185, n: 20 })
  expect(computePriceBand(oneTo(20), 'ministry')).toEqual({ low: 0.01, high: 0.179, n: 20 })
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
