import { createMemoryHistory } from '@tanstack/react-router'
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Webhook, WebhookDelivery, Webhooks } from '#contract/account/webhook.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { App } from '#src/app/app.tsx'
import { createAppRouter } from '#src/app/router.ts'
import { startSession } from '#src/lib/session-store.ts'
import { buildTestOrganisation } from '#src/matching/api/organisation-for-tests.ts'
import { buildTestSession, buildTestUser } from '#src/report/api/user-api-for-tests.ts'

const SECRET = ['whsec', 'bWFkZS1mb3ItdGhlLXRlc3Q='].join('_')
const HOOK: Webhook = {
  id: 7,
  name: 'ระบบเสนอราคา',
  url: 'https://hooks.example/tamngan',
  events: ['match.new', 'pursuit.stage'],
  view: null,
  is_on: true,
  paused: null,
  failing_since: null,
  old_secret_until: null,
  made_by: 'ปราณี สุข',
  created_at: '2026-11-20T02:00:00Z',
  last: { at: '2026-11-23T02:00:00Z', status: 200, fault: null },
  counts: { waiting: 1, delivered: 41, dead: 2 },
}
const WEBHOOKS: Webhooks = { most: 10, webhooks: [HOOK], views: [{ owner: 3, id: 'cameras', name: 'กล้องวงจรปิด' }] }
const DELIVERY: WebhookDelivery = {
  id: 'msg_1',
  type: 'match.new',
  project_id: '67110000001',
  at: '2026-11-23T02:00:00Z',
  state: 'dead',
  reason: 'expired',
  attempts: 30,
  next_at: null,
  last: { at: '2026-11-26T02:00:00Z', status: null, fault: 'timeout', ms: 15_000 },
}

let role: string
let requests: { call: string; body: unknown }[]
let answers: Record<string, () => Response>

beforeEach(() => {
  localStorage.clear()
  queryClient.clear()
  requests = []
  role = 'super_user'
  answers = {
    'GET users/me': () => Response.json({ ...buildTestUser(), role }),
    'GET organisations/me': () => Response.json(buildTestOrganisation()),
    'GET organisations/me/webhooks': () => Response.json(WEBHOOKS),
    'GET organisations/me/webhooks/7/deliveries': () => Response.json({ deliveries: [DELIVERY], more: null }),
    'GET organisations/me/webhooks/7/deliveries/msg_1': () =>
      Response.json({
        ...DELIVERY,
        body: '{"type":"match.new"}',
        tries: [{ at: '2026-11-26T02:00:00Z', status: 500, fault: null, ms: 120, answer: 'database is down' }],
      }),
    'POST organisations/me/webhooks/': () => Response.json({ id: 8, secret: SECRET }),
    'POST organisations/me/webhooks/7/secret/': () => Response.json({ id: 7, secret: SECRET }),
    'POST organisations/me/webhooks/7/test/': () => Response.json({ delivery: 'msg_2' }),
    'POST organisations/me/webhooks/7/resend/': () => Response.json({ resent: 2 }),
  }
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const sent = new Request(input, init)
    const { pathname, search } = new URL(sent.url)
    const call = `${sent.method} ${pathname.replace('/api/v2/', '')}`
    const text = await sent.clone().text()
    requests.push({ call: `${call}${search}`, body: text === '' ? undefined : JSON.parse(text) })
    return answers[call]?.() ?? new Response(null, { status: 204 })
  })
  startSession(buildTestSession())
})
afterEach(() => vi.unstubAllGlobals())

const ARRIVES = { timeout: 15_000 }
const open = () =>
  render(
    <App router={createAppRouter(createMemoryHistory({ initialEntries: ['/settings?tab=connect&part=webhooks'] }))} />,
  )
const press = async (name: string | RegExp, kind: 'button' | 'menuitem' = 'button') => {
  const control = await screen.findByRole(kind, { name }, ARRIVES)
  await act(async () => fireEvent.click(control))
}
const type = async (label: string, value: string) =>
  fireEvent.change(await screen.findByLabelText(label, undefined, ARRIVES), { target: { value } })
const changes = () => requests.filter(({ call }) => !call.startsWith('GET ') && call.includes('webhooks'))

test('creates a webhook and shows its secret once, with how to verify a signature', async () => {
  open()
  await type('ชื่อ', 'ระบบบัญชี')
  await type('ที่อยู่ปลายทาง', 'https://hooks.example/in')
  await act(async () => fireEvent.click(screen.getByRole('checkbox', { name: /ขั้นงานเปลี่ยน/ })))
  await press('สร้างเว็บฮุก')
  const createdNotice = (await screen.findByText(SECRET, undefined, ARRIVES)).closest('[role=status]') as HTMLElement
  expect(createdNotice).toHaveTextContent('webhook.verify(body, request.headers)')
  const sent = { name: 'ระบบบัญชี', url: 'https://hooks.example/in', events: ['match.new', 'pursuit.stage'], view: null }
  expect(changes()).toEqual([{ call: 'POST organisations/me/webhooks/', body: sent }])
  expect(screen.getByLabelText('ชื่อ')).toHaveValue('')
})

test('shows missing fields and server refusals at the fields', async () => {
  const reason = '10.0.0.1 เป็นที่อยู่ภายในเครือข่าย'
  answers['POST organisations/me/webhooks/'] = () =>
    Response.json({ non_field_errors: [reason], url: [reason] }, { status: 400 })
  open()
  await press('สร้างเว็บฮุก')
  expect(await screen.findByText(/กรอกที่อยู่ให้ครบ/)).toBeInTheDocument()
  expect(changes()).toEqual([])
  await type('ชื่อ', 'x')
  await type('ที่อยู่ปลายทาง', 'https://10.0.0.1/')
  await press('สร้างเว็บฮุก')
  expect(await screen.findByText(reason)).toBeInTheDocument()
  expect(screen.getByLabelText('ชื่อ')).toHaveValue('x')
})

test('lists delivery counts; a change without a new address omits it, so no re-authentication is needed', async () => {
  open()
  const list = await screen.findByRole('region', { name: 'เว็บฮุกที่มีอยู่' }, ARRIVES)
  expect(list).toHaveTextContent('โครงการใหม่, ขั้นงานเปลี่ยน')
  expect(list).toHaveTextContent('ตอบ 200 · 30 วัน: ถึงแล้ว 41 · รอส่ง 1 · ไม่ถึง 2')
  await press('จัดการ ระบบเสนอราคา')
  await press('แก้ไข', 'menuitem')
  expect(await screen.findByLabelText('ชื่อ')).toHaveValue('ระบบเสนอราคา')
  await type('ที่อยู่ปลายทาง', 'https://elsewhere.example/')
  await type('ที่อยู่ปลายทาง', HOOK.url)
  await type('ชื่อ', 'ใหม่')
  await press('บันทึก')
  expect(changes()[0]?.body).toEqual({ name: 'ใหม่', events: HOOK.events, view: null })
})

test('R64: a new address asks for re-authentication, and cancelling keeps the input', async () => {
  let isProved = false
  answers['PATCH organisations/me/webhooks/7/'] = () =>
    isProved
      ? new Response(null, { status: 204 })
      : Response.json({ code: 'proof_needed', non_field_errors: ['ยืนยันก่อน'], ways: ['password'] }, { status: 403 })
  answers['POST users/me/proof/'] = () => {
    isProved = true
    return new Response(null, { status: 204 })
  }
  open()
  await press('จัดการ ระบบเสนอราคา')
  await press('แก้ไข', 'menuitem')
  await type('ที่อยู่ปลายทาง', 'https://elsewhere.example/')
  await press('บันทึก')
  const dialog = await screen.findByRole('dialog', { name: 'ยืนยันว่าเป็นคุณ' }, ARRIVES)
  const cancel = await within(dialog).findByRole('button', { name: 'ยกเลิก' }, ARRIVES)
  await act(async () => fireEvent.click(cancel))
  expect(await screen.findByText('ยืนยันก่อน', undefined, ARRIVES)).toBeInTheDocument()
  expect(screen.getByLabelText('ที่อยู่ปลายทาง')).toHaveValue('https://elsewhere.example/')
  await press('บันทึก')
  await type('รหัสผ่านของคุณ', 'Tamngan#2569')
  await press('ยืนยัน')
  expect(await screen.findByText('บันทึก “ระบบเสนอราคา” แล้ว', undefined, ARRIVES)).toBeInTheDocument()
  const moved = { url: 'https://elsewhere.example/', name: HOOK.name, events: HOOK.events, view: null }
  expect(changes().map(({ body }) => body)).toEqual([moved, moved, moved])
})

test('shows a webhook that paused itself, and can turn it on again', async () => {
  const paused = { at: '2026-11-23T02:00:00Z', reason: 'failing' } as const
  answers['GET organisations/me/webhooks'] = () => Response.json({ ...WEBHOOKS, webhooks: [{ ...HOOK, paused }] })
  open()
  expect(await screen.findByText('พักอยู่ ส่งไม่ถึงสามวัน', undefined, ARRIVES)).toBeInTheDocument()
  await press('เปิดใช้')
  expect(changes()).toEqual([{ call: 'PATCH organisations/me/webhooks/7/', body: { is_on: true } }])
})

test.each<[WebhookDelivery['state'], Partial<WebhookDelivery>, string]>([
  [
    'delivered',
    { last: { at: '2026-11-26T02:00:00Z', status: 200, fault: null, ms: 80 } },
    'ทดสอบถึงปลายทางแล้ว ตอบ 200',
  ],
  [
    'dead',
    { last: { at: '2026-11-26T02:00:00Z', status: null, fault: 'ECONNREFUSED', ms: 3 }, reason: 'test' },
    'ทดสอบไม่ถึงปลายทาง ปลายทางไม่เปิดรับ',
  ],
])('follows its own test until it is %s, and then refreshes the counts', async (state, end, words) => {
  const waiting = { ...DELIVERY, id: 'msg_2', type: 'test', state: 'waiting', reason: null, last: null, attempts: 0 }
  let isDecided = false
  answers['GET organisations/me/webhooks/7/deliveries/msg_2'] = () =>
    Response.json({ ...waiting, body: '{}', tries: [], ...(isDecided && { ...end, attempts: 1, state }) })
  open()
  await press('ส่งทดสอบ ระบบเสนอราคา')
  expect(await screen.findByText('กำลังส่งทดสอบ', undefined, ARRIVES)).toBeInTheDocument()
  const reads = () => requests.filter(({ call }) => call === 'GET organisations/me/webhooks').length
  const before = reads()
  isDecided = true
  expect(await screen.findByText(words, undefined, ARRIVES)).toBeInTheDocument()
  await waitFor(() => expect(reads()).toBeGreaterThan(before))
})

test('sends a test, replaces the secret after confirmation, and deletes after confirmation', async () => {
  open()
  await press('ส่งทดสอบ ระบบเสนอราคา')
  await press('จัดการ ระบบเสนอราคา')
  await press('เปลี่ยนรหัสลับ', 'menuitem')
  expect(await screen.findByRole('group', { name: 'เปลี่ยนรหัสลับของ ระบบเสนอราคา' })).toHaveTextContent('24 ชั่วโมง')
  await press('ออกรหัสลับใหม่')
  expect(await screen.findByText(SECRET, undefined, ARRIVES)).toBeInTheDocument()
  await press('จัดการ ระบบเสนอราคา')
  await press('ลบ', 'menuitem')
  await press('ลบเว็บฮุก')
  expect(changes().map(({ call }) => call)).toEqual([
    'POST organisations/me/webhooks/7/test/',
    'POST organisations/me/webhooks/7/secret/',
    'DELETE organisations/me/webhooks/7/',
  ])
})

test('the log shows each delivery with failure reason, request and response, and can resend', async () => {
  open()
  await press('บันทึกการส่งของ ระบบเสนอราคา')
  const line = await screen.findByRole('button', { name: /โครงการใหม่ 67110000001/ }, ARRIVES)
  expect(line).toHaveTextContent('ส่งไม่ถึง')
  expect(line).toHaveTextContent('ส่งแล้ว 30 ครั้ง · ไม่ตอบใน 15 วินาที · ลองครบสามวันแล้ว')
  await act(async () => fireEvent.click(line))
  expect(await screen.findByText('database is down', undefined, ARRIVES)).toBeInTheDocument()
  expect(screen.getByRole('region', { name: 'ข้อมูลที่ส่ง' })).toHaveTextContent('"type": "match.new"')
  await press('ส่งซ้ำ')
  await press('ส่งซ้ำทั้งหมด')
  expect(changes().map(({ call }) => call)).toEqual([
    'POST organisations/me/webhooks/7/deliveries/msg_1/resend/',
    'POST organisations/me/webhooks/7/resend/',
  ])
  await press('เว็บฮุกทั้งหมด')
  expect(await screen.findByRole('region', { name: 'เว็บฮุกที่มีอยู่' })).toBeInTheDocument()
})

test('resends from the typed day, and nothing while it is unreadable', async () => {
  open()
  await press('บันทึกการส่งของ ระบบเสนอราคา')
  await type('ส่งที่ไม่ถึงซ้ำ ตั้งแต่', '31/11/2569')
  await press('ส่งซ้ำทั้งหมด')
  expect(await screen.findByText(/ไม่มีวันที่ 31/)).toBeVisible()
  expect(changes()).toEqual([])
  await type('ส่งที่ไม่ถึงซ้ำ ตั้งแต่', '20 พ.ย. 69')
  await press('ส่งซ้ำทั้งหมด')
  expect(changes()).toEqual([
    { call: 'POST organisations/me/webhooks/7/resend/', body: { since: '2026-11-20T00:00:00+07:00' } },
  ])
})

test('reports an empty log and a failed load', async () => {
  answers['GET organisations/me/webhooks/7/deliveries'] = () => Response.json({ deliveries: [], more: null })
  const view = open()
  await press('บันทึกการส่งของ ระบบเสนอราคา')
  expect(await screen.findByText(/ยังไม่มีอะไรส่งไปที่นี่/, undefined, ARRIVES)).toBeInTheDocument()
  view.unmount()
  queryClient.clear()
  answers['GET organisations/me/webhooks/7/deliveries'] = () =>
    Response.json({ non_field_errors: ['ระบบไม่ว่าง'] }, { status: 400 })
  open()
  await press('บันทึกการส่งของ ระบบเสนอราคา')
  expect(await screen.findByText('โหลดบันทึกการส่งไม่สำเร็จ', undefined, ARRIVES)).toBeInTheDocument()
})

test('is hidden from members', async () => {
  role = 'member_user'
  open()
  await screen.findByRole('tab', { name: 'โปรไฟล์' }, ARRIVES)
  expect(screen.queryByRole('tab', { name: 'เว็บฮุก' })).toBeNull()
})
