import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ReportRow } from '#contract/report/report.ts'
import { startNetwork, stopNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { endSession, startSession } from '#src/lib/session-store.ts'
import { sessionForTests } from '#src/report/api/user-api-for-tests.ts'
import { projectDetail } from '../../../test/project-detail.ts'
import { reportRow } from '../../../test/report-row.ts'
import { Attachments } from './attachments.tsx'

/** Code loads during the test. */
const LOADING = { timeout: 15_000 }
vi.setConfig({ testTimeout: 30_000 })

const FILE = { name: 'TOR.pdf', url: 'https://example.org/tor.pdf', step: 'invited', published_date: '2026-11-20' }
const { attachments: _listed, ...ROW } = reportRow({ attachment_summary: { count: 1, egp: null } })
const DETAIL = projectDetail({ attachments: [{ ...FILE, first_seen_at: '2026-11-20T02:00:00Z' }] })

let network: ReturnType<typeof startNetwork>
beforeEach(() => {
  startSession(sessionForTests('1'))
  network = startNetwork()
})
afterEach(() => {
  stopNetwork()
  endSession('logout')
})

function setUp(row: ReportRow = ROW) {
  render(
    <QueryClientProvider client={queryClient}>
      <Attachments row={row} />
    </QueryClientProvider>,
  )
  return userEvent.setup()
}
const asked = () => network.to(`projects/${ROW.project_id}`)
const button = () => screen.getByRole('button', { name: 'เอกสารแนบ 1 ไฟล์' })

test('counted files are asked for when the button is pointed at, once and without a look, and listed when it is pressed', async () => {
  const user = setUp()
  expect(network.asked).toEqual([])
  await user.hover(button())
  await waitFor(() => expect(asked()).toHaveLength(1), LOADING)
  expect(asked()[0]!.query.get('ahead')).toBe('true')
  await user.click(button())
  expect(await screen.findByRole('status', {}, LOADING)).toHaveTextContent('กำลังเปิดรายการเอกสาร')
  asked()[0]!.answer(DETAIL)
  expect(await screen.findByRole('link', { name: /TOR\.pdf/ }, LOADING)).toHaveAttribute('href', FILE.url)
  expect(asked()).toHaveLength(1)
})

test('so they are when the keyboard comes to it, and the first of them has the focus once it is opened', async () => {
  const user = setUp()
  await user.tab()
  expect(button()).toHaveFocus()
  await waitFor(() => expect(asked()).toHaveLength(1), LOADING)
  asked()[0]!.answer(DETAIL)
  await waitFor(() => expect(queryClient.isFetching()).toBe(0), LOADING)
  await user.keyboard('{Enter}')
  await waitFor(() => expect(screen.getByRole('link', { name: /TOR\.pdf/ })).toHaveFocus(), LOADING)
})

test('files that cannot be had say so, and are asked for again', async () => {
  const user = setUp()
  await user.click(button())
  await waitFor(() => expect(asked()).toHaveLength(1), LOADING)
  asked()[0]!.answer({ code: 'not_found' }, 404)
  expect(await screen.findByRole('alert', {}, LOADING)).toHaveTextContent('เปิดรายการเอกสารไม่สำเร็จ')
  await user.click(screen.getByRole('button', { name: 'ลองใหม่' }))
  await waitFor(() => expect(asked()).toHaveLength(2), LOADING)
  asked()[1]!.answer(DETAIL)
  expect(await screen.findByRole('link', { name: /TOR\.pdf/ }, LOADING)).toBeInTheDocument()
})

test('a row that lists its files, as a server of the version before answers it, asks nothing', async () => {
  const user = setUp(reportRow({ attachments: [FILE] }))
  await user.click(button())
  expect(await screen.findByRole('link', { name: /TOR\.pdf/ }, LOADING)).toBeInTheDocument()
  expect(network.asked).toEqual([])
})

test('a project without files has nothing to press', () => {
  setUp({ ...ROW, attachment_summary: { count: 0, egp: null } })
  expect(screen.queryByRole('button')).toBeNull()
})
