import { expect, test } from 'vitest'
import { columnSettingsOf, mergeColumns } from '#contract/catalogue/column.ts'
import { DEFAULT_COLUMN_ORDER } from '#contract/catalogue/report-columns.ts'
import { DEFAULT_LAYOUT, foundColumns, isSameLayout, withMoved, withPinned, withShown } from './column-draft.ts'
import { columnsPatch } from './save-columns.ts'

test('a column moves to a place and the others close the gap; past the ends it stays at the end', () => {
  const place = (to: number) => withMoved(DEFAULT_LAYOUT, 'budget', to).order.indexOf('budget')
  expect([0, 2, 27, -5, 99].map(place)).toEqual([0, 2, 27, 0, 27])
  const { order } = withMoved(DEFAULT_LAYOUT, 'budget', 0)
  expect(order.slice(0, 4)).toEqual(['budget', 'change_status', 'name', 'dept_sub_name'])
  expect(new Set(order).size).toBe(28)
})

test('what is stored comes back as the same layout', () => {
  let layout = withMoved(DEFAULT_LAYOUT, 'remark', 3)
  layout = withShown(layout, ['method', 'status'], false)
  layout = withPinned(withPinned(layout, 'budget', true), 'name', false)
  const { customize_report_table: stored } = columnsPatch(layout)
  expect(stored).toHaveLength(28)
  expect(isSameLayout(mergeColumns(stored!), layout)).toBe(true)
  expect(isSameLayout(layout, DEFAULT_LAYOUT)).toBe(false)
})

test('the default layout is stored like any other, however one came to it: nothing stored is an account that was never asked', () => {
  const there = withMoved(withPinned(DEFAULT_LAYOUT, 'budget', true), 'name', 20)
  const back = withPinned(withMoved(there, 'name', DEFAULT_COLUMN_ORDER.indexOf('name')), 'budget', false)
  expect(columnsPatch(back)).toEqual({ customize_report_table: columnSettingsOf(DEFAULT_LAYOUT) })
})

test('columns are found by part of their title, in their order', () => {
  expect(foundColumns(DEFAULT_LAYOUT, ' จังหวัด ')).toEqual(['project_province', 'dept_province'])
  expect(foundColumns(DEFAULT_LAYOUT, 'ไม่มีคอลัมน์นี้')).toEqual([])
  expect(foundColumns(DEFAULT_LAYOUT, '')).toHaveLength(28)
})
