import fc from 'fast-check'
import { expect, test } from 'vitest'
import { takeHighestNumbers } from './rank-companies.ts'

test('highest equals the head of the sorted list, duplicates included', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -50, max: 50 })), fc.nat(60), (numbers, count) => {
      expect(takeHighestNumbers(numbers, count)).toEqual(numbers.toSorted((a, b) => b - a).slice(0, count))
    }),
  )
})
