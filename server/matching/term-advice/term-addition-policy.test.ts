import { describe, expect, test } from 'vitest'
import { estimateTermAddition } from './term-addition-policy.ts'

const likely = { prior: 0.6, wanted: 3, hidden: 0, monthly: 10 }

describe('estimateTermAddition', () => {
  test('weighs the learned relevance as much as four projects', () => {
    expect(estimateTermAddition(likely)!.likelyRight).toBeCloseTo((0.6 * 4 + 3) / 7)
    expect(estimateTermAddition(likely)!.gain).toBeCloseTo((10 * (0.6 * 4 + 3)) / 7)
  })

  test('expects more of a term that more wanted projects contain, less of one that was hidden', () => {
    const of = (change: Partial<typeof likely>) => estimateTermAddition({ ...likely, ...change })!.likelyRight
    expect(of({ wanted: 6 })).toBeGreaterThan(of({}))
    expect(of({ hidden: 1 })).toBeLessThan(of({}))
  })

  test.each<[string, Partial<typeof likely>]>([
    ['one project', { wanted: 1 }],
    ['as many hidden as wanted projects', { hidden: 3 }],
    ['something else in the same titles', { prior: 0.01, wanted: 9 }],
    ['a term that is probably wrong', { prior: 0.2, wanted: 2, hidden: 1 }],
    ['a term that buries the report', { monthly: 400 }],
  ])('offers nothing for %s', (_name, change) => {
    expect(estimateTermAddition({ ...likely, ...change })).toBeUndefined()
  })
})
