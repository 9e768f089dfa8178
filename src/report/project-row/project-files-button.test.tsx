import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ReportRow } from '#contract/report/report.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { endSession, startSession } from '#src/lib/session-store.ts'
import { buildTestSession } from '#src/report/api/user-api-for-tests.ts'
import { projectDetail } from '../../../test/project-detail.ts'
import { reportRow } from '../../../test/report-row.ts'
import { ProjectFilesButton } from './project-file-list.tsx'

const LOADING = { timeout: 15_000 }
vi.setConfig({ testTimeout: 30_000 })

const FILE = { name: 'TOR.pdf', url: 'https://example.org/tor.pdf', step: 'invited', published_date: '2026-11-20' }
const { attachments: _listed, ...ROW } = reportRow({ attachment_summary: { count: 1, egp: null } })
const DETAIL = projectDetail({ attachments: [{ ...FILE, first_seen_at: '2026-11-20T02:00:00Z' }] })

let network: ReturnType<typeof startFakeNetwork>
beforeEach(() => {
  startSession(buildTestSession('1'))
  network = startFakeNetwork()
})
afterEach(() => {
  stopFakeNetwork()
  endSession('logout')
})

function setUp(row: ReportRow = ROW) {
  render(
    <QueryClientProvider client={queryClient}>
      <ProjectFilesButton row={row} />
    </QueryClientProvider>,
  )
  return userEvent.setup()
}
const detailRequests = () => network.to(`projects/${ROW.project_id}`)
const button = () => screen.getByRole('button', { name: 'เอกสารแนบ 1 ไฟล์' })

test('prefetches files on hover, once and without recording a visit, and lists them on click', async () => {
  const user = setUp()
  expect(network.asked).toEqual([])
  await user.hover(button())
  await waitFor(() => expect(detailRequests()).toHaveLength(1), LOADING)
  expect(detailRequests()[0]!.query.get('ahead')).toBe('true')
  await user.click(button())
  expect(await screen.findByRole('status', {}, LOADING)).toHaveTextContent('กำลังเปิดรายการเอกสาร')
  detailRequests()[0]!.answer(DETAIL)
  expect(await screen.findByRole('link', { name: /TOR\.pdf/ }, LOADING)).toHaveAttribute('href', FILE.url)
  expect(detailRequests()).toHaveLength(1)
})

test('prefetches files on keyboard focus, and focuses the first one once opened', async () => {
  const user = setUp()
  await user.tab()
  expect(button()).toHaveFocus()
  await waitFor(() => expect(detailRequests()).toHaveLength(1), LOADING)
  detailRequests()[0]!.answer(DETAIL)
  await waitFor(() => expect(queryClient.isFetching()).toBe(0), LOADING)
  await user.keyboard('{Enter}')
  await waitFor(() => expect(screen.getByRole('link', { name: /TOR\.pdf/ })).toHaveFocus(), LOADING)
})

test('reports files that failed to load and retries', async () => {
  const user = setUp()
  await user.click(button())
  await waitFor(() => expect(detailRequests()).toHaveLength(1), LOADING)
  detailRequests()[0]!.answer({ code: 'not_found' }, 404)
  expect(await screen.findByRole('alert', {}, LOADING)).toHaveTextContent('เปิดรายการเอกสารไม่สำเร็จ')
  await user.click(screen.getByRole('button', { name: 'ลองใหม่' }))
  await waitFor(() => expect(detailRequests()).toHaveLength(2), LOADING)
  detailRequests()[1]!.answer(DETAIL)
  expect(await screen.findByRole('link', { name: /TOR\.pdf/ }, LOADING)).toBeInTheDocument()
})

test('sends no request for a row that lists its files, as an older server returns it', async () => {
  const user = setUp(reportRow({ attachments: [FILE] }))
  await user.click(button())
  expect(await screen.findByRole('link', { name: /TOR\.pdf/ }, LOADING)).toBeInTheDocument()
  expect(network.asked).toEqual([])
})

test('shows no button for a project without files', () => {
  setUp({ ...ROW, attachment_summary: { count: 0, egp: null } })
  expect(screen.queryByRole('button')).toBeNull()
})
