import { expect, test } from 'vitest'
import { type ColumnSetting, mergeColumns } from '#contract/column.ts'
import { columnSizes, drawnColumns, drawnSizes, onPaper, stretchedField, stuckCount } from './column-layout.ts'

const setting = (field: string, currentPosition: number, more: Partial<ColumnSetting> = {}): ColumnSetting => ({
  id: field,
  field,
  title: field,
  showHideColumn: true,
  currentPosition,
  defaultPosition: 0,
  ...more,
})

const LEAD = 72
const DEFAULTS = mergeColumns([])
const sizesOf = (layout = DEFAULTS) => columnSizes(layout, { lead: LEAD, nameWidth: 300 })

test('pinned columns come first after the leading one, each at the end of the one before', () => {
  const sizes = sizesOf()
  const drawn = drawnColumns(DEFAULTS, 2)
  expect(drawn.fields.slice(0, 3)).toEqual(['change_status', 'name', 'dept_sub_name'])
  expect(drawn.stuck).toEqual(['change_status', 'name'])
  const { starts, stuckWidth } = drawnSizes(drawn, sizes)
  const badge = sizes.widthOf('change_status')
  expect(starts).toEqual({ '--start-change_status': `${LEAD}px`, '--start-name': `${LEAD + badge}px` })
  expect(stuckWidth).toBe(LEAD + badge + 300)
})

test('a hidden pinned column leaves no room behind, the others keep their places', () => {
  const layout = mergeColumns([setting('change_status', 0, { showHideColumn: false })])
  const drawn = drawnColumns(layout, stuckCount(layout, sizesOf(layout), 0))
  expect(drawn.fields[0]).toBe('name')
  expect(drawnSizes(drawn, sizesOf(layout)).starts).toEqual({ '--start-name': `${LEAD}px` })
  expect(drawn.placeOf('name')).toBe(3)
})

test('a column that the user pins stands with the pinned ones, in the order of the columns', () => {
  const layout = mergeColumns([
    setting('budget', 3, { isPinned: true }),
    setting('change_status', 0, { isPinned: false }),
  ])
  expect(drawnColumns(layout, 2).fields.slice(0, 3)).toEqual(['name', 'budget', 'change_status'])
})

test('only as many pinned columns stick as leave room to scroll the others', () => {
  const layout = mergeColumns([setting('budget', 3, { isPinned: true })])
  const sizes = sizesOf(layout)
  // 72 + 116 + 300 + 136 px pinned: all of it sticks in 1,000 px, not the budget in 800, nothing but the leading one in 280.
  expect([1000, 800, 280].map((width) => stuckCount(layout, sizes, width))).toEqual([3, 2, 0])
  expect(drawnColumns(layout, 2).fields.slice(0, 3)).toEqual(['change_status', 'name', 'budget'])
})

test('a width that the user chose holds, one that is being tried out goes before it', () => {
  const layout = mergeColumns([setting('budget', 3, { width: 240 })])
  expect(sizesOf(layout).widthOf('budget')).toBe(240)
  const tried = columnSizes(layout, { lead: LEAD, nameWidth: 300, tried: { field: 'budget', width: 90 } })
  expect(tried.widthOf('budget')).toBe(90)
  expect(tried.widthOf('estimate_budget')).toBe(136)
})

test('the name takes what the others leave; sized or hidden, the last column does', () => {
  expect(stretchedField(drawnColumns(DEFAULTS, 2), sizesOf())).toBe('name')
  const sized = mergeColumns([setting('name', 1, { width: 500 })])
  expect(stretchedField(drawnColumns(sized, 2), sizesOf(sized))).toBe('attachments')
  const hidden = mergeColumns([setting('name', 1, { showHideColumn: false })])
  expect(stretchedField(drawnColumns(hidden, 1), sizesOf(hidden))).toBe('attachments')
})

test('a sheet of paper takes the first columns that fit it whole, and none of them sticks', () => {
  const sizes = columnSizes(DEFAULTS, { lead: 0, nameWidth: 300 })
  const paper = onPaper(drawnColumns(DEFAULTS, 2), sizes)
  expect(paper.fields).toEqual(DEFAULTS.order.slice(0, paper.fields.length))
  expect(paper.stuck).toEqual([])
  const { totalWidth } = drawnSizes(paper, sizes)
  const next = sizes.widthOf(DEFAULTS.order[paper.fields.length]!)
  expect(totalWidth).toBeLessThanOrEqual(1380)
  expect(totalWidth + next).toBeGreaterThan(1380)
})
