import fc from 'fast-check'
import { expect, test } from 'vitest'
import { highest } from './rank-companies.ts'

test('the highest numbers are those at the front of the sorted list, repeated ones included', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -50, max: 50 })), fc.nat(60), (numbers, most) => {
      expect(highest(numbers, most)).toEqual(numbers.toSorted((a, b) => b - a).slice(0, most))
    }),
  )
})
