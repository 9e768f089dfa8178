import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ReportPageResponse } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { userKeys } from '#src/api/http/keys.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { endSession, startSession } from '#src/lib/session-store.ts'
import { buildTestSession, buildTestUser } from '#src/report/api/user-api-for-tests.ts'
import { renderInRouter } from '#src/report/pages/report/render-in-router-for-tests.tsx'
import { reportPage } from '../../../../../test/report-page.ts'
import { EmptyReport } from './empty-report.tsx'

const NOTHING = reportPage({
  data_time: '2026-11-21T02:12:00Z',
  report_window: { start: '2025-10-01', end: '2027-09-30' },
})

let network: ReturnType<typeof startFakeNetwork>
let elsewhere = 0

beforeEach(() => {
  elsewhere = 0
  network = startFakeNetwork(({ path }) => (path === 'projects/ids' ? { ids: [], total: elsewhere } : undefined))
  startSession(buildTestSession())
  queryClient.setQueryData(userKeys.me, buildTestUser())
})
afterEach(() => {
  endSession('logout')
  queryClient.clear()
  stopFakeNetwork()
})

async function setUp(page: Partial<ReportPageResponse>, search: ReportSearch = {}) {
  const handlers = { change: vi.fn(), onClear: vi.fn() }
  await renderInRouter(
    <QueryClientProvider client={queryClient}>
      <EmptyReport page={{ ...NOTHING, ...page }} search={search} {...handlers} />
    </QueryClientProvider>,
  )
  return handlers
}

test('states that there are no rules', async () => {
  await setUp({ rules: { has_rules: false, last_match_date: null } })
  expect(screen.getByText('ยังไม่ได้ตั้งคำติดตาม')).toBeInTheDocument()
})

test('shows the time window and the last match when the rules match nothing', async () => {
  await setUp({ rules: { has_rules: true, last_match_date: '2025-09-12' } })
  expect(screen.getByText(/1 ต.ค. 2568 – 30 ก.ย. 2570/)).toHaveTextContent('12 ก.ย. 2568')
})

test('names the filter whose removal brings back the most projects', async () => {
  const { change } = await setUp(
    { counts: { ...NOTHING.counts, all: 658 }, filter_to_relax: { parameter: 'project_budget__range', total: 340 } },
    { project_budget__range: { min: 1, max: 2 }, project_status__in: { values: ['in_progress'], negated: false } },
  )
  await userEvent.click(screen.getByRole('button', { name: 'เอางบประมาณออก แล้วดู 340 โครงการ' }))
  expect(change).toHaveBeenCalledExactlyOnceWith({ project_budget__range: undefined })
})

test.each<[string, ReportSearch, string, string, Record<string, string>]>([
  [
    'cancelled ones among the open',
    {
      project_status__in: { values: ['project_cancelled'], negated: false },
      project_bidding__in: { values: ['open'], negated: false },
      ordering: 'submission_end_date',
      page: 2,
    },
    'ดู 197 โครงการในส่งมอบแล้ว',
    '/report?is_archived=true&project_status__in=project_cancelled',
    { is_archived: 'true', project_status__in: 'project_cancelled' },
  ],
  [
    'running ones among the delivered',
    { project_status__in: { values: ['in_progress'], negated: false }, is_archived: true },
    'ดู 197 โครงการในกำลังดำเนินการ',
    '/report?project_status__in=in_progress',
    { project_status__in: 'in_progress' },
  ],
])('links to the other tab when the same filters find projects there: %s', async (_what, search, text, href, query) => {
  elsewhere = 197
  await setUp({ counts: { ...NOTHING.counts, all: 658 } }, search)
  const link = await screen.findByRole('link', { name: text })
  expect(link).toHaveAttribute('href', href)
  expect(Object.fromEntries(network.to('projects/ids')[0]!.query)).toEqual(query)
})

test('links to no empty tab, and to none for contract ends, which cover both tabs', async () => {
  await setUp({ counts: { ...NOTHING.counts, all: 658 } }, { check_sme: true })
  await waitFor(() => expect(network.to('projects/ids')).toHaveLength(1))
  const onlyCoverage = () => expect(screen.getByRole('link')).toHaveAccessibleName('ตรวจว่าประกาศครบไหม')
  onlyCoverage()
  cleanup()
  elsewhere = 3
  await setUp({ counts: { ...NOTHING.counts, all: 658 } }, { ends_within: 30 })
  onlyCoverage()
})

test('leads from a page past the end to the last one', async () => {
  const { change } = await setUp({ total_project: 120, page: 9, counts: { ...NOTHING.counts, all: 120 } })
  await userEvent.click(screen.getByRole('button', { name: 'ไปหน้าสุดท้าย (3)' }))
  expect(change).toHaveBeenCalledExactlyOnceWith({ page: 3 })
})

test('distinguishes an empty tab of delivered work from an empty report', async () => {
  await setUp({}, { is_archived: true })
  expect(screen.getByText('ยังไม่มีโครงการที่ส่งมอบแล้ว')).toBeInTheDocument()
})

test.each<[ReportSearch, string]>([
  [{ project_bookmark: true }, 'ยังไม่มีโครงการที่ติดดาว'],
  [{ project_hidden: true }, 'ยังไม่ได้ซ่อนโครงการใด'],
  [{ project_label__in: { values: ['cctv'], negated: false } }, 'ยังไม่มีโครงการที่ติดป้ายนี้'],
])('explains a mark without projects and offers all projects: %j', async (search, title) => {
  const { onClear } = await setUp({ counts: { ...NOTHING.counts, all: 658 } }, search)
  expect(screen.getByText(title)).toBeInTheDocument()
  expect(screen.getByText(/จะมาอยู่ที่นี่|ย้ายมาอยู่ที่นี่/)).toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: 'ดูโครงการทั้งหมด' }))
  expect(onClear).toHaveBeenCalledOnce()
})
