import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { mergeColumnSettings, toColumnSettings } from '#contract/catalogue/column.ts'
import { OPTIONAL_REPORT_COLUMNS } from '#contract/catalogue/report-columns.ts'
import type { ExportRequest, ReportExport } from '#contract/report/report-export.ts'
import { organisationKeys } from '#src/api/http/keys.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { buildTestOrganisation } from '#src/matching/api/organisation-for-tests.ts'
import { buildTestUser } from '#src/report/api/user-api-for-tests.ts'
import { clearToasts, toastStore } from '#src/ui/overlay/toast.ts'
import { getVisibleReportExportColumns, selectReportExportScope } from './export-dialog.tsx'
import {
  closeReportExportPanel,
  openReportExportPanel,
  ReportExportDialogHost,
  type ReportExportSource,
} from './export-panel.tsx'

const ARRIVES = { timeout: 10_000 }
// Preload the dialog before all tests: on a busy machine that takes longer than a test timeout.
beforeAll(() => Promise.all([import('./export-dialog.tsx'), import('#src/ui/overlay/modal-panel.tsx')]), 60_000)

const user = buildTestUser()
const SOURCE: ReportExportSource = {
  search: { project_bookmark: true, page: 3, ordering: '-project_budget' },
  total: 1_234,
  user,
}

const made = (change: Partial<ReportExport>): ReportExport => ({
  id: 'one',
  format: 'xlsx',
  state: 'waiting',
  done: 0,
  total: null,
  found: null,
  bytes: null,
  in_background: false,
  file_name: 'REPORT_20261121.xlsx',
  requested_at: '2026-11-21T02:00:00.000Z',
  finished_at: null,
  expires_at: null,
  ...change,
})

let fakeExport: ReportExport | undefined
let network: ReturnType<typeof startFakeNetwork>
let saves: string[] = []

beforeEach(() => {
  fakeExport = undefined
  saves = []
  network = startFakeNetwork(({ method, path }) => {
    if (path === 'projects/exports' && method === 'GET') return { exports: fakeExport ? [fakeExport] : [] }
    if (path === 'projects/exports/one' || path === 'projects/exports/one/file') return fakeExport
    return undefined
  })
  queryClient.setQueryData(organisationKeys.me, buildTestOrganisation())
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined }))
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saves.push(this.download)
  })
})
afterEach(() => {
  closeReportExportPanel()
  stopFakeNetwork()
  clearToasts()
  vi.restoreAllMocks()
})

async function openDialog(source: ReportExportSource = SOURCE, selected?: string[]) {
  render(
    <QueryClientProvider client={queryClient}>
      <ReportExportDialogHost {...source} />
    </QueryClientProvider>,
  )
  openReportExportPanel(selected)
  const dialog = await screen.findByRole('dialog', { name: 'ส่งออกรายงาน' }, ARRIVES)
  return { dialog, within: within(dialog), person: userEvent.setup() }
}
const posts = () => network.asked.filter(({ method, path }) => method === 'POST' && path === 'projects/exports')

test('requests the whole result in its order with the visible columns, and saves a small file', async () => {
  const { within, person } = await openDialog()
  await person.click(within.getByRole('button', { name: 'ส่งออก 1,234 โครงการ' }))
  await waitFor(() => expect(posts()).toHaveLength(1))
  const body = posts()[0]!.body as ExportRequest
  expect(body).toMatchObject({ format: 'xlsx', query: { project_bookmark: 'true', ordering: '-project_budget' } })
  expect(Object.keys(body.query)).toHaveLength(2)
  expect(body.columns).toEqual(getVisibleReportExportColumns(user))
  fakeExport = made({})
  posts()[0]!.answer(fakeExport, 202)
  expect(await within.findByText(/รอคิว/)).toBeInTheDocument()
  fakeExport = made({ state: 'running', done: 500, total: 1_234, found: 1_234 })
  expect(await within.findByText('500 จาก 1,234 โครงการ')).toBeInTheDocument()
  expect(within.getByRole('progressbar')).toHaveAttribute('value', '500')
  fakeExport = made({ state: 'done', done: 1_234, total: 1_234, found: 1_234, bytes: 250_000 })
  await waitFor(() => expect(saves).toEqual(['REPORT_20261121.xlsx']), ARRIVES)
  expect(within.getByText('1,234 โครงการ 0.3 MB')).toBeInTheDocument()
  await person.click(within.getByRole('button', { name: /^ดาวน์โหลด/ }))
  await waitFor(() => expect(saves).toHaveLength(2))
})

test('offers a large file in a toast instead, even after the dialog was closed', async () => {
  const { dialog, within, person } = await openDialog({ ...SOURCE, total: 12_000 })
  expect(within.getByText(/จะแจ้งเตือนเมื่อเสร็จ/)).toBeInTheDocument()
  await person.click(within.getByRole('button', { name: 'ส่งออก 12,000 โครงการ' }))
  await waitFor(() => expect(posts()).toHaveLength(1))
  fakeExport = made({})
  posts()[0]!.answer(fakeExport, 202)
  await within.findByText(/รอคิว/)
  await person.keyboard('{Escape}')
  await waitFor(() => expect(dialog).not.toBeInTheDocument())
  fakeExport = made({
    state: 'done',
    done: 12_000,
    total: 12_000,
    found: 12_000,
    bytes: 2_000_000,
    in_background: true,
  })
  await waitFor(
    () => expect(toastStore.get().map(({ text }) => text)).toEqual(['ไฟล์ REPORT_20261121.xlsx พร้อมแล้ว 12,000 โครงการ']),
    ARRIVES,
  )
  expect(saves).toEqual([])
  toastStore.get()[0]!.action!.run()
  await waitFor(() => expect(saves).toHaveLength(1))
})

test('shows the reason of a refusal and retries with the same key', async () => {
  const { within, person } = await openDialog()
  const keys: (string | null)[] = []
  const { fetch } = globalThis
  vi.stubGlobal('fetch', (input: RequestInfo, init?: RequestInit) => {
    // Only record the header; the fake network below reads the request's body.
    if (input instanceof Request && input.method === 'POST') keys.push(input.headers.get('idempotency-key'))
    return fetch(input, init)
  })
  await person.click(within.getByRole('button', { name: /^ส่งออก/ }))
  await waitFor(() => expect(posts()).toHaveLength(1))
  posts()[0]!.answer({ non_field_errors: ['องค์กรของคุณกำลังส่งออกอยู่ 2 ไฟล์แล้ว'] }, 429)
  expect(await within.findByRole('alert')).toHaveTextContent('กำลังส่งออกอยู่ 2 ไฟล์')
  await person.click(within.getByRole('button', { name: 'ลองใหม่' }))
  await waitFor(() => expect(posts()).toHaveLength(2))
  expect(within.queryByRole('alert')).toBeNull()
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
  expect(keys[1]).toBe(keys[0])
})

test('retries a failed file with the same request', async () => {
  const { within, person } = await openDialog()
  await person.click(within.getByRole('button', { name: /^ส่งออก/ }))
  await waitFor(() => expect(posts()).toHaveLength(1))
  fakeExport = made({ state: 'failed' })
  posts()[0]!.answer(fakeExport, 202)
  await person.click(await within.findByRole('button', { name: 'ลองใหม่' }))
  await waitFor(() => expect(posts()).toHaveLength(2))
  expect(posts()[1]!.body).toEqual(posts()[0]!.body)
})

test('explains in demo mode that export is not available', async () => {
  queryClient.setQueryData(organisationKeys.me, buildTestOrganisation({ code: 'demo' }))
  const { within } = await openDialog()
  expect(within.getByText('โหมดทดลองใช้งานส่งออกไฟล์ไม่ได้')).toBeInTheDocument()
  expect(within.queryByRole('button', { name: /^ส่งออก/ })).toBeNull()
})

test('exports up to 200 selected projects by id, beyond that the whole result with a note', async () => {
  const source: ReportExportSource = { ...SOURCE, search: { is_archived: true, project_bookmark: true } }
  expect(selectReportExportScope(source, ['1', '2'])).toEqual({
    query: { is_archived: 'true', project_id__in: '1||2' },
    count: 2,
    isCut: false,
  })
  const many = Array.from({ length: 201 }, (_, i) => String(i))
  expect(selectReportExportScope(source, many)).toEqual({
    query: { is_archived: 'true', project_bookmark: 'true' },
    count: 1_234,
    isCut: false,
  })
  expect(selectReportExportScope({ ...source, total: 250_000 }, undefined)).toMatchObject({
    count: 200_000,
    isCut: true,
  })
  const { within } = await openDialog(source, many)
  expect(within.getByText(/เลือกไว้ 201 โครงการ แต่ส่งออกเฉพาะที่เลือกได้ครั้งละไม่เกิน 200/)).toBeInTheDocument()
})

test('exports visible columns only, pinned ones first, in the order of the user', () => {
  const layout = mergeColumnSettings([])
  const settings = toColumnSettings({
    ...layout,
    hidden: new Set(['remark', ...OPTIONAL_REPORT_COLUMNS]),
    pinned: new Set(['budget']),
  })
  const columns = getVisibleReportExportColumns({ customize_report_table: settings })
  expect(columns.slice(0, 3)).toEqual(['budget', 'change_status', 'name'])
  expect(columns).toHaveLength(24)
  expect(columns).not.toContain('remark')
})

test('adds the project number before the name if it has no column', () => {
  const settings = toColumnSettings({
    ...mergeColumnSettings([]),
    hidden: new Set(['project_id', 'remark', ...OPTIONAL_REPORT_COLUMNS]),
  })
  const columns = getVisibleReportExportColumns({ customize_report_table: settings })
  expect(columns[columns.indexOf('name') - 1]).toBe('project_id')
  expect(columns).toHaveLength(24)
})
