import { expect, test } from 'vitest'
import { REPORT_COLUMNS } from '#contract/report-columns.ts'
import type { ColumnSetting } from '#contract/user.ts'
import { mergeColumns } from './column-layout.ts'

const DEFAULT_ORDER = REPORT_COLUMNS.map(({ field }) => field)
const setting = (field: string, currentPosition: number, showHideColumn = true): ColumnSetting => ({
  id: field,
  field,
  title: field,
  showHideColumn,
  currentPosition,
  defaultPosition: 0,
})

test('without settings all columns stand in their default order', () => {
  expect(mergeColumns([])).toEqual({ order: DEFAULT_ORDER, hidden: new Set() })
})

test('keeps what the user hid and moved', () => {
  const settings = DEFAULT_ORDER.map((field, index) => setting(field, index, field !== 'remark'))
  settings[8] = setting('budget', 0.5)
  const layout = mergeColumns(settings)
  expect(layout.order.slice(0, 3)).toEqual(['change_status', 'budget', 'project_id'])
  expect([...layout.hidden]).toEqual(['remark'])
})

test('settings stored before a column existed show it at its default position', () => {
  const old = DEFAULT_ORDER.filter((field) => field !== 'movement').map((field) =>
    setting(field, DEFAULT_ORDER.indexOf(field)),
  )
  const layout = mergeColumns(old)
  expect(layout.order).toEqual(DEFAULT_ORDER)
  expect(layout.hidden.has('movement')).toBe(false)
})

test('fields that no longer exist are dropped', () => {
  const layout = mergeColumns([setting('gone', 3), setting('name', 0)])
  expect(layout.order).toHaveLength(25)
  expect(layout.order).not.toContain('gone')
})

test('settings that hide everything are not followed', () => {
  expect(mergeColumns(DEFAULT_ORDER.map((field, index) => setting(field, index, false))).hidden.size).toBe(0)
})
