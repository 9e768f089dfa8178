import { expect, test } from 'vitest'
import { MIN_CERTAIN_BUDGET_LINK_CONFIDENCE } from '#contract/market/budget.ts'
import {
  type BudgetLinkEvidence,
  computeBudgetLinkConfidence,
  describeBudgetLinkEvidence,
  resolveRivalBudgetLinks,
} from './link-confidence.ts'

const SAME: BudgetLinkEvidence = {
  words: 1,
  letters: 1,
  numbers: 1,
  amountGap: 0,
  yearsLater: 0,
  isMultiYear: false,
  isElsewhere: false,
  isBuyerUnknown: false,
}

test('is 1 for the same name, amount and year', () => {
  expect(computeBudgetLinkConfidence(SAME)).toBe(1)
})

test('never reaches certainty for another hospital, village or road', () => {
  expect(computeBudgetLinkConfidence({ ...SAME, isElsewhere: true })).toBeLessThan(MIN_CERTAIN_BUDGET_LINK_CONFIDENCE)
})

test('stays a guess when another body of the same name may have been meant', () => {
  const unknown = { ...SAME, isBuyerUnknown: true }
  expect(computeBudgetLinkConfidence(unknown)).toBeGreaterThan(0)
  expect(computeBudgetLinkConfidence(unknown)).toBeLessThan(MIN_CERTAIN_BUDGET_LINK_CONFIDENCE)
  expect(describeBudgetLinkEvidence(unknown, { item: 2570, project: 2570 })[0]).toBe('หน่วยงานชื่อเดียวกัน')
})

test('is 0 for a name with another meaning, whatever the amounts', () => {
  expect(computeBudgetLinkConfidence({ ...SAME, words: 0.2, letters: 0.3 })).toBe(0)
})

test('makes a similar name with a distant amount a guess, weaker with the distance', () => {
  const near = { ...SAME, letters: 0.85 }
  expect(computeBudgetLinkConfidence({ ...near, amountGap: 0.5 })).toBeLessThan(MIN_CERTAIN_BUDGET_LINK_CONFIDENCE)
  const falling = [0, 0.05, 0.1, 0.2, 0.4].map((amountGap) => computeBudgetLinkConfidence({ ...near, amountGap }))
  expect(falling).toEqual(falling.toSorted((a, b) => b - a))
})

test('accepts the same or the next year; a multi-year item may link to an older project', () => {
  expect(computeBudgetLinkConfidence({ ...SAME, yearsLater: 1 })).toBeGreaterThanOrEqual(
    MIN_CERTAIN_BUDGET_LINK_CONFIDENCE,
  )
  expect(computeBudgetLinkConfidence({ ...SAME, yearsLater: 2 })).toBe(0)
  expect(computeBudgetLinkConfidence({ ...SAME, yearsLater: -1 })).toBe(0)
  expect(computeBudgetLinkConfidence({ ...SAME, yearsLater: -1, isMultiYear: true })).toBeGreaterThanOrEqual(
    MIN_CERTAIN_BUDGET_LINK_CONFIDENCE,
  )
})

test('makes none of two similar candidates certain, and keeps only a clearly better one', () => {
  const different = () => false
  const tied = resolveRivalBudgetLinks([{ confidence: 0.9 }, { confidence: 0.88 }], different)
  expect(tied.every(({ confidence }) => confidence < MIN_CERTAIN_BUDGET_LINK_CONFIDENCE)).toBe(true)
  expect(tied).toHaveLength(2)
  const same = (a: object, b: object) => a === b
  expect(resolveRivalBudgetLinks([{ confidence: 0.72 }, { confidence: 0.95 }], same)).toEqual([{ confidence: 0.95 }])
})

test('gives reasons in Thai', () => {
  expect(
    describeBudgetLinkEvidence({ ...SAME, letters: 0.92, amountGap: 0.031 }, { item: 2570, project: 2570 }),
  ).toEqual(['หน่วยงานเดียวกัน', 'ชื่อตรงกัน 92%', 'วงเงินต่างกัน 3%', 'ปีงบประมาณ 2570 เหมือนกัน'])
})
