import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test, vi } from 'vitest'
import type { DateRange } from '#contract/report/report-param-kinds.ts'
import { DateFilter } from './date-filter.tsx'
import type { FilterContext } from './filter-context.ts'

// The first import of a module can take longer than the test timeout.
beforeAll(async () => void (await import('./date-filter.tsx')))

function setUp(range?: DateRange, today = '2026-11-21') {
  const change = vi.fn<FilterContext['change']>()
  const context: FilterContext = {
    search: range ? { submission_end_date__range: range } : {},
    change,
    facets: undefined,
    labels: [],
    areas: {},
    ceilings: { budget: 1, otherBudgets: 1 },
    window: { start: '2025-10-01', end: '2026-12-25' },
    today,
  }
  render(<DateFilter name="submission_end_date__range" context={context} />)
  return { change, user: userEvent.setup() }
}
const open = async (user: ReturnType<typeof userEvent.setup>, side: 'ตั้งแต่' | 'ถึง') => {
  const custom = screen.getByRole('button', { name: 'กำหนดเอง' })
  if (custom.getAttribute('aria-expanded') === 'false') await user.click(custom)
  const button = await screen.findByRole('button', { name: `เลือกวันสิ้นสุดยื่นข้อเสนอ ${side}วันที่จากปฏิทิน` })
  await user.click(button)
  const dialog = within(await screen.findByRole('dialog', { name: `ปฏิทิน วันสิ้นสุดยื่นข้อเสนอ ${side}วันที่` }))
  await dialog.findByRole('grid')
  return { button, dialog }
}
/** Browsers give a `td` in a grid the role `gridcell`; Testing Library does not. */
const selected = () => [...document.querySelectorAll('td[aria-selected="true"]')].map((cell) => cell.textContent)
const day = (name: RegExp) => screen.getByRole('button', { name })
const chosen = (range: DateRange) => [{ submission_end_date__range: range }]

test('opens the calendar on today, which is marked, under a Buddhist year', async () => {
  const { user } = setUp()
  const { dialog } = await open(user, 'ถึง')
  await waitFor(() => expect(day(/^วันเสาร์ที่ 21 พ.ย. 2569 วันนี้$/)).toHaveFocus())
  expect(day(/^วันเสาร์ที่ 21 พ.ย. 2569/)).toHaveAttribute('aria-current', 'date')
  expect(dialog.getByRole('grid', { name: 'พฤศจิกายน 2569' })).toBeInTheDocument()
})

test('abbreviates the weekdays above the days', async () => {
  const { user } = setUp()
  await open(user, 'ถึง')
  const heads = [...document.querySelectorAll('th')].map((head) => head.textContent)
  expect(heads).toEqual(['อา.', 'จ.', 'อ.', 'พ.', 'พฤ.', 'ศ.', 'ส.'])
})

test('chooses the end of a range by keyboard and returns focus to the button', async () => {
  const { user, change } = setUp({ from: '@0', to: null })
  const { button } = await open(user, 'ถึง')
  await waitFor(() => expect(day(/^วันเสาร์ที่ 21 พ.ย. 2569/)).toHaveFocus())
  await user.keyboard('{ArrowDown}{ArrowRight}')
  await waitFor(() => expect(day(/^วันอาทิตย์ที่ 29 พ.ย. 2569/)).toHaveFocus())
  await user.keyboard('{PageDown}')
  await waitFor(() => expect(day(/29 ธ.ค. 2569/)).toHaveFocus())
  await user.keyboard('{Home}')
  await waitFor(() => expect(day(/^วันอาทิตย์ที่ 27 ธ.ค. 2569 นอกช่วงรายงาน$/)).toHaveFocus())
  await user.keyboard('{Enter}')
  expect(change.mock.calls).toEqual([chosen({ from: '@0', to: '2026-12-27' })])
  expect(screen.queryByRole('grid')).toBeNull()
  expect(button).toHaveFocus()
})

test('closes on Esc without a choice and returns focus', async () => {
  const { user, change } = setUp()
  const { button } = await open(user, 'ตั้งแต่')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('grid')).toBeNull())
  await waitFor(() => expect(button).toHaveFocus())
  expect(change).not.toHaveBeenCalled()
})

test('selects the active day, also one relative to today', async () => {
  const { user } = setUp({ from: '@-2', to: '2026-12-05' })
  await open(user, 'ตั้งแต่')
  expect(selected()).toEqual(['19'])
  await user.keyboard('{Escape}')
  const until = await open(user, 'ถึง')
  expect(until.dialog.getByRole('grid', { name: 'ธันวาคม 2569' })).toBeInTheDocument()
  expect(selected()).toEqual(['5'])
})

test('jumps to a month and year, also to 29 February of a leap year', async () => {
  const { user, change } = setUp(undefined, '2024-01-31')
  const { dialog } = await open(user, 'ตั้งแต่')
  await user.selectOptions(dialog.getByRole('combobox', { name: 'เดือน' }), 'กุมภาพันธ์')
  expect(dialog.getByRole('grid', { name: 'กุมภาพันธ์ 2567' })).toBeInTheDocument()
  await user.click(day(/29 ก.พ. 2567/))
  expect(change.mock.calls).toEqual([chosen({ from: '2024-02-29', to: null })])
  const again = await open(user, 'ตั้งแต่')
  await user.selectOptions(again.dialog.getByRole('combobox', { name: 'ปี พ.ศ.' }), '2569')
  expect(again.dialog.getByRole('grid', { name: 'มกราคม 2569' })).toBeInTheDocument()
})

test('keeps focus on the month buttons', async () => {
  const { user } = setUp()
  const { dialog } = await open(user, 'ตั้งแต่')
  const next = dialog.getByRole('button', { name: 'เดือนถัดไป' })
  await user.click(next)
  expect(dialog.getByRole('grid', { name: 'ธันวาคม 2569' })).toBeInTheDocument()
  expect(next).toHaveFocus()
})

test('swaps the bounds when the end precedes the start', async () => {
  const { user, change } = setUp({ from: '2026-11-25', to: null })
  await open(user, 'ถึง')
  await user.click(day(/10 พ.ย. 2569/))
  expect(change.mock.calls).toEqual([chosen({ from: '2026-11-10', to: '2026-11-25' })])
})

test.each([
  ['อีก 7 วัน', '= 28 พ.ย. 2569', '@7'],
  ['15/3/69', '= 15 มี.ค. 2569', '2026-03-15'],
  ['๑๕ มีนา ๒๕๖๙', '= 15 มี.ค. 2569', '2026-03-15'],
  ['29/2/67', '= 29 ก.พ. 2567', '2024-02-29'],
  ['เมื่อวาน', '= 20 พ.ย. 2569', '@-1'],
])('echoes "%s" as "%s" before applying it', async (text, echo, bound) => {
  const { user, change } = setUp()
  await user.click(screen.getByRole('button', { name: 'กำหนดเอง' }))
  const field = screen.getByRole('textbox', { name: 'วันสิ้นสุดยื่นข้อเสนอ ตั้งแต่วันที่' })
  await user.type(field, text)
  expect(field).toHaveAccessibleDescription(echo)
  await user.keyboard('{Enter}')
  expect(change.mock.calls).toEqual([chosen({ from: bound, to: null })])
})

test('shows the offset of a relative bound under its date', () => {
  setUp({ from: '@-5', to: '@12' })
  const until = screen.getByRole('textbox', { name: 'วันสิ้นสุดยื่นข้อเสนอ ถึงวันที่' })
  expect(until).toHaveValue('03/12/2569')
  expect(until).toHaveAccessibleDescription('อีก 12 วัน')
})
