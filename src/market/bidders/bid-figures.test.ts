import { describe, expect, test } from 'vitest'
import type { DataIssue } from '#contract/catalogue/data-issue.ts'
import type { Bidder } from '#contract/report/project-detail.ts'
import {
  buildBidChart,
  computePriceRanks,
  getBidComparisonBase,
  isBidInSmePreferenceBand,
  toBidChartAxisPercent,
} from './bid-figures.ts'

const bidder = (price: number | null, is_sme: boolean | null = null): Bidder => ({
  name: `ผู้เสนอราคา ${price}`,
  tax_id: null,
  price,
  is_winner: false,
  is_sme,
})

const DOUBTFUL_ESTIMATE: DataIssue = { kind: 'amount_too_low', field: 'ราคากลาง', value: '8,700' }

describe('the base of comparison', () => {
  test.each([
    [
      { estimate_budget: 900, budget: 1000 },
      { baht: 900, against: 'reference' },
    ],
    [
      { estimate_budget: null, budget: 1000 },
      { baht: 1000, against: 'budget' },
    ],
    [
      { estimate_budget: null, budget: 1000, doubts: [DOUBTFUL_ESTIMATE] },
      { baht: 1000, against: 'budget_for_doubtful_reference' },
    ],
    [{ estimate_budget: null, budget: null }, undefined],
    [{ estimate_budget: 0, budget: 1000 }, undefined],
  ])('of %o is %o', (row, base) => {
    expect(getBidComparisonBase(row)).toEqual(base)
  })
})

describe('price ranks', () => {
  test('count from the lowest, are shared by equal prices and undefined without a price', () => {
    expect(computePriceRanks([bidder(300), bidder(100), bidder(null), bidder(100)])).toEqual([3, 1, undefined, 1])
  })
})

describe('the chart', () => {
  test('contains every price, the base and the SME line, ten percent above the lowest', () => {
    const chart = buildBidChart([bidder(100), bidder(130)], { baht: 150, against: 'reference' })!
    expect(chart.smeLine).toBeCloseTo(110)
    for (const baht of [100, 110, 130, 150]) {
      expect(toBidChartAxisPercent(chart, baht)).toBeGreaterThan(0)
      expect(toBidChartAxisPercent(chart, baht)).toBeLessThan(100)
    }
  })

  test('of one price has no SME line, as there is no one to prefer', () => {
    expect(buildBidChart([bidder(100)], { baht: 150, against: 'reference' })?.smeLine).toBeUndefined()
  })

  test('of equal prices still has a width', () => {
    const chart = buildBidChart([bidder(100)], { baht: 100, against: 'reference' })!
    expect(toBidChartAxisPercent(chart, 100)).toBeCloseTo(50)
  })

  test.each([
    ['no price', [bidder(null)], { baht: 150, against: 'reference' } as const],
    ['one price and nothing beside it', [bidder(100)], undefined],
  ])('is not drawn for %s', (_why, bidders, base) => {
    expect(buildBidChart(bidders, base)).toBeUndefined()
  })

  test.each([
    [105, true, true],
    [110, true, true],
    [111, true, false],
    [100, true, false],
    [105, false, false],
    [105, null, false],
    [null, true, false],
  ])('a price of %s by a bidder with SME %s is in the band: %s', (price, isSme, isIn) => {
    const chart = buildBidChart([bidder(100), bidder(120)], undefined)!
    expect(isBidInSmePreferenceBand(chart, bidder(price, isSme))).toBe(isIn)
  })
})
