import { expect, test } from 'vitest'
import { type ColumnSetting, mergeColumns } from '#contract/column.ts'
import { drawnColumns } from './column-layout.ts'

const setting = (field: string, currentPosition: number, showHideColumn = true): ColumnSetting => ({
  id: field,
  field,
  title: field,
  showHideColumn,
  currentPosition,
  defaultPosition: 0,
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
