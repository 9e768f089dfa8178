import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computeMedian, computeQuantile, computeQuantileOfUnsortedValues } from './quantile.ts'

test.each([
  [[1], 0.25, 1],
  [[1, 3], 0.5, 2],
  [[1, 2, 10], 0.5, 2],
  [[0, 10, 20, 30], 0.25, 7.5],
  [[0, 10, 20, 30], 1, 30],
])('in %o the quantile %d is %d', (sorted, share, value) => {
  expect(computeQuantile(sorted, share)).toBeCloseTo(value, 12)
})

test('quantiles and median of an empty list are undefined', () => {
  expect(computeQuantile([], 0.5)).toBeUndefined()
  expect(computeMedian([])).toBeUndefined()
  expect(computeQuantileOfUnsortedValues(new Float64Array(), 0.5)).toBeUndefined()
})

test('lies between minimum and maximum, and grows with the share', () => {
  const numbers = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(numbers, fc.double({ min: 0, max: 1, noNaN: true }), (given, share) => {
      const sorted = given.toSorted((a, b) => a - b)
      const value = computeQuantile(sorted, share)!
      expect(value).toBeGreaterThanOrEqual(sorted[0]! - 1e-9)
      expect(value).toBeLessThanOrEqual(computeQuantile(sorted, 1)! + 1e-9)
      const middle = computeMedian(given)!
      expect(given.filter((value) => value < middle - 1e-9).length).toBeLessThanOrEqual(given.length / 2)
      expect(given.filter((value) => value > middle + 1e-9).length).toBeLessThanOrEqual(given.length / 2)
    }),
  )
})

test('gives the same quantiles for unsorted input, also repeatedly and with many duplicates', () => {
  const numbers = fc.oneof(
    fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 60 }),
    fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 60 }),
  )
  const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(numbers, shares, (given, extraShares) => {
      const sorted = given.toSorted((a, b) => a - b)
      const values = Float64Array.from(given)
      for (const share of [0.25, 0.5, 0.75, 0, 1, ...extraShares]) {
        // Compares with `===`, because -0 and 0 may be in either order and count as equal.
        expect(computeQuantileOfUnsortedValues(values, share) === computeQuantile(sorted, share)).toBe(true)
      }
      expect(values.toSorted()).toEqual(Float64Array.from(given).sort())
    }),
    { numRuns: 2000 },
  )
})

test('medianOf does not reorder its input', () => {
  const given = Float64Array.of(3, 1, 2)
  expect(computeMedian(given)).toBe(2)
  expect([...given]).toEqual([3, 1, 2])
})
