import { createMemoryHistory } from '@tanstack/react-router'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { DataSourceNightlyRun, DataSourceStatus, DataSourceStatusList } from '#contract/operation/sources.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { App } from '#src/app/app.tsx'
import { createAppRouter } from '#src/app/router.ts'
import { endSession, startSession } from '#src/lib/session-store.ts'
import { buildTestOrganisation } from '#src/matching/api/organisation-for-tests.ts'
import { buildTestSession, buildTestUser } from '#src/report/api/user-api-for-tests.ts'
import { toastStore } from '#src/ui/overlay/toast.ts'
import { type DataSourceCondition, getDataSourceCondition } from './data-source-condition.ts'

const ARRIVES = { timeout: 15_000 }
const SOURCES = 'operation/sources'
const CHECKED = '2026-11-23T02:00:00.000Z'

const round = (night: string, outcome: DataSourceNightlyRun['outcome']): DataSourceNightlyRun => ({
  ...{
    night,
    begun_at: `${night}T10:30:00Z`,
    ended_at: `${night}T23:00:00Z`,
    planned: 13_000,
    requests: 12_000,
    outcome,
  },
  ...{ new_items: 386, changed_items: 9, unreadable_items: 0, timeouts: 4, refusals: 1, full_answers: 12, share: 0.91 },
})
const RSS: DataSourceStatus = {
  ...{ source: 'egp-rss', label: 'ประกาศ e-GP (RSS)', is_on: true, address: 'https://egp.example/rss.xml' },
  ...{ contact: 'it@tamngan.example', needs_contact: true, needs_key: false, has_key: false },
  ...{ opens_at: '17:30', closes_at: '08:30', probe_at: '12:00', pace_seconds: 4 },
  ...{ last_run_at: '2026-11-23T01:30:00Z', last_answer_at: null, next_run_at: '2026-11-23T10:30:00Z' },
  ...{ rests_until: null, halted: null, probe: null, failure: null, progress: null },
  coverage: {
    ...{ agencies: 7850, reached: 7412, never: 438, incomplete: 9, missing: 216, waiting: 0 },
    last_full_night: '2026-11-22T23:00:00Z',
  },
  ...{ came_in_all: 4321, files: [] },
  rounds: [round('2026-11-22', 'complete'), round('2026-11-21', 'cut_short')],
}
const OFF: DataSourceStatus = { ...RSS, is_on: false, contact: null, last_run_at: null, next_run_at: null, rounds: [] }

let network: ReturnType<typeof startFakeNetwork>
let sources: DataSourceStatus[]
let role: string

beforeAll(async () => {
  await Promise.all([import('#src/routes/operation-screen.tsx')])
}, 60_000)
beforeEach(() => {
  sources = [RSS]
  role = 'operator'
  network = startFakeNetwork(({ path }) => {
    if (path === 'users/me') return { ...buildTestUser(), role }
    if (path === 'organisations/me') return buildTestOrganisation()
    if (path === SOURCES) return { checked_at: CHECKED, sources } satisfies DataSourceStatusList
    if (path === `${SOURCES}/egp-rss/gaps`) return { never: [{ code: '1301', name: 'อบต.บางแพ' }], incomplete: [] }
    return undefined
  })
  startSession({ ...buildTestSession(), receivedAtMs: 1_000_000 })
})
afterEach(() => {
  endSession('logout')
  stopFakeNetwork()
})

async function open(address = '/operation/sources') {
  const router = createAppRouter(createMemoryHistory({ initialEntries: [address] }))
  render(<App router={router} />)
  await waitFor(() => expect(document.querySelector('h1')).not.toBeNull(), ARRIVES)
  return router
}
const row = async () => (await screen.findAllByRole('listitem', {}, ARRIVES))[0]!
const sent = (path: string) => network.to(`${SOURCES}/egp-rss/${path}`)

test.each<[string, Partial<DataSourceStatus>, DataSourceCondition]>([
  ['its last night was full', {}, 'fine'],
  ['it is off, whatever was before', { is_on: false, failure: 'x' }, 'off'],
  ['the other side said no', { is_on: false, halted: { at: CHECKED, reason: 'html' } }, 'halted'],
  ['our fetcher fails', { failure: 'ECONNREFUSED' }, 'failing'],
  [
    'its last full night is older than 36 hours',
    { coverage: { ...RSS.coverage!, last_full_night: '2026-11-21T13:59:00Z' } },
    'late',
  ],
  ['no night was ever full, since longer', { coverage: { ...RSS.coverage!, last_full_night: null } }, 'late'],
  ['it was asked to rest', { rests_until: '2026-11-23T03:00:00Z' }, 'resting'],
  ['its last night was cut short', { rounds: [round('2026-11-22', 'cut_short')] }, 'partial'],
])('reports the condition of a source when %s', (_, state, condition) => {
  expect(getDataSourceCondition({ ...RSS, ...state }, Date.parse(CHECKED))).toBe(condition)
})

test('shows runs, results, failures, coverage and nights of a source in words', async () => {
  await open()
  const facts = await row()
  for (const text of [
    '23 พ.ย. 2569 08:30 น.',
    '30 นาที ที่แล้ว',
    '386',
    '7,412 จาก 7,850',
    'ไม่ตอบ 4 · ขอให้หยุด 1',
    '23 พ.ย. 2569 17:30 น.',
  ])
    expect(within(facts).getByText(text)).toBeVisible()
  expect(within(facts).getByRole('img')).toHaveAccessibleName(
    '14 วันของ ประกาศ e-GP (RSS): ครบตามรอบ 1 วัน มาไม่ครบ 1 วัน ไม่มีรอบ 12 วัน',
  )
  await userEvent.click(screen.getByRole('button', { name: 'รอบที่ผ่านมา' }))
  const [, night] = screen.getAllByRole('row')
  expect(within(night!).getByRole('rowheader')).toHaveTextContent('22/11/2569')
  expect(
    within(night!)
      .getAllByRole('cell')
      .map((cell) => cell.textContent),
  ).toEqual(['ครบตามรอบ', '12,000 จาก 13,000', '386', '9', '4', '1', '12', '91.0%'])
})

test('counts missing items and lists the agencies that never answered', async () => {
  await open()
  expect(await screen.findByText('ไม่ครบ 216 รายการ จาก 9 หน่วยงาน', {}, ARRIVES)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'ดูรายชื่อ 438 หน่วยงานยังไม่เคยตอบ' }))
  expect(await screen.findByText('อบต.บางแพ', {}, ARRIVES)).toBeVisible()
})

test('switches a source on with a contact; a refusal shows at the field and keeps the input', async () => {
  sources = [OFF]
  const user = userEvent.setup()
  await open()
  expect(await screen.findByText('ยังไม่ได้เปิดแหล่งข้อมูลใดเลย', {}, ARRIVES)).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'เปิด ประกาศ e-GP (RSS)' }))
  const contact = await screen.findByLabelText('อีเมลติดต่อ', {}, ARRIVES)
  const send = screen.getByRole('button', { name: 'เปิดแหล่งนี้' })
  await user.click(send)
  expect(contact).toBeInvalid()
  expect(sent('on')).toEqual([])
  await user.type(contact, 'it@tamngan.example')
  await user.click(send)
  await waitFor(() => expect(sent('on')).toHaveLength(1), ARRIVES)
  sent('on')[0]!.answer({ non_field_errors: ['ยังไม่มีรายชื่อหน่วยงาน'] }, 400)
  expect(await screen.findByText('ยังไม่มีรายชื่อหน่วยงาน', {}, ARRIVES)).toBeVisible()
  expect(contact).toHaveValue('it@tamngan.example')
  sources = [RSS]
  await user.click(send)
  await waitFor(() => expect(sent('on')).toHaveLength(2), ARRIVES)
  sent('on')[1]!.answer({})
  expect(await screen.findByRole('button', { name: 'ปิด ประกาศ e-GP (RSS)' }, ARRIVES)).toBeInTheDocument()
  expect(sent('on').at(-1)!.body).toEqual({
    ...{ contact: 'it@tamngan.example', opens_at: '17:30', closes_at: '08:30', pace_seconds: 4 },
  })
})

test('asks for confirmation before switching a source off, then shows it at once', async () => {
  const user = userEvent.setup()
  await open()
  await user.click(await screen.findByRole('button', { name: 'ปิด ประกาศ e-GP (RSS)' }, ARRIVES))
  sources = [{ ...RSS, is_on: false }]
  await user.click(await screen.findByRole('button', { name: 'ปิดแหล่งนี้' }, ARRIVES))
  expect(await screen.findByText('ปิดอยู่', {}, ARRIVES)).toBeVisible()
  expect(sent('off')).toHaveLength(1)
})

test('a probe replaces the result of the previous one, also a failure', async () => {
  const user = userEvent.setup()
  await open()
  const probe = await screen.findByRole('button', { name: /^ลองถาม 1 คำขอ/ }, ARRIVES)
  const toasts = () => toastStore.get().map(({ tone }) => tone)
  for (const [index, [answer, status, tone]] of (
    [
      [{ non_field_errors: ['ต้นทางไม่ตอบ'] }, 502, 'error'],
      [{ non_field_errors: ['ต้นทางไม่ตอบ'] }, 502, 'error'],
      [{ address: RSS.address, said: 'ครบ', ms: 1_200 }, 200, 'done'],
    ] as const
  ).entries()) {
    await user.click(probe)
    await waitFor(() => expect(sent('probe')).toHaveLength(index + 1), ARRIVES)
    sent('probe')[index]!.answer(answer, status)
    await waitFor(() => expect(probe).not.toHaveAttribute('aria-busy'), ARRIVES)
    expect(toasts()).toEqual([tone])
  }
})

test('shows a halted source first, and which sources still work', async () => {
  sources = [
    { ...RSS, halted: { at: '2026-11-22T20:00:00Z', reason: 'HTML' } },
    { ...RSS, source: 'folder', label: 'โฟลเดอร์' },
  ]
  await open()
  const news = await screen.findByText(/ต้นทางปฏิเสธเมื่อ 23 พ.ย. 2569 03:00 น./, {}, ARRIVES)
  expect(news.parentElement).toHaveTextContent('โฟลเดอร์ ยังปกติ')
})

test('R61: tells a user who is not an operator that the page is for operators', async () => {
  role = 'super_user'
  await open()
  expect(await screen.findByText('หน้านี้สำหรับผู้ดูแลระบบตามงาน', {}, ARRIVES)).toBeVisible()
})

test('R61: redirects an operator from any other page to the overview', async () => {
  const router = await open('/watch')
  await waitFor(() => expect(router.state.location.pathname).toBe('/operation'), ARRIVES)
})

test('retries a failed request on click', async () => {
  sources = undefined as never
  await open()
  expect(await screen.findByText('โหลดแหล่งข้อมูลไม่สำเร็จ', {}, ARRIVES)).toBeVisible()
  sources = [RSS]
  await userEvent.click(screen.getByRole('button', { name: 'ลองใหม่' }))
  expect(await screen.findByText('7,412 จาก 7,850', {}, ARRIVES)).toBeVisible()
})
