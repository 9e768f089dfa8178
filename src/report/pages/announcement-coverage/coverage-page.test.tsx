import { QueryClientProvider } from '@tanstack/react-query'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Coverage, CoverageFigures, CoverageMisses, ProjectCoverage } from '#contract/catalogue/coverage.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { endSession, startSession } from '#src/lib/session-store.ts'
import { buildTestSession, buildTestUser } from '#src/report/api/user-api-for-tests.ts'
import { renderInRouter } from '#src/report/pages/report/render-in-router-for-tests.tsx'
import { CoveragePage } from './coverage-page.tsx'

const FIGURES: CoverageFigures = {
  counted: 1_205,
  had: 1_200,
  by_first_morning: 1_190,
  by_second_morning: null,
  unknown_agencies: 3,
}
const UNKNOWN: CoverageFigures = {
  counted: null,
  had: 0,
  by_first_morning: 0,
  by_second_morning: 0,
  unknown_agencies: 0,
}
const COVERAGE: Coverage = {
  state: 'on',
  checked_at: '2026-11-24T02:00:00Z',
  first_night: '2026-10-26',
  counts_since: '2026-10-26',
  all: {
    agencies: 9_000,
    days: [
      { day: '2026-11-23', ...FIGURES, night: { outcome: 'complete', unreadable: 2, timeouts: 4 } },
      { day: '2026-11-22', ...UNKNOWN, night: { outcome: 'refused', unreadable: 0, timeouts: 0 } },
    ],
    months: [{ from: '2026-11-01', to: '2026-11-23', ...FIGURES, nights: 23, failed_nights: 1 }],
  },
  followed: { agencies: 0, days: [], months: [] },
  groups: [{ kind: 'local', province: 'เชียงใหม่', agencies: 211, days: FIGURES, months: UNKNOWN }],
  reach: [
    { kind: 'local', digits: 7, agencies: 7_850, is_queried: true, answered: 7_801, listed: 4_310, probe: null },
    { kind: 'other', digits: 4, agencies: 12, is_queried: true, answered: 0, listed: 0, probe: null },
    {
      ...{ kind: 'local', digits: 9, agencies: 31, is_queried: false, answered: 0, listed: 0 },
      probe: { on: '2026-11-23', outcome: 'silent' },
    },
  ],
}
const MISSES: CoverageMisses = {
  day: '2026-11-23',
  total: 1,
  items: [
    {
      project_id: '69119000001',
      title: 'ประกวดราคาซื้อกล้อง',
      agency: 'เทศบาลตำบลตัวอย่าง',
      received_at: null,
      reason: 'quarantined',
      detail: 'ไม่มีวันที่ประกาศ (pubDate)',
    },
  ],
  unlisted: [{ agency: 'กรมตัวอย่าง', counted: 25, missing: 5 }],
  unknown_total: 3,
  unknown: [{ agency: 'เทศบาลที่ไม่ตอบ', answered_at: null, reason: 'never_answered' }],
}
const PROJECT: ProjectCoverage = {
  project_id: '69119000001',
  since: '2026-11-23T11:02:00Z',
  announcements: [
    {
      type: 'D0',
      published_on: '2026-11-23',
      received_at: '2026-11-23T11:01:00Z',
      is_published: true,
      detail: null,
    },
  ],
}

let answers: Record<string, object>
let network: ReturnType<typeof startFakeNetwork>
beforeEach(() => {
  answers = { coverage: COVERAGE, 'coverage/misses': MISSES, 'users/me': buildTestUser() }
  network = startFakeNetwork(({ path }) => answers[path])
  startSession(buildTestSession())
})
afterEach(() => {
  endSession('logout')
  queryClient.clear()
  stopFakeNetwork()
})

const open = () =>
  renderInRouter(
    <QueryClientProvider client={queryClient}>
      <CoveragePage />
    </QueryClientProvider>,
  )
const rowOf = async (title: string) => (await screen.findByRole('rowheader', { name: title })).closest('tr')!

test('shows each day with its night, and unknown figures as unknown', async () => {
  await open()
  const newest = await rowOf('23 พ.ย. 2569')
  expect(newest).toHaveTextContent('1,205')
  expect(newest).toHaveTextContent('ยังไม่ถึง')
  expect(newest).toHaveTextContent('ขาด 5 รายการ · ไม่รู้ 3 หน่วยงาน')
  expect(newest).toHaveTextContent('อ่านไม่ได้ 2 แถว')
  const failed = await rowOf('22 พ.ย. 2569')
  expect(failed).toHaveTextContent('ไม่รู้')
  expect(failed).toHaveTextContent('คืนนั้นดึงไม่สำเร็จ ต้นทางขอให้หยุด')
  expect(within(failed).queryByText(/ขาด \d/)).toBeNull()
})

test('lists what was late or missing on a day, by name and number, with the reason', async () => {
  await open()
  await userEvent.click(await screen.findByRole('button', { name: /^ดูที่ขาดหรือมาช้า\s*ของวันที่ 23 พ.ย. 2569$/ }))
  expect(await screen.findByText('ประกวดราคาซื้อกล้อง')).toBeVisible()
  expect(screen.getByText('อ่านประกาศนี้ไม่ได้ จึงไม่เข้าระบบ: ไม่มีวันที่ประกาศ (pubDate)')).toBeVisible()
  expect(screen.getByText('ขาด 5 จาก 25')).toBeVisible()
  expect(screen.getByText('เทศบาลที่ไม่ตอบ')).toBeVisible()
  expect(screen.getByText('แสดง 1 รายการแรก')).toBeVisible()
})

test('names the kinds of agencies that never answer', async () => {
  await open()
  const reach = await screen.findByRole('region', { name: 'ถามถึงหน่วยงานใดได้' })
  expect(reach).toHaveTextContent('ไม่ตอบเลย: หน่วยงานอื่นของรัฐ รหัส 4 หลัก 12 หน่วยงาน, ท้องถิ่น รหัส 9 หลัก 31 หน่วยงาน')
  expect(within(reach).getByRole('rowheader', { name: 'ท้องถิ่น รหัส 7 หลัก' }).closest('tr')).toHaveTextContent('7,801')
  expect(reach).toHaveTextContent('ลองถามเมื่อ 23 พ.ย. 2569 ไม่ตอบ')
})

test('explains that no followed agency has a code', async () => {
  await open()
  await userEvent.click(await screen.findByRole('tab', { name: 'หน่วยงานที่ติดตาม' }))
  expect(screen.getByText('ยังไม่ได้ติดตามหน่วยงานใดที่มีรหัสใน e-GP')).toBeVisible()
})

test.each<[Partial<Coverage>, string]>([
  [{ state: 'demo', first_night: null }, 'ข้อมูลทดลองใช้งานไม่ได้มาจาก e-GP'],
  [{ state: 'off', first_night: null }, 'ระบบยังไม่เคยดึงประกาศจาก e-GP'],
  [{ state: 'off' }, 'ตอนนี้ระบบหยุดดึงประกาศจาก e-GP ตัวเลขหลังวันที่หยุดจึงไม่รู้'],
])('%j is its own screen', async (over, text) => {
  answers.coverage = { ...COVERAGE, ...over }
  await open()
  expect(await screen.findByText(text)).toBeVisible()
})

test('loading and failing are screens of their own, and the check of one project stays', async () => {
  delete answers.coverage
  await open()
  expect(await screen.findByText('กำลังโหลดความครบถ้วนของประกาศ')).toBeInTheDocument()
  network.to('coverage')[0]!.answer({}, 400)
  expect(await screen.findByText('โหลดความครบถ้วนของประกาศไม่สำเร็จ')).toBeVisible()
  expect(screen.getByLabelText('เลขที่โครงการ')).toBeVisible()
})

test('answers for a pasted number since when the product has it', async () => {
  answers['coverage/projects/69119000001'] = PROJECT
  await open()
  await userEvent.type(await screen.findByLabelText('เลขที่โครงการ'), '69119000001{Enter}')
  expect(await screen.findByText('มีในระบบตั้งแต่ 23 พ.ย. 2569 18:02 น.')).toBeVisible()
  expect(screen.getByText(/ประกาศเชิญชวน วันที่ 23 พ.ย. 2569/)).toBeVisible()
})
