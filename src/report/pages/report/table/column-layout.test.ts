import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type ColumnSetting, mergeColumns } from '#contract/catalogue/column.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { drawnColumns, drawnSizes, stretchedField, stuckCount } from './column-layout.ts'
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
const DEFAULTS = mergeColumns([])
const ROWS: readonly ReportRow[] = []
const NO_SELECTION = { rowSelection: {}, onRowSelectionChange: () => undefined }
const REGION = { current: null }

function tableOf(layout = DEFAULTS, onResize: () => Promise<unknown> = async () => true) {
  const options = { rows: ROWS, layout, nameWidth: 300, isRoomy: false, selection: NO_SELECTION, onResize }
  return renderHook(() => useReportTable(options, REGION)).result
}
const widthOf = ({ current: { table } }: ReturnType<typeof tableOf>, field: string) => table.getColumn(field)!.getSize()

test('pinned columns come first after the leading one, each at the end of the one before', () => {
  const { table, drawn, lead } = tableOf().current
  expect(lead).toBe(LEAD)
  expect(drawn.fields.slice(0, 3)).toEqual(['change_status', 'name', 'dept_sub_name'])
  expect(drawn.stuck).toEqual(['change_status', 'name'])
  const { starts, stuckWidth, totalWidth } = drawnSizes(table, drawn, LEAD)
  const badge = table.getColumn('change_status')!.getSize()
  expect(starts).toEqual({ '--start-change_status': `${LEAD}px`, '--start-name': `${LEAD + badge}px` })
  expect(stuckWidth).toBe(LEAD + badge + 300)
  expect(totalWidth).toBe(drawn.fields.reduce((sum, field) => sum + table.getColumn(field)!.getSize(), LEAD))
})

test('a hidden pinned column leaves no room behind, the others keep their places', () => {
  const { table, drawn } = tableOf(mergeColumns([setting('change_status', 0, { showHideColumn: false })])).current
  expect(drawn.fields[0]).toBe('name')
  expect(drawnSizes(table, drawn, LEAD).starts).toEqual({ '--start-name': `${LEAD}px` })
  expect(drawn.placeOf('name')).toBe(3)
  expect(table.getHeaderGroups()[0]!.headers.map(({ id }) => id)).toEqual(drawn.fields)
})

test('a column that the user pins stands with the pinned ones, in the order of the columns', () => {
  const layout = mergeColumns([
    setting('budget', 3, { isPinned: true }),
    setting('change_status', 0, { isPinned: false }),
  ])
  const { table, drawn } = tableOf(layout).current
  expect(drawn.fields.slice(0, 3)).toEqual(['name', 'budget', 'change_status'])
  expect(table.getHeaderGroups()[0]!.headers.map(({ id }) => id)).toEqual(drawn.fields)
})

test('only as many pinned columns stick as leave room to scroll the others', () => {
  const { table } = tableOf(mergeColumns([setting('budget', 3, { isPinned: true })])).current
  // 60 + 76 + 300 + 118 px pinned: all sticky in 1,000 px, without the budget in 800, only the leading one in 200.
  expect([1000, 800, 200].map((width) => stuckCount(table, LEAD, width))).toEqual([3, 2, 0])
  const drawn = drawnColumns(table, 2)
  expect(drawn.fields.slice(0, 3)).toEqual(['change_status', 'name', 'budget'])
  expect(drawn.stuck).toEqual(['change_status', 'name'])
})

test('a width that the user chose holds, one that is being tried out goes before it until it is kept or given up', async () => {
  const kept = Promise.withResolvers<void>()
  const result = tableOf(mergeColumns([setting('budget', 3, { width: 240 })]), () => kept.promise)
  expect(widthOf(result, 'budget')).toBe(240)
  const tryOut = (width: number) =>
    act(() => result.current.table.setColumnSizing((now) => ({ ...now, budget: width })))
  tryOut(90)
  expect(widthOf(result, 'budget')).toBe(90)
  expect(widthOf(result, 'estimate_budget')).toBe(114)
  act(() => result.current.giveUp())
  expect(widthOf(result, 'budget')).toBe(240)
  tryOut(100)
  await act(async () => void result.current.resize('budget', 100))
  expect(widthOf(result, 'budget')).toBe(100)
  // The layout does not contain the width, so it was refused.
  await act(async () => kept.resolve())
  expect(widthOf(result, 'budget')).toBe(240)
})

test('the name takes what the others leave; sized or hidden, the last column does', () => {
  const stretchedOf = ({ current: { drawn, columnSizing } }: ReturnType<typeof tableOf>) =>
    stretchedField(drawn, columnSizing)
  expect(stretchedOf(tableOf())).toBe('name')
  expect(stretchedOf(tableOf(mergeColumns([setting('name', 1, { width: 500 })])))).toBe('attachments')
  expect(stretchedOf(tableOf(mergeColumns([setting('name', 1, { showHideColumn: false })])))).toBe('attachments')
})
