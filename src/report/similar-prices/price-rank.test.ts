import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  computeTargetPriceComparison,
  discountToPriceRatio,
  formatBidComparison,
  formatWinnerComparison,
  priceToPriceRatio,
} from './price-rank.ts'

const won = (estimate_budget: number, winner_budget: number, bids: readonly number[] = []) => ({
  estimate_budget,
  winner_budget,
  bids: [...bids],
})

describe('price rank', () => {
  test('at 8 % below is lower than 6 of 11 winners', () => {
    const projects = [1, 2, 3, 4, 5, 7, 9, 10, 12, 15, 20].map((percent) =>
      won(1_000_000, 1_000_000 - percent * 10_000),
    )
    const rank = computeTargetPriceComparison(discountToPriceRatio(0.08), projects)
    expect(rank.winners).toEqual({ n: 11, below: 6, equal: 0, above: 5 })
    expect(formatWinnerComparison(rank)).toBe('ในงานที่คล้ายกัน 11 งาน ราคานี้ต่ำกว่าผู้ชนะ 6 งาน')
    expect(formatBidComparison(rank)).toBeUndefined()
  })

  test('counts a project with all bids known apart from those with only the winner known', () => {
    const rank = computeTargetPriceComparison(priceToPriceRatio(900, 1000), [
      won(1000, 950),
      won(2000, 1700, [1700, 1800, 1900]),
      won(2000, 1900, [1900, 1950]),
    ])
    expect(rank.winners).toEqual({ n: 1, below: 1, equal: 0, above: 0 })
    expect(rank.bids).toEqual({ n: 2, lowest: 1, prices: 5, cheaper: 1, equal: 1, dearer: 3 })
    expect(formatBidComparison(rank)).toBe(
      'ใน 2 งานที่รู้ราคาทุกราย ราคานี้ต่ำกว่าทุกราย 1 งาน: จาก 5 ราคาที่เสนอ ถูกกว่าราคานี้ 1 ราคา เท่ากัน 1 ราคา แพงกว่า 3 ราคา',
    )
  })

  test('compares to the satang, and treats the same price as equal', () => {
    const of = (baht: number) =>
      computeTargetPriceComparison(priceToPriceRatio(baht, 3_333_333.33), [won(3_333_333.33, 2_999_999.99)]).winners
    expect(of(2_999_999.98)).toMatchObject({ below: 1 })
    expect(of(2_999_999.99)).toMatchObject({ equal: 1 })
    expect(of(3_000_000)).toMatchObject({ above: 1 })
    // 10 % of 3,333,333.30 is not a whole satang in floating point.
    expect(
      computeTargetPriceComparison(discountToPriceRatio(0.1), [won(3_333_333.3, 2_999_999.97)]).winners,
    ).toMatchObject({
      equal: 1,
    })
  })

  test('beats no fewer winners with a deeper discount, and counts every project once', () => {
    const discount = fc.integer({ min: -100, max: 900 }).map((tenths) => tenths / 1000)
    const projects = fc.array(
      fc
        .tuple(fc.integer({ min: 1, max: 10_000_000 }), fc.integer({ min: 1, max: 10_000_000 }))
        .map(([a, b]) => won(a, b)),
    )
    fc.assert(
      fc.property(projects, discount, discount, (peers, a, b) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)].map((d) =>
          computeTargetPriceComparison(discountToPriceRatio(d), peers),
        )
        expect(low!.winners.below).toBeLessThanOrEqual(high!.winners.below)
        const { n, below, equal, above } = high!.winners
        expect([n, below + equal + above]).toEqual([peers.length, peers.length])
      }),
    )
  })
})
