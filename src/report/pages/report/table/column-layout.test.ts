import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type ColumnSetting, mergeColumnSettings } from '#contract/catalogue/column.ts'
import type { ReportRow } from '#contract/report/report.ts'
import {
  countStickyColumns,
  findStretchedColumnField,
  getRenderedColumnSizes,
  getRenderedColumns,
} from './column-layout.ts'
import { useReportTable } from './use-report-table.ts'

const setting = (field: string, currentPosition: number, more: Partial<ColumnSetting> = {}): ColumnSetting => ({
  id: field,
  field,
  title: field,
  showHideColumn: true,
  currentPosition,
  defaultPosition: 0,
  ...more,
})

const LEAD = 60
const DEFAULTS = mergeColumnSettings([])
const ROWS: readonly ReportRow[] = []
const NO_SELECTION = { rowSelection: {}, onRowSelectionChange: () => undefined }
const REGION = { current: null }

function tableOf(layout = DEFAULTS, onResize: () => Promise<unknown> = async () => true) {
  const options = { rows: ROWS, layout, selection: NO_SELECTION, onResize }
  return renderHook(() => useReportTable(options, REGION)).result
}
const widthOf = ({ current: { table } }: ReturnType<typeof tableOf>, field: string) => table.getColumn(field)!.getSize()

test('places pinned columns after the leading one, each at the end of the previous one', () => {
  const { table, renderedColumns, lead } = tableOf().current
  expect(lead).toBe(LEAD)
  expect(renderedColumns.fields.slice(0, 3)).toEqual(['change_status', 'name', 'dept_sub_name'])
  expect(renderedColumns.stuck).toEqual(['change_status', 'name'])
  const { startOffsets, stuckWidth, totalWidth } = getRenderedColumnSizes(table, renderedColumns, LEAD)
  const badge = table.getColumn('change_status')!.getSize()
  expect(startOffsets).toEqual({ '--start-change_status': `${LEAD}px`, '--start-name': `${LEAD + badge}px` })
  expect(stuckWidth).toBe(LEAD + badge + 240)
  expect(totalWidth).toBe(renderedColumns.fields.reduce((sum, field) => sum + table.getColumn(field)!.getSize(), LEAD))
})

test('leaves no space for a hidden pinned column, and keeps the index of the others', () => {
  const { table, renderedColumns } = tableOf(
    mergeColumnSettings([setting('change_status', 0, { showHideColumn: false })]),
  ).current
  expect(renderedColumns.fields[0]).toBe('name')
  expect(getRenderedColumnSizes(table, renderedColumns, LEAD).startOffsets).toEqual({ '--start-name': `${LEAD}px` })
  expect(renderedColumns.ariaIndexOf('name')).toBe(3)
  expect(table.getHeaderGroups()[0]!.headers.map(({ id }) => id)).toEqual(renderedColumns.fields)
})

test('groups a column pinned by the user with the pinned ones, in column order', () => {
  const layout = mergeColumnSettings([
    setting('budget', 3, { isPinned: true }),
    setting('change_status', 0, { isPinned: false }),
  ])
  const { table, renderedColumns } = tableOf(layout).current
  expect(renderedColumns.fields.slice(0, 3)).toEqual(['name', 'budget', 'change_status'])
  expect(table.getHeaderGroups()[0]!.headers.map(({ id }) => id)).toEqual(renderedColumns.fields)
})

test('keeps only as many pinned columns sticky as leave room to scroll the others', () => {
  const { table } = tableOf(mergeColumnSettings([setting('budget', 3, { isPinned: true })])).current
  // The pinned columns take 60 + 76 + 240 + 118 px: all are sticky in 1,000 px, all but the budget in 700, only the
  // leading one in 200.
  expect([1000, 700, 200].map((width) => countStickyColumns(table, LEAD, width))).toEqual([3, 2, 0])
  const renderedColumns = getRenderedColumns(table.state, 2)
  expect(renderedColumns.fields.slice(0, 3)).toEqual(['change_status', 'name', 'budget'])
  expect(renderedColumns.stuck).toEqual(['change_status', 'name'])
})

test('applies the width chosen by the user; a width in progress overrides it until settled', async () => {
  const saved = Promise.withResolvers<void>()
  const result = tableOf(mergeColumnSettings([setting('budget', 3, { width: 240 })]), () => saved.promise)
  expect(widthOf(result, 'budget')).toBe(240)
  const tryOut = (width: number) =>
    act(() => result.current.table.setColumnSizing((now) => ({ ...now, budget: width })))
  tryOut(90)
  expect(widthOf(result, 'budget')).toBe(90)
  expect(widthOf(result, 'estimate_budget')).toBe(114)
  act(() => result.current.cancelResize())
  expect(widthOf(result, 'budget')).toBe(240)
  tryOut(100)
  await act(async () => void result.current.resize('budget', 100))
  expect(widthOf(result, 'budget')).toBe(100)
  // The stored layout does not contain the width, so the server refused it.
  await act(async () => saved.resolve())
  expect(widthOf(result, 'budget')).toBe(240)
})

test('stretches the name, or the last column if the name is sized or hidden', () => {
  const stretchedOf = ({ current: { renderedColumns, columnSizing } }: ReturnType<typeof tableOf>) =>
    findStretchedColumnField(renderedColumns, columnSizing)
  expect(stretchedOf(tableOf())).toBe('name')
  expect(stretchedOf(tableOf(mergeColumnSettings([setting('name', 1, { width: 500 })])))).toBe('attachments')
  expect(stretchedOf(tableOf(mergeColumnSettings([setting('name', 1, { showHideColumn: false })])))).toBe('attachments')
})
