import { QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { mergeColumnSettings } from '#contract/catalogue/column.ts'
import type { ReportRow } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { getCurrentUser } from '#src/account/api/users.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { buildTestUser, startFakeUserApi, stopFakeUserApi } from '#src/report/api/user-api-for-tests.ts'
import type {
  ReportInteractionState,
  ReportTableHandle,
} from '#src/report/pages/report/keyboard/use-report-interaction-state.ts'
import type { ReportResult } from '#src/report/pages/report/use-report-result.ts'
import { useReportSelection } from '#src/report/selection/use-report-selection.ts'
import { reportPage } from '../../../../../test/report-page.ts'
import { reportRow } from '../../../../../test/report-row.ts'
import { formatReportOrdering, parseReportSorting } from './report-columns.tsx'
import { ReportTable } from './report-table.tsx'

beforeEach(() => {
  // jsdom has no layout, so mock a region of 600 px and rows of 74 px.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(74)
})

afterEach(() => {
  stopFakeUserApi()
  vi.restoreAllMocks()
})

const ROW = reportRow({ change_status: 'new', budget: 12_500_000, estimate_budget: null })
const rows = Array.from({ length: 50 }, (_, index) => ({ ...ROW, project_id: String(69119000001 + index) }))

type SetUp = {
  ordering?: string
  hidden?: readonly string[]
  optional?: readonly string[]
  visibleRows?: readonly ReportRow[]
  current?: string
}

async function setUp({ ordering, hidden = [], optional = [], visibleRows = rows, current: first }: SetUp = {}) {
  const change = vi.fn()
  const chosen: { current: readonly string[] } = { current: [] }
  const handle: { current: ReportTableHandle | null } = { current: null }
  const columns = [...hidden, ...optional].map((field) => ({
    id: field,
    field,
    title: field,
    showHideColumn: optional.includes(field),
    currentPosition: 6,
    defaultPosition: 6,
  }))
  const api = startFakeUserApi(buildTestUser({ customize_report_table: columns }), true)
  const result = { page: reportPage({ total_project: 603, page: 3 }), isOld: false } as ReportResult
  function Page({ visibleRows, search = ordering === undefined ? {} : { ordering } }: PageProps) {
    const [current, setCurrent] = useState(first)
    const selection = useReportSelection('all', visibleRows)
    chosen.current = [...selection.ids]
    return (
      <QueryClientProvider client={queryClient}>
        <button type="button">ก่อนตาราง</button>
        <ReportTable
          result={result}
          rows={visibleRows}
          tools={{ selection, current, setCurrent, table: handle } as unknown as ReportInteractionState}
          search={search}
          change={change}
        />
        <button type="button">หลังตาราง</button>
      </QueryClientProvider>
    )
  }
  type PageProps = { visibleRows: readonly ReportRow[]; search?: ReportSearch }
  const view = render(<Page visibleRows={visibleRows} />)
  const show = (props: PageProps) => view.rerender(<Page {...props} />)
  return { api, change, chosen, handle, show, user: userEvent.setup(), table: screen.getByRole('table') }
}

const rowAt = (index: number) => document.querySelector<HTMLElement>(`tr[data-index="${index}"]`)!
const idAt = (index: number) => rows[index]!.project_id
const storedBudgetWidth = () => mergeColumnSettings(getCurrentUser()!.customize_report_table).widths.get('budget')

test('exposes the total size and the position of each rendered row', async () => {
  const { table } = await setUp()
  expect(table).toHaveAttribute('aria-rowcount', '604')
  expect(table).toHaveAttribute('aria-colcount', '30')
  const drawn = within(table).getAllByRole('row').slice(1)
  expect(drawn.length).toBeGreaterThan(5)
  expect(drawn.length).toBeLessThan(50)
  expect(drawn[0]).toHaveAttribute('aria-rowindex', '102')
  expect(within(drawn[0]!).getByRole('rowheader')).toHaveTextContent('ซื้อกล้องวงจรปิด')
})

test('has sort buttons for the seven sort fields only, and a direction on the active one', async () => {
  const { table } = await setUp({ ordering: '-project_budget' })
  const headers = within(table).getAllByRole('columnheader')
  expect(headers.filter((header) => within(header).queryByRole('button'))).toHaveLength(7)
  const sorted = headers.filter((header) => header.hasAttribute('aria-sort'))
  expect(sorted.map((header) => [header.textContent, header.getAttribute('aria-sort')])).toEqual([
    ['งบประมาณ', 'descending'],
  ])
})

test('sorts money from the largest and deadlines from the nearest first', async () => {
  const { table, change } = await setUp()
  const press = (name: string) => fireEvent.click(within(table).getByRole('button', { name }))
  press('งบประมาณ')
  press('สิ้นสุดยื่น (วันสิ้นสุดยื่นข้อเสนอ)')
  expect(change.mock.calls).toEqual([[{ ordering: '-project_budget' }], [{ ordering: 'submission_end_date' }]])
})

test('removes a hidden column from header and rows, and keeps the index of the others', async () => {
  const { table } = await setUp({ hidden: ['movement'] })
  expect(within(table).getAllByRole('columnheader')).toHaveLength(24)
  expect(within(table).queryByText('ความเคลื่อนไหว')).toBeNull()
  expect(within(table).getByRole('columnheader', { name: 'วิธีจัดหา' })).toHaveAttribute('aria-colindex', '9')
})

test('shows the matched watch words once shown, and explains them on hover', async () => {
  const visibleRows = [{ ...ROW, match_reasons: [...ROW.match_reasons, ...ROW.match_reasons] }]
  const { table } = await setUp({ optional: ['match_reasons'], visibleRows })
  expect(within(table).getByRole('columnheader', { name: 'เหตุที่อยู่ในรายการ' })).toBeInTheDocument()
  const words = within(table).getByText('กล้อง', { selector: '[title]' })
  expect(words.title).toContain('ชื่อโครงการมีคำ ‘กล้อง’')
})

test('shows a text in an empty cell instead of blank or zero', async () => {
  const { table } = await setUp()
  const first = within(table).getAllByRole('row')[1]!
  expect(within(first).getAllByText('ไม่มีข้อมูล').length).toBeGreaterThan(0)
  expect(first).toHaveTextContent('12,500,000.00')
})

test('round-trips the order between address and table', () => {
  for (const ordering of ['project_budget', '-submission_end_date', '-draft_published_date']) {
    expect(formatReportOrdering(parseReportSorting(ordering))).toBe(ordering)
  }
  expect(parseReportSorting('name; drop table')).toEqual([])
  expect(formatReportOrdering([])).toBeUndefined()
})

test('selects a row by its box, with Shift all rows from the last one, and marks them', async () => {
  const { chosen, handle, show, user } = await setUp()
  const boxOf = (index: number) => within(rowAt(index)).getByRole('checkbox')
  await user.click(boxOf(0))
  expect(chosen.current).toEqual([idAt(0)])
  expect(rowAt(0)).toHaveAttribute('aria-selected', 'true')
  expect(rowAt(1)).toHaveAttribute('aria-selected', 'false')
  await user.keyboard('{Shift>}')
  await user.click(boxOf(2))
  await user.keyboard('{/Shift}')
  expect(chosen.current).toEqual([idAt(0), idAt(1), idAt(2)])
  await user.keyboard('{Shift>}')
  await user.click(boxOf(1))
  await user.keyboard('{/Shift}')
  expect(chosen.current).toEqual([idAt(0)])
  act(() => handle.current?.selectRow(idAt(5), true))
  await user.keyboard('{Shift>}')
  await user.click(boxOf(3))
  await user.keyboard('{/Shift}')
  expect(chosen.current).toEqual([idAt(0), idAt(5), idAt(3), idAt(4)])
  show({ visibleRows: rows.slice(10) })
  await user.keyboard('{Shift>}')
  await user.click(boxOf(1))
  await user.keyboard('{/Shift}')
  expect(chosen.current).toEqual([idAt(0), idAt(5), idAt(3), idAt(4), idAt(11)])
})

test('selects the page by the header box, which is mixed for some and clears all', async () => {
  const { chosen, show, user } = await setUp()
  const box = screen.getByRole<HTMLInputElement>('checkbox', { name: 'เลือกทุกโครงการในหน้านี้' })
  await user.click(within(rowAt(3)).getByRole('checkbox'))
  expect(box).toBePartiallyChecked()
  await user.click(box)
  expect(new Set(chosen.current)).toEqual(new Set(rows.map((row) => row.project_id)))
  expect(box).toBeChecked()
  show({ visibleRows: rows.slice(0, 10) })
  await user.click(box)
  expect(chosen.current).toHaveLength(40)
  expect(box).not.toBeChecked()
})

test('reaches one row and its controls by Tab, and then leaves the table', async () => {
  const { user } = await setUp({ current: idAt(1) })
  rowAt(1).focus()
  const inRow: (Element | null)[] = []
  for (let presses = 0; presses < 10; presses++) {
    await user.tab()
    if (!rowAt(1).contains(document.activeElement)) break
    inRow.push(document.activeElement)
  }
  expect(inRow).toContain(within(rowAt(1)).getByRole('checkbox'))
  expect(inRow).toContain(within(rowAt(1)).getByRole('button', { name: /ติดดาว/ }))
  expect(screen.getByRole('button', { name: 'หลังตาราง' })).toHaveFocus()
  expect(within(rowAt(0)).getByRole('checkbox')).toHaveAttribute('tabindex', '-1')
})

test('adds the controls of the current row to the tab order, and removes the previous ones', async () => {
  const { user } = await setUp()
  expect(rowAt(0)).toHaveAttribute('tabindex', '0')
  await user.click(within(rowAt(2)).getByRole('rowheader'))
  expect(rowAt(2)).toHaveFocus()
  expect(rowAt(2)).toHaveAttribute('tabindex', '0')
  expect(rowAt(2)).toHaveAttribute('data-current')
  expect(within(rowAt(2)).getByRole('checkbox')).not.toHaveAttribute('tabindex', '-1')
  expect(rowAt(0)).toHaveAttribute('tabindex', '-1')
  expect(within(rowAt(0)).getByRole('checkbox')).toHaveAttribute('tabindex', '-1')
})

test('moves the cursor by arrows, Page Up, Page Down, Home and End, also to unrendered rows', async () => {
  const { user } = await setUp({ current: idAt(0) })
  rowAt(0).focus()
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}')
  expect(rowAt(1)).toHaveFocus()
  // 600 px fit eight rows of 74; Page Down moves by six, so that the last rows remain visible.
  await user.keyboard('{PageDown}')
  expect(rowAt(7)).toHaveFocus()
  expect(rowAt(49)).toBeNull()
  await user.keyboard('{End}')
  expect(rowAt(49)).toHaveFocus()
  await user.keyboard('{ArrowDown}')
  expect(rowAt(49)).toHaveFocus()
  await user.keyboard('{Home}')
  expect(rowAt(0)).toHaveFocus()
})

test('lets the page focus any row', async () => {
  const { handle } = await setUp()
  act(() => handle.current?.focusRow(idAt(30)))
  expect(rowAt(30)).toHaveFocus()
})

test('keeps focus on the same project after a refresh, or on the one in its position', async () => {
  const { show } = await setUp({ current: idAt(4) })
  rowAt(4).focus()
  show({ visibleRows: rows.slice(1) })
  expect(rowAt(3)).toHaveFocus()
  expect(rowAt(3)).toHaveTextContent(idAt(4))
  show({ visibleRows: rows.slice(1).filter((row) => row.project_id !== idAt(4)) })
  expect(rowAt(3)).toHaveFocus()
  expect(rowAt(3)).toHaveTextContent(idAt(5))
})

test('moves focus to the first row of another result, if it was in the rows', async () => {
  const { show } = await setUp({ current: idAt(4), visibleRows: rows.slice(0, 20) })
  rowAt(4).focus()
  show({ visibleRows: rows.slice(20), search: { page: 2 } })
  expect(rowAt(0)).toHaveFocus()
})

test('makes headers and handle one tab stop, with arrows between headers and down to rows', async () => {
  const { user, table } = await setUp({ current: idAt(2) })
  const box = screen.getByRole('checkbox', { name: 'เลือกทุกโครงการในหน้านี้' })
  box.focus()
  await user.keyboard('{ArrowRight}')
  expect(within(table).getByRole('columnheader', { name: 'การเปลี่ยนแปลง' })).toHaveFocus()
  await user.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}')
  expect(within(table).getByRole('button', { name: 'งบประมาณ' })).toHaveFocus()
  await user.tab()
  expect(within(table).getByRole('separator', { name: 'ความกว้างคอลัมน์งบประมาณ' })).toHaveFocus()
  await user.tab()
  expect(rowAt(2)).toHaveFocus()
  box.focus()
  await user.keyboard('{ArrowDown}')
  expect(rowAt(2)).toHaveFocus()
})

test('resizes by arrow keys within bounds, and stores the width once on key release', async () => {
  const { api, user, table } = await setUp()
  const handle = within(table).getByRole('separator', { name: 'ความกว้างคอลัมน์งบประมาณ' })
  act(() => handle.focus())
  expect(handle).toHaveAttribute('aria-valuenow', '118')
  await user.keyboard('{ArrowRight>3}')
  expect(handle).toHaveAttribute('aria-valuenow', '166')
  expect(storedBudgetWidth()).toBeUndefined()
  await user.keyboard('{/ArrowRight}')
  expect(storedBudgetWidth()).toBe(166)
  await vi.waitFor(() => expect(api.patches).toHaveLength(1))
  await user.keyboard('{Home}')
  expect(storedBudgetWidth()).toBe(72)
  await user.keyboard('{Enter}')
  expect(storedBudgetWidth()).toBeUndefined()
})

test('reverts a width in progress on Esc', async () => {
  const { user, table } = await setUp()
  const handle = within(table).getByRole('separator', { name: 'ความกว้างคอลัมน์งบประมาณ' })
  act(() => handle.focus())
  await user.keyboard('{ArrowRight>}{Escape}{/ArrowRight}')
  expect(handle).toHaveAttribute('aria-valuenow', '118')
  expect(storedBudgetWidth()).toBeUndefined()
})

test('re-renders no row when the table, the cursor or the selection of another row changes', async () => {
  let reads = 0
  const { winner_name, ...observed } = rows[5]!
  Object.defineProperty(observed, 'winner_name', {
    get: () => {
      reads += 1
      return winner_name
    },
  })
  const visibleRows = [...rows.slice(0, 5), observed as ReportRow]
  const { show, user, table } = await setUp({ visibleRows })
  expect(reads).toBeGreaterThan(0)
  reads = 0
  show({ visibleRows })
  act(() => rowAt(0).focus())
  await user.keyboard('{ArrowDown}')
  expect(rowAt(1)).toHaveFocus()
  fireEvent.click(within(rowAt(1)).getByRole('checkbox'))
  expect(rowAt(1)).toHaveAttribute('aria-selected', 'true')
  fireEvent.keyDown(within(table).getByRole('separator', { name: 'ความกว้างคอลัมน์งบประมาณ' }), { key: 'ArrowRight' })
  expect(reads).toBe(0)
})
