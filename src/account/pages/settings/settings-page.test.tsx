import { createMemoryHistory } from '@tanstack/react-router'
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Organisation } from '#contract/account/organisation.ts'
import type { SecondFactorState } from '#contract/account/second-factor.ts'
import type { User } from '#contract/account/user.ts'
import { applyUserPatch } from '#contract/report/apply-user-patch.ts'
import type { UserPatch } from '#contract/report/user-patch.ts'
import { addDays, formatThaiDateShort, getBangkokToday } from '#contract/thai/thai-date.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { App } from '#src/app/app.tsx'
import { createAppRouter } from '#src/app/router.ts'
import { startHandlingSessionEnd } from '#src/app/start-handling-session-end.ts'
import { getCurrentSession, getServerTime, startSession } from '#src/lib/session-store.ts'
import { buildTestSession, buildTestUser } from '#src/report/api/user-api-for-tests.ts'

const ORGANISATION: Organisation = {
  code: 'acme',
  name: 'บริษัท ธาราเมฆ จำกัด',
  customer_config: {
    report_start_date: '2024-10-01',
    min_project_budget: '100000',
    max_project_budget: '0',
    search_by_ai: false,
    search_by_name: true,
    search_by_deptsub: true,
    limit_include_by_name: 10,
    limit_exclude_by_name: 10,
    limit_include_by_ai: 10,
    limit_exclude_by_ai: 10,
    limit_include_by_deptsub: 10,
    not_allow_start_time: '01:00:00',
    not_allow_end_time: '09:00:00',
    start_date_report: null,
    end_date_report: null,
    start_date_budgetyear: null,
    end_date_budgetyear: null,
  },
  ai_include: [],
  ai_exclude: [],
  include: [
    { id: 1, word: 'กล้อง', group_id: null, approved: true, added_at: '2026-11-20T02:00:00.000Z', added_by: null },
  ],
  exclude: [],
  deptsub_include: [],
  keyword_groups: [],
  customer_use_package: 'ทดลองใช้งานไม่จำกัด',
  business_types: [],
  areasWithProvinces: { east: ['ระยอง', 'ตราด'] },
  areasFilterReport: null,
  is_access_budget_year_only: false,
  is_access_budget_year: true,
  allow_access_budget_year: '2569',
  is_company_compare: false,
  is_access_company_comparison: true,
  register_status: { is_register_completed: true, is_watchlist_completed: true },
}
const SESSION = {
  id: 's1',
  device: 'Chrome บน Windows',
  address: '203.0.113.7',
  created_at: '2026-11-20T02:00:00Z',
  last_seen_at: '2026-11-21T02:12:00Z',
  current: true,
}

const FACTOR: SecondFactorState = {
  totp: null,
  passkeys: [],
  offers_passkeys: true,
  recovery_left: 0,
  is_required: false,
}

let user: User
let organisation: Organisation
let answers: Record<string, (body: unknown) => Response | Promise<Response>>
let requests: { call: string; body: unknown }[]
let stop: () => void = () => undefined
const calls = (call: string) => requests.filter((request) => request.call === call).map(({ body }) => body)

beforeEach(() => {
  localStorage.clear()
  queryClient.clear()
  requests = []
  user = buildTestUser()
  organisation = ORGANISATION
  answers = {
    'GET users/me': () => Response.json(user),
    'PATCH users/me': (body) => {
      user = applyUserPatch(user, body as UserPatch)
      return Response.json(user)
    },
    'GET organisations/me': () => Response.json(organisation),
    'GET users/me/email-change': () => Response.json({ change: null }),
    'GET users/me/devices': () => Response.json({ devices: [] }),
    'GET users/me/second-factor': () => Response.json(FACTOR),
    'GET users/me/sessions': () =>
      Response.json({ sessions: [SESSION, { ...SESSION, id: 's2', device: 'Safari บน iPhone', current: false }] }),
  }
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const sent = new Request(input, init)
    const call = `${sent.method} ${new URL(sent.url).pathname.replace('/api/v2/', '')}`
    const text = await sent.clone().text()
    const body: unknown = text === '' ? undefined : JSON.parse(text)
    requests.push({ call, body })
    return (answers[call] ?? (() => Response.json({ code: 'not_found' }, { status: 404 })))(body)
  })
  startSession(buildTestSession())
})
afterEach(() => {
  stop()
  vi.unstubAllGlobals()
})

const ARRIVES = { timeout: 15_000 }
function open(address: string) {
  const router = createAppRouter(createMemoryHistory({ initialEntries: [address] }))
  stop = startHandlingSessionEnd(router)
  render(<App router={router} />)
  return router
}
const section = (name: string) => screen.findByRole('region', { name }, ARRIVES)
const press = (name: string | RegExp, within_: HTMLElement = document.body) =>
  act(async () => fireEvent.click(within(within_).getByRole('button', { name })))
const type = (label: string, value: string) =>
  act(async () => {
    fireEvent.change(screen.getByLabelText(label), { target: { value } })
    fireEvent.blur(screen.getByLabelText(label))
  })

describe('the tabs', () => {
  const tabNames = async (list = 'ส่วนของการตั้งค่า') => {
    const tabs = await screen.findByRole('tablist', { name: list }, ARRIVES)
    return within(tabs)
      .getAllByRole('tab')
      .map((tab) => tab.textContent)
  }

  test('are part of the address and open from it', async () => {
    const router = open('/settings?tab=me&part=display')
    expect(await section('คีย์ลัด')).toBeInTheDocument()
    expect(await tabNames()).toEqual(['ฉัน', 'การแจ้งเตือน', 'ทีม'])
    expect(await tabNames('ส่วนของฉัน')).toEqual(['โปรไฟล์', 'ความปลอดภัย', 'การแสดงผล'])
    fireEvent.click(screen.getByRole('tab', { name: 'ทีม' }))
    expect(await section('พื้นที่')).toHaveTextContent('ระยอง, ตราด')
    expect(router.state.location.href).toBe('/settings?tab=team')
    fireEvent.click(screen.getByRole('tab', { name: 'ฉัน' }))
    fireEvent.click(await screen.findByRole('tab', { name: 'ความปลอดภัย' }))
    await waitFor(() => expect(router.state.location.href).toBe('/settings?tab=me&part=security'))
  })

  test('a super user has four, and the usage log beside the team', async () => {
    user = buildTestUser({ role: 'super_user' })
    open('/settings?tab=team&part=package')
    expect(await tabNames()).toEqual(['ฉัน', 'การแจ้งเตือน', 'ทีม', 'เชื่อมต่อ'])
    expect(screen.getByRole('link', { name: 'ประวัติการใช้งาน' })).toHaveAttribute('href', '/logs')
  })

  test('a link to a former tab leads on, without a step in the history', async () => {
    const router = open('/settings?tab=display')
    expect(await section('คีย์ลัด')).toBeInTheDocument()
    expect(router.state.location.href).toBe('/settings?tab=me&part=display')
    expect(router.history.length).toBe(1)
  })

  test('a budget-only organisation has three, and a link to columns shows what is missing', async () => {
    organisation = { ...ORGANISATION, is_access_budget_year_only: true }
    open('/settings?tab=columns')
    expect(await tabNames()).toEqual(['ฉัน', 'การแจ้งเตือน', 'ทีม'])
    expect(await section('โปรไฟล์')).toBeInTheDocument()
    expect(screen.getByText(/^แพ็กเกจขององค์กรไม่มีส่วน “คอลัมน์”/)).toBeInTheDocument()
    expect(screen.queryByText(/^ไม่ได้ใช้ส่วนของลิงก์/)).toBeNull()
  })

  test('a link to a super user part shows the missing right, and requests none of its data', async () => {
    open('/settings?tab=team&part=members')
    expect(await section('พื้นที่')).toBeInTheDocument()
    expect(screen.getByText(/^บัญชีของคุณไม่มีสิทธิ์เปิดส่วน “สมาชิก”/)).toBeInTheDocument()
    expect(screen.queryByText(/^ไม่ได้ใช้ส่วนของลิงก์/)).toBeNull()
    expect(requests.map(({ call }) => call).filter((call) => /members|team/.test(call))).toEqual([])
  })

  test('an unknown tab is reported until another is chosen', async () => {
    open('/settings?tab=unknown')
    expect(await section('โปรไฟล์')).toBeInTheDocument()
    const notice = 'ไม่ได้ใช้ส่วนของลิงก์ที่ไม่รู้จัก: แท็บ “unknown”'
    expect(screen.getByText(notice)).toBeInTheDocument()
    fireEvent.click(screen.getByRole('tab', { name: 'ทีม' }))
    await waitFor(() => expect(screen.queryByText(notice)).toBeNull())
  })

  test('are missing in the demo', async () => {
    organisation = { ...ORGANISATION, code: 'demo' }
    open('/settings')
    expect(await screen.findByText('บัญชีทดลองใช้งานไม่มีการตั้งค่า', {}, ARRIVES)).toBeInTheDocument()
    expect(screen.queryByRole('tablist')).toBeNull()
  })
})

describe('the profile', () => {
  test('saves names by the registration rules and shows them in the header', async () => {
    open('/settings')
    await section('โปรไฟล์')
    const save = () => screen.queryByRole('button', { name: 'บันทึก' })
    expect(save()).toBeNull()
    await type('ชื่อ', 'ก')
    expect(await screen.findByText('ชื่อต้องมีอย่างน้อย 2 ตัวอักษร')).toBeInTheDocument()
    await type('ชื่อ', ' พิมพ์ชนก ')
    await act(async () => fireEvent.click(save()!))
    await waitFor(() => expect(calls('PATCH users/me')).toEqual([{ first_name: 'พิมพ์ชนก', last_name: 'ใจดี' }]))
    expect(await screen.findByRole('button', { name: /เมนูผู้ใช้ พิมพ์ชนก ใจดี/ })).toBeInTheDocument()
    await waitFor(() => expect(save()).toBeNull())
  })

  test('an unsaved name asks before leaving the tab', async () => {
    const router = open('/settings')
    await section('โปรไฟล์')
    await type('ชื่อ', 'สมหญิง')
    fireEvent.click(screen.getByRole('tab', { name: 'ทีม' }))
    const dialog = await screen.findByRole('dialog', {}, ARRIVES)
    await press('แก้ต่อ', dialog)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.getByLabelText('ชื่อ')).toHaveValue('สมหญิง')
    expect(router.state.location.href).toBe('/settings')
    fireEvent.click(screen.getByRole('tab', { name: 'ทีม' }))
    await press('ทิ้งที่แก้', await screen.findByRole('dialog', {}, ARRIVES))
    expect(await section('พื้นที่')).toBeInTheDocument()
    expect(calls('PATCH users/me')).toEqual([])
  })

  test('R64: a password change asks for re-authentication, keeps the input, and resends itself', async () => {
    let isProved = false
    answers['POST password/change/'] = () =>
      isProved
        ? Response.json({ message: 'ok' })
        : Response.json({ code: 'proof_needed', non_field_errors: ['ยืนยันก่อน'], ways: ['password'] }, { status: 403 })
    answers['POST users/me/proof/'] = (body) => {
      isProved = (body as { password: string }).password === 'Old#2569x'
      return isProved
        ? new Response(null, { status: 204 })
        : Response.json({ password: ['รหัสผ่านไม่ถูกต้อง'] }, { status: 400 })
    }
    open('/settings?tab=me&part=security')
    await section('เปลี่ยนรหัสผ่าน')
    await type('รหัสผ่านใหม่', 'Chaophraya#2569')
    await type('รหัสผ่านใหม่อีกครั้ง', 'Chaophraya#2569')
    await press('เปลี่ยนรหัสผ่าน')
    const dialog = await screen.findByRole('dialog', { name: 'ยืนยันว่าเป็นคุณ' }, ARRIVES)
    await within(dialog).findByRole('button', { name: 'ยกเลิก' }, ARRIVES)
    await press('ยกเลิก', dialog)
    expect(await screen.findByText('ยืนยันก่อน', {}, ARRIVES)).toBeInTheDocument()
    expect(screen.getByLabelText('รหัสผ่านใหม่')).toHaveValue('Chaophraya#2569')
    await press('เปลี่ยนรหัสผ่าน')
    await type('รหัสผ่านของคุณ', 'no')
    await press('ยืนยัน', await screen.findByRole('dialog', {}, ARRIVES))
    expect(await screen.findByText('รหัสผ่านไม่ถูกต้อง', {}, ARRIVES)).toBeInTheDocument()
    expect(screen.getByLabelText('รหัสผ่านของคุณ')).toHaveFocus()
    const before = calls('GET users/me/sessions').length
    await type('รหัสผ่านของคุณ', 'Old#2569x')
    await press('ยืนยัน', screen.getByRole('dialog'))
    expect(await screen.findByText(/เปลี่ยนรหัสผ่านแล้ว อุปกรณ์อื่น/, {}, ARRIVES)).toBeInTheDocument()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.getByLabelText('รหัสผ่านใหม่')).toHaveValue('')
    await waitFor(() => expect(calls('GET users/me/sessions').length).toBe(before + 1))
  })

  test('another device can be logged out; this one has no such button', async () => {
    answers['DELETE users/me/sessions/s2/'] = () => {
      answers['GET users/me/sessions'] = () => Response.json({ sessions: [SESSION] })
      return new Response(null, { status: 204 })
    }
    open('/settings?tab=me&part=security')
    const devices = await section('อุปกรณ์ที่เข้าสู่ระบบอยู่')
    const buttons = await within(devices).findAllByRole('button', { name: /^ออกจากระบบ / }, ARRIVES)
    expect(buttons).toHaveLength(1)
    expect(devices).toHaveTextContent('21 พ.ย. 2569 09:12 น.')
    await act(async () => fireEvent.click(buttons[0]!))
    await waitFor(() => expect(devices).not.toHaveTextContent('iPhone'), ARRIVES)
  })

  test('logs out all devices after one confirmation, and goes to /login', async () => {
    answers['POST users/me/sessions/end-all/'] = () => new Response(null, { status: 204 })
    const router = open('/settings?tab=me&part=security')
    const devices = await section('อุปกรณ์ที่เข้าสู่ระบบอยู่')
    fireEvent.click(await within(devices).findByRole('button', { name: 'ออกจากระบบทุกอุปกรณ์' }, ARRIVES))
    expect(screen.getByRole('button', { name: 'ไม่ออก' })).toHaveFocus()
    await press('ออกจากระบบทุกอุปกรณ์', screen.getByRole('group', { name: /ยืนยัน/ }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'), ARRIVES)
    expect(getCurrentSession()).toBeUndefined()
  })
})

describe('the notifications', () => {
  const warnings = () => screen.findByRole('switch', { name: /e-bidding/ }, ARRIVES)

  test('change at once and explain the switch with an example', async () => {
    open('/settings?tab=notifications')
    const toggle = await warnings()
    expect(toggle).toHaveAttribute('aria-checked', 'false')
    expect(screen.getByText(/ตอนนี้คุณจะไม่ได้รับการเตือน/)).toBeInTheDocument()
    await act(async () => fireEvent.click(toggle))
    await waitFor(() => expect(toggle).toHaveAttribute('aria-checked', 'true'))
    // The example's deadline is ten days away, so its warning is sent in three days.
    const warned = formatThaiDateShort(addDays(getBangkokToday(getServerTime()), 3))
    expect(screen.getByText(`ตอนนี้คุณจะได้รับการเตือนวันที่ ${warned}`, { exact: false })).toBeInTheDocument()
    expect(calls('PATCH users/me')).toEqual([{ is_noti_e_bidding: true }])
  })

  test('are reverted with a message when the server refuses', async () => {
    answers['PATCH users/me'] = () => Response.json({ code: 'internal' }, { status: 500 })
    open('/settings?tab=notifications')
    const mail = await screen.findByRole('switch', { name: /รับอีเมลรายงาน/ }, ARRIVES)
    await act(async () => fireEvent.click(mail))
    expect(await screen.findByText(/ปิดอีเมลรายงานไม่สำเร็จ/, {}, ARRIVES)).toBeInTheDocument()
    expect(mail).toHaveAttribute('aria-checked', 'true')
  })
})

describe('the package', () => {
  test('the organisation’s facts are shown in words', async () => {
    open('/settings?tab=team')
    const facts = await section('องค์กร')
    for (const text of [
      'บริษัท ธาราเมฆ จำกัด',
      'ช่วงทดลองใช้งาน',
      'ตั้งแต่ 1 ต.ค. 2567',
      'ตั้งแต่ 100,000 บาท ไม่จำกัดสูงสุด',
      '01:00–09:00 น.',
      '2569',
    ])
      expect(facts).toHaveTextContent(text)
    expect(screen.getByText('ข้อมูลบริษัท').parentElement).toHaveTextContent('ไม่อยู่ในแพ็กเกจ')
    expect(screen.getByText('คำที่ต้องมีในชื่อโครงการ').parentElement).toHaveTextContent('1 จาก 10 คำ')
  })
})
