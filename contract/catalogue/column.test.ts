import { expect, test } from 'vitest'
import { type ColumnSetting, mergeColumnSettings, toColumnSettings } from './column.ts'
import { DEFAULT_REPORT_COLUMN_ORDER, OPTIONAL_REPORT_COLUMNS, REPORT_COLUMNS } from './report-columns.ts'

const DEFAULT_ORDER = DEFAULT_REPORT_COLUMN_ORDER
const setting = (field: string, currentPosition: number, showHideColumn = true): ColumnSetting => ({
  id: field,
  field,
  title: field,
  showHideColumn,
  currentPosition,
  defaultPosition: 0,
})

test('the default order names each column once', () => {
  expect([...DEFAULT_ORDER].sort()).toEqual(REPORT_COLUMNS.map(({ field }) => field).sort())
})

test('without settings shows the 25 specified columns in default order, then the optional ones, hidden', () => {
  expect(DEFAULT_ORDER.slice(25)).toEqual(OPTIONAL_REPORT_COLUMNS)
  expect(mergeColumnSettings([])).toEqual({
    order: DEFAULT_ORDER,
    hidden: new Set(OPTIONAL_REPORT_COLUMNS),
    pinned: new Set(['change_status', 'name']),
    widths: new Map(),
  })
})

test("the optional columns are the team's work and the matched watch words", () => {
  expect(OPTIONAL_REPORT_COLUMNS).toEqual(['pursuit_stage', 'pursuit_owner', 'pursuit_notes', 'match_reasons'])
})

test('keeps hidden and reordered columns', () => {
  const settings = DEFAULT_ORDER.map((field, index) => setting(field, index, field !== 'remark'))
  settings[DEFAULT_ORDER.indexOf('budget')] = setting('budget', 0.5)
  const layout = mergeColumnSettings(settings)
  expect(layout.order.slice(0, 3)).toEqual(['change_status', 'budget', 'name'])
  expect([...layout.hidden]).toEqual(['remark'])
})

test('settings saved before optional columns existed do not show them', () => {
  const old = DEFAULT_ORDER.slice(0, 25).map((field, index) => setting(field, index))
  expect(mergeColumnSettings(old).hidden).toEqual(new Set(OPTIONAL_REPORT_COLUMNS))
})

test('settings saved before a column existed show it at its default position', () => {
  const old = DEFAULT_ORDER.filter((field) => field !== 'movement').map((field) =>
    setting(field, DEFAULT_ORDER.indexOf(field)),
  )
  const layout = mergeColumnSettings(old)
  expect(layout.order).toEqual(DEFAULT_ORDER)
  expect(layout.hidden.has('movement')).toBe(false)
})

test('drops fields that no longer exist', () => {
  const layout = mergeColumnSettings([setting('gone', 3), setting('name', 0)])
  expect(layout.order).toHaveLength(29)
  expect(layout.order).not.toContain('gone')
})

test('ignores settings that hide every column', () => {
  expect(mergeColumnSettings(DEFAULT_ORDER.map((field, index) => setting(field, index, false))).hidden).toEqual(
    new Set(OPTIONAL_REPORT_COLUMNS),
  )
})

test('a stored layout round-trips with widths and pins', () => {
  const layout = mergeColumnSettings([
    { ...setting('budget', 0), width: 200, isPinned: true },
    { ...setting('name', 1), isPinned: false },
    setting('remark', 24, false),
  ])
  expect([...layout.pinned].sort()).toEqual(['budget', 'change_status'])
  expect(layout.widths).toEqual(new Map([['budget', 200]]))
  expect(mergeColumnSettings(toColumnSettings(layout))).toEqual(layout)
})
