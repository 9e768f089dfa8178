import { describe, expect, test, vi } from 'vitest'
import { parseSearchExpression } from '#contract/search/search-grammar.ts'
import { getColumnSorting } from '#src/market/column-sorting.ts'
import { getDiscountChartPosition } from '#src/report/similar-prices/similar-prices-discount-bins.ts'
import { formatAmountChange, formatCountChange, formatRateChange } from './company-figures.tsx'
import { buildTestCompanyDetail } from './company-for-tests.ts'
import { describeCompanyRowsFilter } from './company-projects.tsx'
import { groupTimelinePointsByMethod } from './company-timeline-block.tsx'
import { fillDiscountBins, formatDiscountBin, formatDiscountSizeBand } from './discount-text.ts'
import { buildCompanyWonProjectsSearch } from './related-searches.ts'

describe('change texts', () => {
  test('use the unit of the figure and are null when either side is unknown', () => {
    expect(formatCountChange({ now: 40, before: 37 })).toBe('เพิ่ม 3')
    expect(formatCountChange({ now: 5, before: 5 })).toBe('เท่าเดิม')
    expect(formatAmountChange({ now: 75, before: 100 })).toBe('ลด 25.0%')
    expect(formatRateChange({ now: 0.083, before: 0.07 })).toBe('เพิ่ม 1.3 จุด')
    expect(formatRateChange({ now: -0.01, before: 0.01 })).toBe('ลด 2 จุด')
    expect(formatCountChange({ now: 5, before: null })).toBeNull()
    expect(formatAmountChange({ now: null, before: 5 })).toBeNull()
  })

  test('are null when the earlier value is zero', () => {
    expect(formatAmountChange({ now: 10, before: 0 })).toBeNull()
  })
})

describe('the histogram', () => {
  test('includes empty columns', () => {
    expect(
      fillDiscountBins([
        { from: -0.025, count: 1 },
        { from: 0.05, count: 3 },
      ]),
    ).toEqual([
      { from: -0.025, count: 1 },
      { from: 0, count: 0 },
      { from: 0.025, count: 0 },
      { from: 0.05, count: 3 },
    ])
    expect(fillDiscountBins([])).toEqual([])
  })

  test('labels its columns, with open-ended outermost ones', () => {
    expect(formatDiscountBin(0.025)).toBe('2.5% ถึงก่อน 5%')
    expect(formatDiscountBin(-0.025)).toBe('−2.5% ถึงก่อน 0%')
    expect(formatDiscountBin(-0.1)).toBe('ต่ำกว่า −7.5%')
    expect(formatDiscountBin(0.5)).toBe('ตั้งแต่ 50%')
  })

  test('places the median within the columns and clamps it at the ends', () => {
    const bins = [{ from: 0 }, { from: 0.025 }, { from: 0.05 }]
    expect(getDiscountChartPosition(bins, 0.0375)).toBeCloseTo(1.5)
    expect(getDiscountChartPosition(bins, -0.4)).toBe(0)
    expect(getDiscountChartPosition(bins, 0.9)).toBe(3)
  })
})

test.each([
  ['wins', 'งานที่ชนะ'],
  ['year:2568', 'ปีงบประมาณ 2568'],
  ['year:0', 'ไม่ทราบปีงบประมาณ'],
  ['department:กรม: ก', 'กรม: ก'],
  ['method:specific', 'วิธีเฉพาะเจาะจง'],
  ['province:', 'ไม่ทราบจังหวัด'],
  ['discount:0.025', 'ส่วนลด 2.5% ถึงก่อน 5%'],
  ['size:500000-2000000', 'ราคากลาง 500,000–2 ล้าน บาท'],
  ['with:9', 'พบกับ บจก. ฟ้าคำ'],
  ['with:9:they_won', 'พบกับ บจก. ฟ้าคำ · คู่แข่งชนะ'],
  ['with:1000', 'พบกับ คู่แข่ง'],
  ['__proto__', '__proto__'],
  ['toString:x', 'toString:x'],
])('labels the rows %s as %s', (rows, text) => {
  expect(describeCompanyRowsFilter(rows, buildTestCompanyDetail())).toBe(text)
})

test('labels open-ended size bands by their bound', () => {
  expect(formatDiscountSizeBand('-500000')).toBe('ไม่เกิน 500,000 บาท')
  expect(formatDiscountSizeBand('50000000-')).toBe('ตั้งแต่ 50 ล้าน บาท')
})

test('quotes brackets, quotes and operators of names in the report search', () => {
  const { project_winner_name__in: expression } = buildCompanyWonProjectsSearch('บริษัท ก (ประเทศไทย) "ข" จำกัด', [
    'ก||ข',
    'x'.repeat(600),
  ])
  const parsed = parseSearchExpression(expression!)
  expect(parsed.ok && parsed.node.kind === 'or' && parsed.node.parts).toHaveLength(2)
})

test('sorts by the default direction of a header first, then reverses it', () => {
  const orderAfterClick = (now: string, field: string) => {
    const onOrder = vi.fn()
    getColumnSorting(now, field, onOrder).onSort()
    return onOrder.mock.lastCall?.[0]
  }
  expect(orderAfterClick('-decided_date', 'value')).toBe('-value')
  expect(orderAfterClick('-value', 'value')).toBe('value')
  expect(orderAfterClick('value', 'value')).toBe('-value')
  expect(orderAfterClick('-decided_date', 'name')).toBe('name')
  expect(orderAfterClick('name', 'name')).toBe('-name')
})

test('limits the timeline to five lanes, grouping other methods in the last', () => {
  const points = ['a', 'a', 'a', 'b', 'b', 'c', 'd', 'e', 'f'].map((method) => ({ method }))
  const { lanes, laneOf } = groupTimelinePointsByMethod(points)
  expect(lanes.map(({ key }) => key)).toEqual(['a', 'b', 'c', 'd', 'others'])
  expect(['a', 'e', 'f'].map(laneOf)).toEqual(['a', 'others', 'others'])
  expect(groupTimelinePointsByMethod(points.slice(0, 6)).lanes.map(({ key }) => key)).toEqual(['a', 'b', 'c'])
})
