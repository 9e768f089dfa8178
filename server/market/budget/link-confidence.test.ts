import { expect, test } from 'vitest'
import { SURE_LINK } from '#contract/market/budget.ts'
import { type LinkEvidence, linkConfidence, linkReasons, settleRivals } from './link-confidence.ts'

const SAME: LinkEvidence = {
  words: 1,
  letters: 1,
  numbers: 1,
  apart: 0,
  yearsLater: 0,
  isMultiYear: false,
  isElsewhere: false,
}

test('the same name at the same sum in the same year is certain', () => {
  expect(linkConfidence(SAME)).toBe(1)
})

test('another hospital, village or road is never sure, however alike the rest', () => {
  expect(linkConfidence({ ...SAME, isElsewhere: true })).toBeLessThan(SURE_LINK)
})

test('a name that means something else is no link, whatever the sums are', () => {
  expect(linkConfidence({ ...SAME, words: 0.2, letters: 0.3 })).toBe(0)
})

test('sums that are far apart make a guess of nearly the same name, and less speaks for it the farther they are', () => {
  const near = { ...SAME, letters: 0.85 }
  expect(linkConfidence({ ...near, apart: 0.5 })).toBeLessThan(SURE_LINK)
  const falling = [0, 0.05, 0.1, 0.2, 0.4].map((apart) => linkConfidence({ ...near, apart }))
  expect(falling).toEqual(falling.toSorted((a, b) => b - a))
})

test('money is spent in its year or the one after; a multi-year item may go on with an older project', () => {
  expect(linkConfidence({ ...SAME, yearsLater: 1 })).toBeGreaterThanOrEqual(SURE_LINK)
  expect(linkConfidence({ ...SAME, yearsLater: 2 })).toBe(0)
  expect(linkConfidence({ ...SAME, yearsLater: -1 })).toBe(0)
  expect(linkConfidence({ ...SAME, yearsLater: -1, isMultiYear: true })).toBeGreaterThanOrEqual(SURE_LINK)
})

test('of two items about as good none is sure; one that is clearly better stands alone', () => {
  const different = () => false
  const tied = settleRivals([{ confidence: 0.9 }, { confidence: 0.88 }], different)
  expect(tied.every(({ confidence }) => confidence < SURE_LINK)).toBe(true)
  expect(tied).toHaveLength(2)
  const same = (a: object, b: object) => a === b
  expect(settleRivals([{ confidence: 0.72 }, { confidence: 0.95 }], same)).toEqual([{ confidence: 0.95 }])
})

test('reasons say what speaks for it in Thai', () => {
  expect(linkReasons({ ...SAME, letters: 0.92, apart: 0.031 }, { item: 2570, project: 2570 })).toEqual([
    'หน่วยงานเดียวกัน',
    'ชื่อตรงกัน 92%',
    'วงเงินต่างกัน 3%',
    'ปีงบประมาณ 2570 เหมือนกัน',
  ])
})
