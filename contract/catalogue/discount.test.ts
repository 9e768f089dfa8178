import { expect, test } from 'vitest'
import { calculateDiscount } from './discount.ts'

test('is relative to the reference price', () => {
  expect(calculateDiscount({ budget: 1000, estimate_budget: 800, winner_budget: 600 })).toEqual({
    rate: 0.25,
    against: 'reference',
  })
})

test('falls back to the budget and reports it', () => {
  expect(calculateDiscount({ budget: 1000, estimate_budget: null, winner_budget: 900 })).toEqual({
    rate: 0.1,
    against: 'budget',
  })
})

test('stays negative when the winning price is higher', () => {
  expect(calculateDiscount({ budget: null, estimate_budget: 100, winner_budget: 110 })?.rate).toBeCloseTo(-0.1)
})

test('is unknown, not zero, without a base price or a winner', () => {
  expect(calculateDiscount({ budget: null, estimate_budget: null, winner_budget: 5 })).toBeUndefined()
  expect(calculateDiscount({ budget: 10, estimate_budget: 10, winner_budget: null })).toBeUndefined()
  expect(calculateDiscount({ budget: 10, estimate_budget: 0, winner_budget: 5 })).toBeUndefined()
})
