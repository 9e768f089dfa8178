import { fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { mergeColumns } from '#contract/column.ts'
import type { ReportRow } from '#contract/report.ts'
import { orderingOf, sortingOf } from './report-columns.tsx'
import { ReportTable } from './report-table.tsx'

beforeEach(() => {
  // jsdom has no layout: the virtualiser is told that the region shows 600 px and a row is 74 px high.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(74)
})

afterEach(() => {
  vi.restoreAllMocks()
})

const ROW: ReportRow = {
  project_id: '69119000001',
  change_status: 'new',
  changes: [],
  name: 'ซื้อกล้องวงจรปิด',
  matched_words: ['กล้อง'],
  matched_by: ['name'],
  dept_name: 'เทศบาลนครตัวอย่าง',
  dept_sub_name: 'กองช่าง',
  dept_region: 'ภาคกลาง',
  dept_province: 'นนทบุรี',
  project_region: 'ภาคกลาง',
  project_province: 'นนทบุรี',
  budget: 12_500_000,
  estimate_budget: null,
  criteria: 'price',
  movement: 'invited',
  movement_date: '2026-11-20',
  draft_published_date: null,
  draft_discussion_end_date: null,
  bidding_invite_date: '2026-11-20',
  submission_end_date: '2026-11-28',
  submission_time: '09:00-12:00',
  status: 'in_progress',
  winner_name: null,
  winner_count: 0,
  winner_budget: null,
  method: 'e_bidding',
  method_type: 'buy',
  remark: null,
  winner_announce_date: null,
  attachments: [],
  is_archived: false,
  is_sme: false,
}
const rows = Array.from({ length: 50 }, (_, index) => ({ ...ROW, project_id: String(69119000001 + index) }))

function setUp(ordering?: string, hidden: readonly string[] = []) {
  const onSortingChange = vi.fn()
  const settings = hidden.map((field) => ({
    id: field,
    field,
    title: field,
    showHideColumn: false,
    currentPosition: 6,
    defaultPosition: 6,
  }))
  render(
    <ReportTable
      rows={rows}
      layout={mergeColumns(settings)}
      nameWidth={300}
      sorting={sortingOf(ordering)}
      onSortingChange={onSortingChange}
      total={603}
      offset={100}
      caption="พบ 603 โครงการ"
      busy={false}
      resultKey="1"
    />,
  )
  return { onSortingChange, table: screen.getByRole('table') }
}

test('the table says how large the whole is and where each drawn row stands in it', () => {
  const { table } = setUp()
  expect(table).toHaveAttribute('aria-rowcount', '604')
  expect(table).toHaveAttribute('aria-colcount', '25')
  const drawn = within(table).getAllByRole('row').slice(1)
  expect(drawn.length).toBeGreaterThan(5)
  expect(drawn.length).toBeLessThan(50)
  expect(drawn[0]).toHaveAttribute('aria-rowindex', '102')
  expect(within(drawn[0]!).getByRole('rowheader')).toHaveTextContent('ซื้อกล้องวงจรปิด')
})

test('only the seven sort fields have a button, and the chosen one alone says its direction', () => {
  const { table } = setUp('-project_budget')
  const headers = within(table).getAllByRole('columnheader')
  expect(headers.filter((header) => within(header).queryByRole('button'))).toHaveLength(7)
  const sorted = headers.filter((header) => header.hasAttribute('aria-sort'))
  expect(sorted.map((header) => [header.textContent, header.getAttribute('aria-sort')])).toEqual([
    ['งบประมาณ', 'descending'],
  ])
})

test('money starts with the largest, deadlines with the nearest', () => {
  const { table, onSortingChange } = setUp()
  const press = (name: string) => fireEvent.click(within(table).getByRole('button', { name }))
  press('งบประมาณ')
  press('วันสิ้นสุดยื่นข้อเสนอ')
  expect(onSortingChange.mock.calls.map(([sorting]) => orderingOf(sorting))).toEqual([
    '-project_budget',
    'submission_end_date',
  ])
})

test('a hidden column is gone from heads and rows, the others keep their places', () => {
  const { table } = setUp(undefined, ['movement'])
  expect(within(table).getAllByRole('columnheader')).toHaveLength(24)
  expect(within(table).queryByText('ความเคลื่อนไหว')).toBeNull()
  expect(within(table).getByRole('columnheader', { name: 'วิธีจัดหา' })).toHaveAttribute('aria-colindex', '8')
})

test('an empty cell says so, and is neither blank nor zero', () => {
  const { table } = setUp()
  const first = within(table).getAllByRole('row')[1]!
  expect(within(first).getAllByText('ไม่มีข้อมูล').length).toBeGreaterThan(0)
  expect(first).toHaveTextContent('12,500,000.00')
})

test('the order of the address and of the table are one', () => {
  for (const ordering of ['project_budget', '-submission_end_date', '-draft_published_date']) {
    expect(orderingOf(sortingOf(ordering))).toBe(ordering)
  }
  expect(sortingOf('name; drop table')).toEqual([])
  expect(orderingOf([])).toBeUndefined()
})
