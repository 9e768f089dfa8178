import { expect, test } from 'vitest'
import {
  formatUnusualAwardPatternRows,
  UNUSUAL_AWARD_PATTERN_CODES,
  UNUSUAL_AWARD_PATTERN_TEXTS,
  UNUSUAL_AWARD_PATTERN_THRESHOLDS,
} from './unusual-award-patterns.ts'

test('each sign has a threshold, its basis, at least three explanations, and a valid guide code if any', () => {
  expect(Object.keys(UNUSUAL_AWARD_PATTERN_TEXTS).sort()).toEqual([...UNUSUAL_AWARD_PATTERN_CODES].sort())
  for (const { examined, threshold, explanations, indicator } of Object.values(UNUSUAL_AWARD_PATTERN_TEXTS)) {
    expect(explanations.length).toBeGreaterThanOrEqual(3)
    expect(new Set(explanations).size).toBe(explanations.length)
    expect(threshold).toMatch(/ตั้งแต่ \d/)
    expect(examined).not.toBe('')
    expect(indicator ?? 'R001').toMatch(/^R0\d\d$/)
  }
  const all = UNUSUAL_AWARD_PATTERN_CODES.flatMap((sign) => UNUSUAL_AWARD_PATTERN_TEXTS[sign].explanations)
  expect(new Set(all).size).toBe(all.length)
})

test('every minimum count is at least five', () => {
  const { projects, buyerWins, meetings, above, belowBorder, belowOne } = UNUSUAL_AWARD_PATTERN_THRESHOLDS
  for (const minimum of [projects, buyerWins, meetings, above, belowBorder, belowOne])
    expect(minimum).toBeGreaterThanOrEqual(5)
})

test('only rows of a sign’s figures have a title', () => {
  expect(formatUnusualAwardPatternRows('agency_year:2568:กรม')).toBe('งานที่รู้ผลของหน่วยงานในปีงบประมาณ')
  expect(formatUnusualAwardPatternRows('company:7')).toBeUndefined()
  expect(formatUnusualAwardPatternRows('toString:7')).toBeUndefined()
})
