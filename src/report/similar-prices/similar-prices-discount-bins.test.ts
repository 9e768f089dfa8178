import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  buildDiscountBins,
  DISCOUNT_BIN_WIDTH_FRACTION,
  findDiscountBinIndex,
  formatDiscountFigure,
  formatDiscountInWords,
  getDiscountChartPosition,
} from './similar-prices-discount-bins.ts'
import { parseTargetPrice } from './target-price-store.ts'

const share = fc.integer({ min: -500, max: 900 }).map((tenths) => tenths / 1000)

describe('the bins', () => {
  test('have no gap, and both ends are open', () => {
    const bins = buildDiscountBins([
      { from: -0.025, count: 1 },
      { from: 0, count: 3 },
      { from: 0.05, count: 2 },
    ])
    expect(bins.map(({ label, count }) => [label, count])).toEqual([
      ['ต่ำกว่า 0%', 1],
      ['0 ถึง 2.5%', 3],
      ['2.5 ถึง 5%', 0],
      ['ตั้งแต่ 5%', 2],
    ])
    expect(buildDiscountBins([])).toEqual([])
  })

  test('contain each discount between their edges', () => {
    const bins = buildDiscountBins([
      { from: -0.1, count: 1 },
      { from: 0.4, count: 1 },
    ])
    fc.assert(
      fc.property(share, (discount) => {
        const index = findDiscountBinIndex(bins, discount)
        if (index > 0) expect(discount).toBeGreaterThanOrEqual(bins[index]!.from - 1e-6)
        if (index < bins.length - 1)
          expect(discount).toBeLessThan(bins[index]!.from + DISCOUNT_BIN_WIDTH_FRACTION + 1e-6)
        const position = getDiscountChartPosition(bins, discount)
        expect(position).toBeGreaterThanOrEqual(0)
        expect(position).toBeLessThanOrEqual(bins.length)
      }),
    )
  })
})

test.each([
  [0.118, 'ต่ำกว่าราคากลาง 11.8%', '11.8%'],
  [-0.02, 'สูงกว่าราคากลาง 2.0%', '−2.0%'],
  [0.0002, 'เท่ากับราคากลาง', '0.0%'],
  [-0.0002, 'เท่ากับราคากลาง', '0.0%'],
])('a discount of %d reads %s and %s', (discount, words, figure) => {
  expect(formatDiscountInWords(discount)).toBe(words)
  expect(formatDiscountFigure(discount)).toBe(figure)
})

describe('parseTargetPrice', () => {
  test.each([
    ['5 ล้าน', { discount: 0.5, baht: 5_000_000 }],
    ['9,500,000', { discount: 0.05, baht: 9_500_000 }],
    ['12%', { discount: 0.12, baht: 8_800_000 }],
    ['ลด 12.5 %', { discount: 0.125, baht: 8_750_000 }],
    ['๑๒%', { discount: 0.12, baht: 8_800_000 }],
    ['-2%', { discount: -0.02, baht: 10_200_000 }],
    ['11 ล้าน', { discount: -0.1, baht: 11_000_000 }],
  ])('reads %s against ten million', (text, { discount, baht }) => {
    const entry = parseTargetPrice(text, 10_000_000)
    expect(entry).toMatchObject({ ok: true, baht })
    expect(entry?.ok && entry.discount).toBeCloseTo(discount, 10)
  })

  test.each([
    ['12', 'ถ้าหมายถึงส่วนลด ใส่ % ต่อท้าย'],
    ['100%', 'ส่วนลดต้องน้อยกว่า 100%'],
    ['ห้าล้าน', 'อ่านราคาไม่ออก'],
    ['0', 'มากกว่า 0'],
    ['5.123', 'ทศนิยมได้ไม่เกิน 2 ตำแหน่ง'],
  ])('refuses %s: %s', (text, message) => {
    const entry = parseTargetPrice(text, 10_000_000)
    expect(entry?.ok === false && entry.message).toContain(message)
  })

  test('returns no discount for a price, and no price for a discount, without a reference', () => {
    expect(parseTargetPrice('5 ล้าน', null)).toEqual({ ok: true, baht: 5_000_000 })
    expect(parseTargetPrice('12%', null)).toMatchObject({ ok: true, discount: 0.12, baht: undefined })
  })

  test('returns undefined for blank text', () => {
    expect(parseTargetPrice('  ', 10)).toBeUndefined()
  })
})
