import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { renderInRouter } from '../render-in-router-for-tests.tsx'
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

async function setUp(visit: string | null, counts = COUNTS) {
  const change = vi.fn()
  await renderInRouter(<ReportCounters page={{ counts, previous_visit_at: visit }} search={{}} change={change} />)
  return { change, user: userEvent.setup() }
}

test('what came since the last visit stands beside the change status, with the day of that visit in Bangkok', async () => {
  const { change, user } = await setUp('2026-11-18T18:30:00Z')
  const since = screen.getByRole('button', { name: /ตั้งแต่ครั้งก่อน/ })
  expect(since).toHaveTextContent('ตั้งแต่ครั้งก่อน (พฤ. 19 พ.ย.)34')
  expect(screen.getByRole('button', { name: /^ใหม่/ })).toHaveTextContent('7')
  await user.click(since)
  expect(change).toHaveBeenCalledExactlyOnceWith({ project_since_visit: true })
})

test('on the first visit there is no such counter', async () => {
  await setUp(null, { ...COUNTS, since_visit: null as unknown as number })
  expect(screen.queryByText(/ตั้งแต่ครั้งก่อน/)).toBeNull()
})

test('what exclusion words hide is counted and leads to the ledger', async () => {
  await setUp(null)
  expect(screen.getByTitle(/คำไม่รวมกันไว้/)).toHaveTextContent('12')
})
