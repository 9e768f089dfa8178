import fc from 'fast-check'
import { expect, test } from 'vitest'
import { medianOf, quantileOf } from './quantile.ts'

test.each([
  [[1], 0.25, 1],
  [[1, 3], 0.5, 2],
  [[1, 2, 10], 0.5, 2],
  [[0, 10, 20, 30], 0.25, 7.5],
  [[0, 10, 20, 30], 1, 30],
])('of %o the share %d is %d', (sorted, share, value) => {
  expect(quantileOf(sorted, share)).toBeCloseTo(value, 12)
})

test('of nothing there is none', () => {
  expect(quantileOf([], 0.5)).toBeUndefined()
  expect(medianOf([])).toBeUndefined()
})

test('lies between the least and the greatest, and grows with the share', () => {
  const numbers = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(numbers, fc.double({ min: 0, max: 1, noNaN: true }), (given, share) => {
      const sorted = given.toSorted((a, b) => a - b)
      const value = quantileOf(sorted, share)!
      expect(value).toBeGreaterThanOrEqual(sorted[0]! - 1e-9)
      expect(value).toBeLessThanOrEqual(quantileOf(sorted, 1)! + 1e-9)
      // As many lie below the middle as above it.
      const middle = medianOf(given)!
      expect(given.filter((one) => one < middle - 1e-9).length).toBeLessThanOrEqual(given.length / 2)
      expect(given.filter((one) => one > middle + 1e-9).length).toBeLessThanOrEqual(given.length / 2)
    }),
  )
})
