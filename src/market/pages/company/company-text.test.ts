import { describe, expect, test } from 'vitest'
import { parseSearchExpression } from '#contract/search/search-grammar.ts'
import { countChange, moneyChange, rateChange } from './company-figures.tsx'
import { companyForTests } from './company-for-tests.ts'
import { rowsText } from './company-projects.tsx'
import { binLabel, placeAmong, sizeLabel, wholeBins } from './discount-text.ts'
import { nextOrdering } from './project-table.tsx'
import { winnerSearch } from './related-searches.ts'
import { lanesOf } from './timeline-block.tsx'

describe('a change', () => {
  test('is said in its own unit, and not at all where one side is not known', () => {
    expect(countChange({ now: 40, before: 37 })).toBe('เพิ่ม 3')
    expect(countChange({ now: 5, before: 5 })).toBe('เท่าเดิม')
    expect(moneyChange({ now: 75, before: 100 })).toBe('ลด 25.0%')
    expect(rateChange({ now: 0.083, before: 0.07 })).toBe('เพิ่ม 1.3 จุด')
    expect(rateChange({ now: -0.01, before: 0.01 })).toBe('ลด 2 จุด')
    expect(countChange({ now: 5, before: null })).toBeNull()
    expect(moneyChange({ now: null, before: 5 })).toBeNull()
  })

  test('of nothing is no percentage', () => {
    expect(moneyChange({ now: 10, before: 0 })).toBeNull()
  })
})

describe('the histogram', () => {
  test('has a column also where nobody was', () => {
    expect(
      wholeBins([
        { from: -0.025, count: 1 },
        { from: 0.05, count: 3 },
      ]),
    ).toEqual([
      { from: -0.025, count: 1 },
      { from: 0, count: 0 },
      { from: 0.025, count: 0 },
      { from: 0.05, count: 3 },
    ])
    expect(wholeBins([])).toEqual([])
  })

  test('names its columns, the outermost open', () => {
    expect(binLabel(0.025)).toBe('2.5% ถึงก่อน 5%')
    expect(binLabel(-0.025)).toBe('−2.5% ถึงก่อน 0%')
    expect(binLabel(-0.1)).toBe('ต่ำกว่า −7.5%')
    expect(binLabel(0.5)).toBe('ตั้งแต่ 50%')
  })

  test('draws the median where it lies, and never outside', () => {
    const bins = [{ from: 0 }, { from: 0.025 }, { from: 0.05 }]
    expect(placeAmong(bins, 0.0375)).toBeCloseTo(1.5)
    expect(placeAmong(bins, -0.4)).toBe(0)
    expect(placeAmong(bins, 0.9)).toBe(3)
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
])('the figure %s is said as %s', (rows, text) => {
  expect(rowsText(rows, companyForTests())).toBe(text)
})

test('a band is said by both of its sides', () => {
  expect(sizeLabel('-500000')).toBe('ไม่เกิน 500,000 บาท')
  expect(sizeLabel('50000000-')).toBe('ตั้งแต่ 50 ล้าน บาท')
})

test('the report is asked for the name as it is, brackets and quotes too', () => {
  const { project_winner_name__in: expression } = winnerSearch('บริษัท ก (ประเทศไทย) "ข" จำกัด', ['ก||ข', 'x'.repeat(600)])
  const parsed = parseSearchExpression(expression!)
  expect(parsed.ok && parsed.node.kind === 'or' && parsed.node.parts).toHaveLength(2)
})

test('a header is pressed first for its own order, then for the other', () => {
  expect(nextOrdering('-decided_date', 'value')).toBe('-value')
  expect(nextOrdering('-value', 'value')).toBe('value')
  expect(nextOrdering('value', 'value')).toBe('-value')
  expect(nextOrdering('-decided_date', 'name')).toBe('name')
  expect(nextOrdering('name', 'name')).toBe('-name')
})

test('the time line has at most five lanes, the last for all other methods', () => {
  const points = ['a', 'a', 'a', 'b', 'b', 'c', 'd', 'e', 'f'].map((method) => ({ method }))
  const { lanes, laneOf } = lanesOf(points)
  expect(lanes.map(({ key }) => key)).toEqual(['a', 'b', 'c', 'd', 'others'])
  expect(['a', 'e', 'f'].map(laneOf)).toEqual(['a', 'others', 'others'])
  expect(lanesOf(points.slice(0, 6)).lanes.map(({ key }) => key)).toEqual(['a', 'b', 'c'])
})
