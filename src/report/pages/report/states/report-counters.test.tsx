import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import type { ReportFacets } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { renderInRouter } from '#src/report/pages/report/render-in-router-for-tests.tsx'
import { ReportCounters } from './report-counters.tsx'

const COUNTS = {
  all: 100,
  new: 7,
  updated: 3,
  discussion_7d: 0,
  submission_7d: 2,
  hidden: 12,
  hidden_by_user: 0,
  since_visit: 34,
}

const FACETS: ReportFacets = {
  options: { project_change_status__in: [{ value: 'new', count: 4 }] },
  money: {},
  dates: {},
  due: { closing: 1, comment: 0 },
}

async function setUp(visit: string | null, counts = COUNTS, search: ReportSearch = {}) {
  const change = vi.fn()
  await renderInRouter(
    <ReportCounters page={{ counts, previous_visit_at: visit }} facets={FACETS} search={search} change={change} />,
  )
  return { change, user: userEvent.setup() }
}

test('shows the count since the last visit, with the day of that visit in Bangkok', async () => {
  const { change, user } = await setUp('2026-11-18T18:30:00Z')
  const since = screen.getByRole('button', { name: /ตั้งแต่ครั้งก่อน/ })
  expect(since).toHaveTextContent('ตั้งแต่ครั้งก่อน (พฤ. 19 พ.ย.)34')
  expect(screen.getByRole('button', { name: /^ใหม่/ })).toHaveTextContent('7')
  await user.click(since)
  expect(change.mock.calls).toEqual([[{ project_since_visit: true }]])
})

test('omits the count since the last visit on a first visit', async () => {
  await setUp(null, { ...COUNTS, since_visit: null as unknown as number })
  expect(screen.queryByText(/ตั้งแต่ครั้งก่อน/)).toBeNull()
})

test('counts what each chip would show under the active filters', async () => {
  await setUp(null, COUNTS, { project_method__in: { values: ['e_bidding'], negated: false } })
  expect(screen.getAllByRole('button').map((chip) => chip.textContent)).toEqual([
    'ใหม่4',
    'อัปเดต0',
    'ใกล้ปิด1',
    'วิจารณ์ร่าง0',
  ])
})

test('sets segment and deadline by the near-deadline chip; a second click keeps the segment', async () => {
  const week = { from: '@0', to: '@7' }
  const open = { values: ['open'], negated: false }
  const first = await setUp(null, COUNTS, { project_bidding__in: { values: ['awarded'], negated: false } })
  await first.user.click(screen.getByRole('button', { name: /^ใกล้ปิด/ }))
  expect(first.change).toHaveBeenLastCalledWith({ project_bidding__in: open, submission_end_date__range: week })
  document.body.replaceChildren()
  const search = { project_bidding__in: open, submission_end_date__range: week }
  const second = await setUp(null, COUNTS, search)
  const chip = screen.getByRole('button', { name: /^ใกล้ปิด/ })
  expect(chip).toHaveAttribute('aria-pressed', 'true')
  await second.user.click(chip)
  expect(second.change).toHaveBeenLastCalledWith({ submission_end_date__range: undefined })
})

test('shows no number when another range of the date was not counted', async () => {
  await setUp(null, COUNTS, { submission_end_date__range: { from: '@8', to: '@30' } })
  expect(screen.getByRole('button', { name: /^ใกล้ปิด/ }).textContent).toBe('ใกล้ปิด')
  expect(screen.getByRole('button', { name: /^วิจารณ์ร่าง/ }).textContent).toBe('วิจารณ์ร่าง0')
})
