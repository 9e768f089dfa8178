import { describe, expect, test } from 'vitest'
import { computeBinomialTail, computeHideCountPValue, type TermTitleCounts } from './term-advice-policy.ts'

const six: TermTitleCounts = { shown: 6, hidden: 6, excluded: 0, wanted: 0, days: 3 }
const tidy = { shown: 200, unwanted: 20 }
const thorough = { shown: 200, unwanted: 180 }

describe('computeHideCountPValue', () => {
  test('advises after six hidden titles of a user who rarely hides, not of one who hides nearly all', () => {
    expect(computeHideCountPValue(six, tidy)).toBeLessThan(0.00001)
    expect(computeHideCountPValue(six, thorough)).toBeUndefined()
    expect(computeHideCountPValue({ ...six, shown: 80, hidden: 80 }, thorough)).toBeLessThan(0.002)
  })

  test.each<[string, Partial<TermTitleCounts>]>([
    ['one that somebody of the team wants', { wanted: 1 }],
    ['one day of tidying up', { days: 1 }],
    ['four titles', { shown: 4, hidden: 4 }],
    ['two hides and many exclusions', { shown: 40, hidden: 2, excluded: 38 }],
    ['titles that were let stand', { shown: 9 }],
  ])('does not advise for %s', (_name, change) => {
    expect(computeHideCountPValue({ ...six, ...change }, tidy)).toBeUndefined()
  })

  test('counts exclusions together with hides', () => {
    expect(computeHideCountPValue({ ...six, shown: 9, hidden: 3, excluded: 6 }, tidy)).toBeDefined()
  })

  test('the binomial tail is the sum of its terms', () => {
    const choose = (all: number, some: number): number => (some === 0 ? 1 : (choose(all - 1, some - 1) * all) / some)
    for (const [all, min, p] of [
      [6, 6, 0.5],
      [10, 7, 0.3],
      [25, 24, 0.9],
      [3, 0, 0.2],
    ] as const) {
      let sum = 0
      for (let k = min; k <= all; k += 1) sum += choose(all, k) * p ** k * (1 - p) ** (all - k)
      expect(computeBinomialTail(all, min, p)).toBeCloseTo(sum, 10)
    }
  })
})
