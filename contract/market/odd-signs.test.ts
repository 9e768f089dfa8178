import { expect, test } from 'vitest'
import { formatOddSignRows, ODD_SIGN_CODES, ODD_SIGN_TEXTS, ODD_SIGN_THRESHOLDS } from './odd-signs.ts'

test('each sign has a threshold, its basis, at least three explanations, and a valid guide code if any', () => {
  expect(Object.keys(ODD_SIGN_TEXTS).sort()).toEqual([...ODD_SIGN_CODES].sort())
  for (const { examined, threshold, explanations, indicator } of Object.values(ODD_SIGN_TEXTS)) {
    expect(explanations.length).toBeGreaterThanOrEqual(3)
    expect(new Set(explanations).size).toBe(explanations.length)
    expect(threshold).toMatch(/ตั้งแต่ \d/)
    expect(examined).not.toBe('')
    expect(indicator ?? 'R001').toMatch(/^R0\d\d$/)
  }
  const all = ODD_SIGN_CODES.flatMap((sign) => ODD_SIGN_TEXTS[sign].explanations)
  expect(new Set(all).size).toBe(all.length)
})

test('every minimum count is at least five', () => {
  const { projects, buyerWins, meetings, above, belowBorder, belowOne } = ODD_SIGN_THRESHOLDS
  for (const minimum of [projects, buyerWins, meetings, above, belowBorder, belowOne])
    expect(minimum).toBeGreaterThanOrEqual(5)
})

test('only rows of a sign’s figures have a title', () => {
  expect(formatOddSignRows('agency_year:2568:กรม')).toBe('งานที่รู้ผลของหน่วยงานในปีงบประมาณ')
  expect(formatOddSignRows('company:7')).toBeUndefined()
  expect(formatOddSignRows('toString:7')).toBeUndefined()
})
