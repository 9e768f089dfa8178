import { act, fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { mergeColumns } from '#contract/catalogue/column.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { useSelection } from '#src/report/selection/use-selection.ts'
import { reportRow } from '../../../../../test/report-row.ts'
import { orderingOf, sortingOf } from './report-columns.tsx'
import { ReportTable, type ReportTableHandle } from './report-table.tsx'

beforeEach(() => {
  // jsdom has no layout: the region is 600 px and a row 74 px high.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(74)
})

afterEach(() => {
  vi.restoreAllMocks()
})

const ROW = reportRow({ change_status: 'new', budget: 12_500_000, estimate_budget: null })
const rows = Array.from({ length: 50 }, (_, index) => ({ ...ROW, project_id: String(69119000001 + index) }))

type SetUp = { ordering?: string; hidden?: readonly string[]; shown?: readonly ReportRow[]; current?: string }

async function setUp({ ordering, hidden = [], shown = rows, current: first }: SetUp = {}) {
  const told = { onSortingChange: vi.fn(), onResize: vi.fn(async () => true) }
  const chosen: { current: readonly string[] } = { current: [] }
  const handle: { current: ReportTableHandle | null } = { current: null }
  const layout = mergeColumns(
    hidden.map((field) => ({
      id: field,
      field,
      title: field,
      showHideColumn: false,
      currentPosition: 6,
      defaultPosition: 6,
    })),
  )
  const sorting = sortingOf(ordering)
  function Page({ shown, resultKey = '1' }: PageProps) {
    const [current, setCurrent] = useState(first)
    const selection = useSelection('all', shown)
    chosen.current = [...selection.ids]
    return (
      <>
        <button type="button">ก่อนตาราง</button>
        <ReportTable
          {...told}
          rows={shown}
          layout={layout}
          nameWidth={300}
          isRoomy={false}
          density="comfortable"
          sorting={sorting}
          total={603}
          offset={100}
          caption="พบ 603 โครงการ"
          busy={false}
          resultKey={resultKey}
          selection={selection}
          current={current}
          onCurrentChange={setCurrent}
          handle={handle}
        />
        <button type="button">หลังตาราง</button>
      </>
    )
  }
  type PageProps = { shown: readonly ReportRow[]; resultKey?: string }
  const view = render(<Page shown={shown} />)
  const show = (props: PageProps) => view.rerender(<Page {...props} />)
  // Loads the virtual rows, which replace the plain ones.
  await act(async () => void (await import('./virtual-rows.tsx')))
  return { ...told, chosen, handle, show, user: userEvent.setup(), table: screen.getByRole('table') }
}

const rowAt = (index: number) => document.querySelector<HTMLElement>(`tr[data-index="${index}"]`)!
const idAt = (index: number) => rows[index]!.project_id

test('the table says how large the whole is and where each drawn row stands in it', async () => {
  const { table } = await setUp()
  expect(table).toHaveAttribute('aria-rowcount', '604')
  expect(table).toHaveAttribute('aria-colcount', '29')
  const drawn = within(table).getAllByRole('row').slice(1)
  expect(drawn.length).toBeGreaterThan(5)
  expect(drawn.length).toBeLessThan(50)
  expect(drawn[0]).toHaveAttribute('aria-rowindex', '102')
  expect(within(drawn[0]!).getByRole('rowheader')).toHaveTextContent('ซื้อกล้องวงจรปิด')
})

test('only the seven sort fields have a button, and the chosen one alone says its direction', async () => {
  const { table } = await setUp({ ordering: '-project_budget' })
  const headers = within(table).getAllByRole('columnheader')
  expect(headers.filter((header) => within(header).queryByRole('button'))).toHaveLength(7)
  const sorted = headers.filter((header) => header.hasAttribute('aria-sort'))
  expect(sorted.map((header) => [header.textContent, header.getAttribute('aria-sort')])).toEqual([
    ['งบประมาณ', 'descending'],
  ])
})

test('money starts with the largest, deadlines with the nearest', async () => {
  const { table, onSortingChange } = await setUp()
  const press = (name: string) => fireEvent.click(within(table).getByRole('button', { name }))
  press('งบประมาณ')
  press('สิ้นสุดยื่น (วันสิ้นสุดยื่นข้อเสนอ)')
  expect(onSortingChange.mock.calls.map(([sorting]) => orderingOf(sorting))).toEqual([
    '-project_budget',
    'submission_end_date',
  ])
})

test('a hidden column is gone from heads and rows, the others keep their places', async () => {
  const { table } = await setUp({ hidden: ['movement'] })
  expect(within(table).getAllByRole('columnheader')).toHaveLength(24)
  expect(within(table).queryByText('ความเคลื่อนไหว')).toBeNull()
  expect(within(table).getByRole('columnheader', { name: 'วิธีจัดหา' })).toHaveAttribute('aria-colindex', '9')
})

test('an empty cell says so, and is neither blank nor zero', async () => {
  const { table } = await setUp()
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

test('the box of a row chooses it, with Shift everything from the one chosen last; chosen rows say so', async () => {
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
  // The key X also anchors a range, which works in both directions.
  act(() => handle.current?.selectRow(idAt(5), true))
  await user.keyboard('{Shift>}')
  await user.click(boxOf(3))
  await user.keyboard('{/Shift}')
  expect(chosen.current).toEqual([idAt(0), idAt(5), idAt(3), idAt(4)])
  // An anchor on another page selects only the one row.
  show({ shown: rows.slice(10) })
  await user.keyboard('{Shift>}')
  await user.click(boxOf(1))
  await user.keyboard('{/Shift}')
  expect(chosen.current).toEqual([idAt(0), idAt(5), idAt(3), idAt(4), idAt(11)])
})

test('the box in the header chooses the page, is mixed while some are chosen, and empties it when all are', async () => {
  const { chosen, show, user } = await setUp()
  const box = screen.getByRole<HTMLInputElement>('checkbox', { name: 'เลือกทุกโครงการในหน้านี้' })
  await user.click(within(rowAt(3)).getByRole('checkbox'))
  expect(box).toBePartiallyChecked()
  await user.click(box)
  expect(new Set(chosen.current)).toEqual(new Set(rows.map((row) => row.project_id)))
  expect(box).toBeChecked()
  show({ shown: rows.slice(0, 10) })
  await user.click(box)
  expect(chosen.current).toHaveLength(40)
  expect(box).not.toBeChecked()
})

test('Tab comes to one row and the controls in it, and the next one leaves the table', async () => {
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

test('what takes the cursor brings its controls into the tab order, and the row before loses them', async () => {
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

test('arrows, Page Up and Down, Home and End move the cursor, to rows that were not drawn too', async () => {
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

test('the page can send the focus to any row', async () => {
  const { handle } = await setUp()
  act(() => handle.current?.focusRow(idAt(30)))
  expect(rowAt(30)).toHaveFocus()
})

test('after a refresh the focus is on the same project, or on the one in its place', async () => {
  const { show } = await setUp({ current: idAt(4) })
  rowAt(4).focus()
  show({ shown: rows.slice(1) })
  expect(rowAt(3)).toHaveFocus()
  expect(rowAt(3)).toHaveTextContent(idAt(4))
  show({ shown: rows.slice(1).filter((row) => row.project_id !== idAt(4)) })
  expect(rowAt(3)).toHaveFocus()
  expect(rowAt(3)).toHaveTextContent(idAt(5))
})

test('another result takes the focus to its first row, when it was in the rows', async () => {
  const { show } = await setUp({ current: idAt(4), shown: rows.slice(0, 20) })
  rowAt(4).focus()
  show({ shown: rows.slice(20), resultKey: '2' })
  expect(rowAt(0)).toHaveFocus()
})

test('the headers are one stop of Tab with their handle; arrows go from one to the next, down to the rows', async () => {
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

test('a handle is moved by the arrow keys within its bounds and kept once, when the key is let go', async () => {
  const { user, onResize, table } = await setUp()
  const handle = within(table).getByRole('separator', { name: 'ความกว้างคอลัมน์งบประมาณ' })
  act(() => handle.focus())
  expect(handle).toHaveAttribute('aria-valuenow', '118')
  await user.keyboard('{ArrowRight>3}')
  expect(handle).toHaveAttribute('aria-valuenow', '166')
  expect(onResize).not.toHaveBeenCalled()
  await user.keyboard('{/ArrowRight}')
  expect(onResize.mock.calls).toEqual([['budget', 166]])
  await user.keyboard('{Home}')
  expect(onResize).toHaveBeenLastCalledWith('budget', 72)
  await user.keyboard('{Enter}')
  expect(onResize).toHaveBeenLastCalledWith('budget', undefined)
})

test('Esc takes a width back that is being tried out', async () => {
  const { user, onResize, table } = await setUp()
  const handle = within(table).getByRole('separator', { name: 'ความกว้างคอลัมน์งบประมาณ' })
  act(() => handle.focus())
  await user.keyboard('{ArrowRight>}{Escape}{/ArrowRight}')
  expect(handle).toHaveAttribute('aria-valuenow', '118')
  expect(onResize).not.toHaveBeenCalled()
})
