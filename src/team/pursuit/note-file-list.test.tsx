import { QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DEFAULT_PURSUIT_CHECKLIST, DEFAULT_PURSUIT_STAGES } from '#contract/account/pursuit-settings.ts'
import type { PursuitDetail } from '#contract/team/pursuit.ts'
import type { PursuitAction } from '#contract/team/pursuit-action.ts'
import { userKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { FakeUpload } from '#src/api/http/upload-for-tests.ts'
import { startSession } from '#src/lib/session-store.ts'
import { buildTestSession, buildTestUser } from '#src/report/api/user-api-for-tests.ts'
import { PursuitPanel } from './pursuit-panel.tsx'

const ME = 1
let projects = 0
let project: string
let detail: PursuitDetail
let sent: PursuitAction[][]

beforeEach(() => {
  queryClient.clear()
  FakeUpload.made = []
  sent = []
  projects += 1
  project = String(projects)
  detail = { project_id: project, pursuit: null, notes: [], history: [], outcome: null }
  vi.stubGlobal('XMLHttpRequest', FakeUpload)
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const call = new Request(input, init)
    const { pathname } = new URL(call.url)
    if (pathname.endsWith('/settings')) {
      const members = [{ id: ME, name: 'ปวีณา', is_disabled: false }]
      return Response.json({
        stages: DEFAULT_PURSUIT_STAGES,
        template: DEFAULT_PURSUIT_CHECKLIST,
        price_roles: [],
        sees_price: false,
        labels: [],
        members,
      })
    }
    if (pathname.includes('/files/')) return Response.json({ code: 'not_found' }, { status: 404 })
    if (call.method === 'PATCH') sent.push(((await call.json()) as { actions: PursuitAction[] }).actions)
    return Response.json(detail)
  })
  startSession(buildTestSession())
  queryClient.setQueryData(userKeys.me, { ...buildTestUser(), id: String(ME) })
})
afterEach(() => vi.unstubAllGlobals())

async function open() {
  render(
    <QueryClientProvider client={queryClient}>
      <PursuitPanel row={{ project_id: project, estimate_budget: null }} look="card" />
    </QueryClientProvider>,
  )
  const block = within(screen.getByRole('region', { name: 'งานของเรา' }))
  await block.findByRole('button', { name: 'แนบไฟล์' })
  return block
}
const pdf = (name = 'ใบเสนอราคา.pdf') => new File(['%PDF-1.4 x'], name)
const choose = (...files: File[]) =>
  userEvent.upload(screen.getByLabelText('เลือกไฟล์แนบ'), files, { applyAccept: false })
const upload = async (n: number) => {
  await waitFor(() => expect(FakeUpload.made).toHaveLength(n))
  return FakeUpload.made[n - 1]!
}
const idOf = ({ address }: FakeUpload) => new URL(address).pathname.split('/').at(-1)!
const arrive = (call: FakeUpload, name: string) =>
  act(async () => call.answer(201, { id: idOf(call), name, type: 'pdf', bytes: 1_234_567 }))

test('uploads files one by one as they are chosen, and allows a note without text', async () => {
  const block = await open()
  await choose(pdf('a.pdf'), pdf('b.pdf'))
  const first = await upload(1)
  expect(first.address).toContain(`/pursuits/${project}/files/`)
  act(() => first.upload.onprogress?.({ loaded: 5, total: 10 }))
  expect(block.getByRole('progressbar', { name: 'กำลังส่ง a.pdf' })).toHaveAttribute('value', '0.5')
  expect(block.getByRole('button', { name: 'ส่ง' })).toBeDisabled()
  await arrive(first, 'a.pdf')
  await arrive(await upload(2), 'b.pdf')
  expect(within(block.getByRole('list', { name: 'ไฟล์ที่จะแนบ' })).getAllByRole('listitem')).toHaveLength(2)
  await userEvent.click(block.getByRole('button', { name: 'ส่ง' }))
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toMatchObject([{ action: 'add_note', text: '', files: FakeUpload.made.map(idOf) }])
  expect(block.queryByRole('list', { name: 'ไฟล์ที่จะแนบ' })).toBeNull()
})

test('retries a lost connection under the same id, but a refusal only by hand or never', async () => {
  const block = await open()
  await choose(pdf('a.pdf'))
  const first = await upload(1)
  await act(async () => first.breakOff())
  // Retry immediately instead of waiting for the retry delay.
  await act(async () => void window.dispatchEvent(new Event('online')))
  const second = await upload(2)
  expect(idOf(second)).toBe(idOf(first))
  await act(async () => second.answer(400, { non_field_errors: ['พื้นที่เต็ม'] }))
  expect(await block.findByRole('alert')).toHaveTextContent('พื้นที่เต็ม')
  await userEvent.click(block.getByRole('button', { name: 'ส่ง a.pdf อีกครั้ง' }))
  await arrive(await upload(3), 'a.pdf')
  expect(await block.findByRole('button', { name: 'ไม่แนบ a.pdf' })).toBeInTheDocument()
  await choose(new File([new Uint8Array([77, 90, 0, 1])], 'a.exe'), new File([''], 'empty.txt'))
  expect((await block.findAllByRole('alert')).map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('รับเฉพาะ'),
    expect.stringContaining('ว่างเปล่า'),
  ])
  expect(block.queryByRole('button', { name: /อีกครั้ง/ })).toBeNull()
  expect(FakeUpload.made).toHaveLength(3)
})

test('cancels an upload, leaves out a file, and accepts dropped and pasted files', async () => {
  const block = await open()
  await choose(pdf('a.pdf'))
  const first = await upload(1)
  await userEvent.click(block.getByRole('button', { name: 'ยกเลิก a.pdf' }))
  expect(first.isAborted).toBe(true)
  expect(block.queryByText('a.pdf')).toBeNull()
  const field = block.getByRole('textbox', { name: 'เขียนโน้ต' })
  fireEvent.drop(field, { dataTransfer: { types: ['Files'], files: [pdf('dropped.pdf')] } })
  await arrive(await upload(2), 'dropped.pdf')
  fireEvent.paste(field, { clipboardData: { files: [pdf('pasted.pdf')] } })
  await arrive(await upload(3), 'pasted.pdf')
  await userEvent.click(await block.findByRole('button', { name: 'ไม่แนบ dropped.pdf' }))
  await userEvent.type(field, 'ดูไฟล์')
  await userEvent.click(block.getByRole('button', { name: 'ส่ง' }))
  await waitFor(() => expect(sent[0]).toMatchObject([{ text: 'ดูไฟล์', files: [idOf(FakeUpload.made[2]!)] }]))
})

test('saves note files by name, reports a missing one, and lets the author remove one', async () => {
  const file = (id: string) => ({ id, name: `${id}.pdf`, type: 'pdf' as const, bytes: 80_000 })
  const note = { id: 'n', author: ME, text: '', mentions: [], is_pinned: false, edited_at: null, deleted_at: null }
  detail = { ...detail, notes: [{ ...note, files: [file('a'), file('b')], created_at: '2026-11-20T02:00:00.000Z' }] }
  const block = await open()
  await userEvent.click(block.getByRole('button', { name: 'บันทึกไฟล์ a.pdf' }))
  expect(await block.findByRole('alert')).toHaveTextContent('เปิดไฟล์ไม่สำเร็จ')
  await userEvent.click(block.getByRole('button', { name: /จัดการโน้ตของ/ }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'แก้ไข' }))
  await userEvent.click(block.getByRole('button', { name: 'ไม่แนบ a.pdf' }))
  await userEvent.click(block.getByRole('button', { name: 'บันทึก' }))
  await waitFor(() => expect(sent[0]).toMatchObject([{ action: 'edit_note', id: 'n', text: '', files: ['b'] }]))
})
