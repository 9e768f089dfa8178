import { expect, test } from 'vitest'
import { mergeColumnSettings } from './column.ts'
import { getPresetColumnLayout, NEW_ACCOUNT_REPORT_COLUMNS, REPORT_COLUMN_PRESETS } from './column-presets.ts'

test.for(REPORT_COLUMN_PRESETS)(
  '$th shows its columns first, in their order, and hides the others',
  ({ code, fields }) => {
    const { order, hidden, pinned } = getPresetColumnLayout(code)
    expect(order.slice(0, fields.length)).toEqual(fields)
    expect(order).toHaveLength(29)
    expect(hidden).toEqual(new Set(order.slice(fields.length)))
    expect(pinned).toEqual(new Set(['change_status', 'name']))
  },
)

test('a new account starts with the triage preset: deadline and stage before the price', () => {
  const layout = mergeColumnSettings(NEW_ACCOUNT_REPORT_COLUMNS)
  expect(layout).toEqual(getPresetColumnLayout('triage'))
  expect(layout.order.filter((field) => !layout.hidden.has(field))).toEqual([
    'change_status',
    'name',
    'submission_end_date',
    'movement',
    'dept_sub_name',
    'budget',
    'estimate_budget',
    'method',
    'attachments',
  ])
})
