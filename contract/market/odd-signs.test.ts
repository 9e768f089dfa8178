import { expect, test } from 'vitest'
import { SIGN_CODES, SIGN_LIMITS, SIGN_TEXTS, signRowsText } from './odd-signs.ts'

test('each sign has a threshold, what was looked at, several other explanations, and a code of the guide or none', () => {
  expect(Object.keys(SIGN_TEXTS).sort()).toEqual([...SIGN_CODES].sort())
  for (const { looked, threshold, explanations, indicator } of Object.values(SIGN_TEXTS)) {
    expect(explanations.length).toBeGreaterThanOrEqual(3)
    expect(new Set(explanations).size).toBe(explanations.length)
    expect(threshold).toMatch(/ตั้งแต่ \d/)
    expect(looked).not.toBe('')
    expect(indicator ?? 'R001').toMatch(/^R0\d\d$/)
  }
  // Each sign needs its own explanations.
  const all = SIGN_CODES.flatMap((sign) => SIGN_TEXTS[sign].explanations)
  expect(new Set(all).size).toBe(all.length)
})

test('nothing is said of fewer than five', () => {
  const { projects, buyerWins, meetings, above, belowBorder, belowOne } = SIGN_LIMITS
  for (const least of [projects, buyerWins, meetings, above, belowBorder, belowOne])
    expect(least).toBeGreaterThanOrEqual(5)
})

test('rows of its figures have a title, others none', () => {
  expect(signRowsText('agency_year:2568:กรม')).toBe('งานที่รู้ผลของหน่วยงานในปีงบประมาณ')
  expect(signRowsText('company:7')).toBeUndefined()
  expect(signRowsText('toString:7')).toBeUndefined()
})
