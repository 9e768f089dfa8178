import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { ProjectDocument } from '#contract/documents/project-document.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { FakeUpload } from '#src/api/http/upload-for-tests.ts'
import { reportRow } from '../../../test/report-row.ts'
import { DocumentsCard } from './documents-card.tsx'

beforeAll(() => import('#src/ui/overlay/modal-panel.tsx'), 60_000)

const row = reportRow({ project_id: '1', submission_end_date: '2026-12-02' })

const document = (change: Partial<ProjectDocument> = {}): ProjectDocument => ({
  id: 'one',
  project_id: '1',
  name: 'ประกาศ.pdf',
  type: 'pdf',
  bytes: 1_234_567,
  state: 'read',
  reason: null,
  kind: 'invitation',
  page_count: 5,
  facts: [],
  mismatch: null,
  pictures: { state: 'none', reason: null, total: 0, done: 0, failed: 0 },
  bundle_id: null,
  member_count: 0,
  left_out: [],
  fetched_at: null,
  link: null,
  added_at: '2026-11-23T02:00:00.000Z',
  added_by: 'อนงค์ ใจดี',
  is_removable: true,
  ...change,
})

let documents: readonly ProjectDocument[] = []
let network: ReturnType<typeof startFakeNetwork>
beforeEach(() => {
  documents = []
  FakeUpload.made = []
  network = startFakeNetwork(({ path, method }) =>
    path === 'projects/1/documents' && method === 'GET' ? { documents } : undefined,
  )
  vi.stubGlobal('XMLHttpRequest', FakeUpload)
})
afterEach(stopFakeNetwork)

function show(mayAdd = true) {
  const rootRoute = createRootRoute({ component: () => <DocumentsCard row={row} mayAdd={mayAdd} /> })
  const router = createRouter({ routeTree: rootRoute, history: createMemoryHistory() })
  return render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
}
const pdf = (name = 'tor.pdf') => new File(['%PDF-1.4 x'], name, { type: 'application/pdf' })
const choose = (...files: File[]) =>
  userEvent.upload(screen.getByLabelText('เลือกไฟล์เอกสาร'), files, { applyAccept: false })

test('shows facts from a document with their page, and an unsure fact as its sentence only', async () => {
  documents = [
    document({
      facts: [
        {
          fact: 'bid_window',
          state: 'clear',
          value: { kind: 'window', from: '2026-12-04T09:00:00+07:00', to: '2026-12-04T12:00:00+07:00' },
          sentence: 'ในวันที่ ๔',
          page: 1,
          offset: 0,
        },
        { fact: 'reference_price', state: 'unsure', sentence: 'ราคากลาง ๑๒,๓๔๕ บาท', page: 3, offset: 0 },
      ],
    }),
  ]
  show()
  const facts = await screen.findByLabelText('ข้อมูลจากเอกสาร')
  expect(facts).toHaveTextContent('วันเวลายื่นข้อเสนอ · หน้า 14 ธ.ค. 2569 เวลา 09:00–12:00 น.')
  expect(facts).toHaveTextContent('ราคากลาง · หน้า 3 · อ่านไม่ชัด“ราคากลาง ๑๒,๓๔๕ บาท”')
  expect(screen.getByText(/ประกาศเชิญชวน · 5 หน้า · 1\.2 MB/)).toBeInTheDocument()
  expect(screen.getByText(/เอกสารระบุวันยื่นข้อเสนอ 4 ธ\.ค\. 2569 ต่างจาก e-GP ที่ระบุ 2 ธ\.ค\. 2569/)).toBeInTheDocument()
})

test('warns that a document may belong to another project, and shows both values', async () => {
  documents = [
    document({
      mismatch: {
        reasons: [
          { fact: 'agency', sentence: 'กรมทางหลวง', page: 1, project: 'เทศบาลเมืองบางปู' },
          { fact: 'price', sentence: 'ราคากลาง ๑๐๐ ล้านบาท', page: 2, project: '4,000,000.00 บาท', ratio: 25 },
        ],
      },
    }),
  ]
  show()
  const notice = await screen.findByRole('note')
  expect(notice).toHaveTextContent('อาจไม่ใช่เอกสารของโครงการนี้')
  expect(notice).toHaveTextContent('หน่วยงาน: เอกสารหน้า 1 ระบุ “กรมทางหลวง” แต่โครงการนี้คือ “เทศบาลเมืองบางปู”')
  expect(notice).toHaveTextContent(
    'วงเงิน: เอกสารหน้า 2 ระบุ “ราคากลาง ๑๐๐ ล้านบาท” แต่โครงการนี้คือ “4,000,000.00 บาท” (ต่างกัน 25 เท่า)',
  )
})

test('explains what to do with scans and unreadable files', async () => {
  documents = [
    document({ state: 'scan', kind: 'other' }),
    document({ id: 'two', name: 'b.pdf', state: 'unreadable', reason: 'encrypted' }),
  ]
  show()
  expect(await screen.findByText('ภาพสแกน')).toBeInTheDocument()
  expect(screen.getByText(/ไฟล์มีรหัสผ่าน ดาวน์โหลดไปเปิดเอง/)).toBeInTheDocument()
  expect(screen.queryByLabelText('ข้อมูลจากเอกสาร')).not.toBeInTheDocument()
})

test('a bundle lists its documents, and why other files were left out', async () => {
  documents = [
    document({
      name: 'draft.zip',
      type: 'zip',
      kind: 'other',
      page_count: 0,
      member_count: 2,
      left_out: [{ name: 'แบบใบเสนอราคา.pdf', reason: 'template' }],
    }),
    document({ id: 'two', name: 'tor.pdf', bundle_id: 'one', fetched_at: '2026-11-23T02:00:00.000Z', added_by: null }),
  ]
  show()
  expect(await screen.findByText('ได้เอกสาร 2 ไฟล์ ไม่ได้นำเข้า 1 ไฟล์: แบบใบเสนอราคา.pdf (แบบฟอร์มเปล่า)')).toBeInTheDocument()
  expect(screen.queryByRole('link', { name: 'draft.zip' })).not.toBeInTheDocument()
  expect(screen.getByRole('link', { name: 'tor.pdf' })).toBeInTheDocument()
  expect(screen.getByText(/ดึงจาก e-GP 23 พ\.ย\. 2569/)).toBeInTheDocument()
})

test('polls a waiting document until it is read', async () => {
  documents = [document({ state: 'waiting', kind: null, page_count: 0 })]
  show()
  expect(await screen.findByText('กำลังอ่าน')).toBeInTheDocument()
  documents = [document()]
  await waitFor(() => expect(screen.queryByText('กำลังอ่าน')).not.toBeInTheDocument(), { timeout: 5_000 })
})

test('uploads several files one after another, each with its progress and error', async () => {
  show()
  await screen.findByText(/ยังไม่มีเอกสาร/)
  await choose(pdf(), new File(['<html>'], 'page.pdf'), pdf('b.pdf'))
  await waitFor(() => expect(FakeUpload.made).toHaveLength(1))
  expect(FakeUpload.made[0]!.address).toContain('/projects/1/documents?name=tor.pdf')
  FakeUpload.made[0]!.upload.onprogress?.({ loaded: 5, total: 10 })
  await waitFor(() => expect(screen.getByLabelText('กำลังส่ง tor.pdf')).toHaveAttribute('value', '0.5'))
  documents = [document({ name: 'tor.pdf' })]
  FakeUpload.made[0]!.answer(201, document({ name: 'tor.pdf' }))
  expect(await screen.findByText('รับเฉพาะไฟล์ PDF, ZIP และรูปภาพ JPEG หรือ PNG')).toBeInTheDocument()
  await waitFor(() => expect(FakeUpload.made).toHaveLength(2))
  FakeUpload.made[1]!.answer(400, { non_field_errors: ['เอกสารขององค์กรเต็มแล้ว'] })
  expect(await screen.findByText('เอกสารขององค์กรเต็มแล้ว')).toBeInTheDocument()
  await userEvent.click(screen.getByLabelText('ปิดข้อความของ b.pdf'))
  expect(screen.queryByText('เอกสารขององค์กรเต็มแล้ว')).not.toBeInTheDocument()
})

test('adds files dropped on the card', async () => {
  show()
  const card = await screen.findByLabelText('เอกสารของทีม')
  const dataTransfer = { types: ['Files'], files: [pdf()] }
  fireEvent.dragEnter(card, { dataTransfer })
  fireEvent.drop(card, { dataTransfer })
  await waitFor(() => expect(FakeUpload.made).toHaveLength(1))
})

test('deletes a document after confirmation', async () => {
  documents = [document()]
  show()
  await userEvent.click(await screen.findByLabelText('ลบ ประกาศ.pdf'))
  const dialog = await screen.findByRole('dialog')
  expect(dialog).toHaveTextContent('นำกลับมาไม่ได้')
  documents = []
  await userEvent.click(within(dialog).getByRole('button', { name: 'ลบเอกสาร' }))
  await waitFor(() =>
    expect(network.asked.some(({ method, path }) => method === 'DELETE' && path === 'documents/one')).toBe(true),
  )
  network.asked.find(({ method }) => method === 'DELETE')!.answer({})
  expect(await screen.findByText(/ยังไม่มีเอกสาร/)).toBeInTheDocument()
})

test('C6: explains that the demo cannot add documents', async () => {
  show(false)
  expect(await screen.findByText('โหมดทดลองใช้งานเพิ่มเอกสารไม่ได้')).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'เพิ่มเอกสาร' })).not.toBeInTheDocument()
})

test('a list that fails to load offers a retry', async () => {
  stopFakeNetwork()
  vi.stubGlobal('XMLHttpRequest', FakeUpload)
  network = startFakeNetwork()
  show()
  await waitFor(() => expect(network.to('projects/1/documents')).toHaveLength(1))
  network.to('projects/1/documents')[0]!.answer({ non_field_errors: ['อ่านไม่ได้ตอนนี้'] }, 400)
  expect(await screen.findByText('อ่านไม่ได้ตอนนี้')).toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: /ลองอีกครั้ง|ลองใหม่/ }))
  await waitFor(() => expect(network.to('projects/1/documents')).toHaveLength(2))
  network.to('projects/1/documents')[1]!.answer({ documents: [] })
  expect(await screen.findByText(/ยังไม่มีเอกสาร/)).toBeInTheDocument()
})
