import { expect, test } from 'vitest'
import { mergeColumnSettings, toColumnSettings } from '#contract/catalogue/column.ts'
import { DEFAULT_REPORT_COLUMN_ORDER } from '#contract/catalogue/report-columns.ts'
import {
  DEFAULT_REPORT_COLUMN_LAYOUT,
  findMatchingReportColumns,
  isSameReportColumnLayout,
  moveReportColumn,
  setReportColumnPinned,
  setReportColumnsVisible,
} from './column-layout-edits.ts'
import { buildReportColumnsPatch } from './save-columns.ts'

test('moves a column to an index, closes the gap and clamps past the ends', () => {
  const indexAfterMove = (to: number) =>
    moveReportColumn(DEFAULT_REPORT_COLUMN_LAYOUT, 'budget', to).order.indexOf('budget')
  expect([0, 2, 28, -5, 99].map(indexAfterMove)).toEqual([0, 2, 28, 0, 28])
  const { order } = moveReportColumn(DEFAULT_REPORT_COLUMN_LAYOUT, 'budget', 0)
  expect(order.slice(0, 4)).toEqual(['budget', 'change_status', 'name', 'dept_sub_name'])
  expect(new Set(order).size).toBe(29)
})

test('round-trips a layout through the stored settings', () => {
  let layout = moveReportColumn(DEFAULT_REPORT_COLUMN_LAYOUT, 'remark', 3)
  layout = setReportColumnsVisible(layout, ['method', 'status'], false)
  layout = setReportColumnPinned(setReportColumnPinned(layout, 'budget', true), 'name', false)
  const { customize_report_table: stored } = buildReportColumnsPatch(layout)
  expect(stored).toHaveLength(29)
  expect(isSameReportColumnLayout(mergeColumnSettings(stored!), layout)).toBe(true)
  expect(isSameReportColumnLayout(layout, DEFAULT_REPORT_COLUMN_LAYOUT)).toBe(false)
})

test('stores the default layout explicitly, as empty settings mean a new account', () => {
  const there = moveReportColumn(setReportColumnPinned(DEFAULT_REPORT_COLUMN_LAYOUT, 'budget', true), 'name', 20)
  const back = setReportColumnPinned(
    moveReportColumn(there, 'name', DEFAULT_REPORT_COLUMN_ORDER.indexOf('name')),
    'budget',
    false,
  )
  expect(buildReportColumnsPatch(back)).toEqual({
    customize_report_table: toColumnSettings(DEFAULT_REPORT_COLUMN_LAYOUT),
  })
})

test('finds columns by part of their title, in order', () => {
  expect(findMatchingReportColumns(DEFAULT_REPORT_COLUMN_LAYOUT, ' จังหวัด ')).toEqual([
    'project_province',
    'dept_province',
  ])
  expect(findMatchingReportColumns(DEFAULT_REPORT_COLUMN_LAYOUT, 'ไม่มีคอลัมน์นี้')).toEqual([])
  expect(findMatchingReportColumns(DEFAULT_REPORT_COLUMN_LAYOUT, '')).toHaveLength(29)
})
