import { expect, test } from 'vitest'
import { DEFAULT_COLUMN_ORDER, REPORT_COLUMNS } from '#contract/report-columns.ts'
import type { ColumnSetting } from '#contract/user.ts'
import { drawnColumns, mergeColumns } from './column-layout.ts'

const DEFAULT_ORDER = DEFAULT_COLUMN_ORDER
const setting = (field: string, currentPosition: number, showHideColumn = true): ColumnSetting => ({
  id: field,
  field,
  title: field,
  showHideColumn,
  currentPosition,
  defaultPosition: 0,
})

test('the default order names each of the 25 columns once', () => {
  expect([...DEFAULT_ORDER].sort()).toEqual(REPORT_COLUMNS.map(({ field }) => field).sort())
})

test('without settings all columns stand in their default order', () => {
  expect(mergeColumns([])).toEqual({ order: DEFAULT_ORDER, hidden: new Set() })
})

test('keeps what the user hid and moved', () => {
  const settings = DEFAULT_ORDER.map((field, index) => setting(field, index, field !== 'remark'))
  settings[DEFAULT_ORDER.indexOf('budget')] = setting('budget', 0.5)
  const layout = mergeColumns(settings)
  expect(layout.order.slice(0, 3)).toEqual(['change_status', 'budget', 'name'])
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

test('pinned columns come first, each at the end of the one before', () => {
  const drawn = drawnColumns(mergeColumns([]), 300)
  expect(drawn.fields.slice(0, 3)).toEqual(['change_status', 'name', 'dept_sub_name'])
  expect(drawn.offsetOf('change_status')).toBe(0)
  expect(drawn.offsetOf('name')).toBe(drawn.widthOf('change_status'))
  expect(drawn.offsetOf('budget')).toBeUndefined()
  expect(drawn.pinnedWidth).toBe(drawn.widthOf('change_status') + 300)
})

test('a hidden pinned column leaves no room behind', () => {
  const drawn = drawnColumns(mergeColumns([setting('change_status', 0, false)]), 300)
  expect(drawn.fields[0]).toBe('name')
  expect(drawn.offsetOf('name')).toBe(0)
  expect(drawn.placeOf('name')).toBe(2)
})
