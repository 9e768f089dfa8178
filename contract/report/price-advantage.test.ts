import { expect, test } from 'vitest'
import {
  type AdvantagedBid,
  findPriceAdvantage,
  getAdvantagePercent,
  rankIfSme,
  rankWithAdvantage,
} from './price-advantage.ts'

const RULE = findPriceAdvantage('2026-11-10')!
const bid = (price: number | null, is_sme: boolean | null = false, has_mit = false): AdvantagedBid => ({
  ...{ price, is_sme, has_mit },
})
const ranks = (...bids: AdvantagedBid[]) => rankWithAdvantage(bids, RULE)

/** Cl. 27/1–27/4 of the ministerial regulation. */
test.each([
  [true, true, 15],
  [true, false, 10],
  [false, true, 5],
  [false, false, 0],
  [null, false, 0],
  [null, true, 5],
])('an SME %s with Made in Thailand %s has %s %%', (is_sme, has_mit, percent) => {
  expect(getAdvantagePercent({ is_sme, has_mit }, RULE)).toBe(percent)
})

test('there was none before December 2020', () => {
  expect(findPriceAdvantage('2020-12-22')).toBeUndefined()
})

test.each([
  ['an SME up to 10 % above the lowest other bid comes first', [bid(100), bid(110, true)], [2, 1]],
  ['a satang more does not', [bid(100), bid(110.01, true)], [1, 2]],
  ['Made in Thailand counts up to 5 %', [bid(100), bid(105, false, true), bid(105.01, false, true)], [2, 1, 3]],
  ['both count up to 15 %', [bid(100), bid(115, true, true), bid(111, true)], [2, 1, 3]],
  ['several SMEs in the band are in the order of their prices', [bid(100), bid(109, true), bid(105, true)], [3, 2, 1]],
  [
    'an SME that is the lowest stays first, and the next SME passes the others',
    [bid(95, true), bid(100), bid(108, true)],
    [1, 3, 2],
  ],
  ['an unknown size has no advantage', [bid(100), bid(105, null)], [1, 2]],
  ['among SMEs alone the price decides', [bid(100, true), bid(90, true)], [2, 1]],
  [
    'equal prices share a rank, bids without a price have none',
    [bid(100), bid(100), bid(null, true)],
    [1, 1, undefined],
  ],
  ['rounding loses no satang', [bid(100.1), bid(110.11, true)], [2, 1]],
])('%s', (_name, bids, expected) => {
  expect(ranks(...bids)).toEqual(expected)
})

test('states the rank of a bid if it were an SME', () => {
  const bids = [bid(100), bid(104, null), bid(112, null)]
  expect(bids.map((_, index) => rankIfSme(bids, index, RULE))).toEqual([1, 1, 3])
})
