import { createMemoryHistory } from '@tanstack/react-router'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { queryClient } from '#src/api/http/query-client.ts'
import { App } from '#src/app/app.tsx'
import { createAppRouter } from '#src/app/router.ts'
import { getCurrentSession, startSession } from '#src/lib/session-store.ts'

const encode = (value: object) => btoa(JSON.stringify(value)).replaceAll('=', '')
const ACCESS = `${encode({})}.${encode({ sub: '1', org: '1', iat: 1000, exp: 2800 })}.s`
const TOKENS = { access: ACCESS, refresh: 'r1' }
const ARRIVES = { timeout: 15_000 }

let answers: Record<string, () => Response | Promise<Response>>
let requests: { path: string; body: unknown }[]
const bodiesTo = (path: string) => requests.filter((request) => request.path === path).map(({ body }) => body)
const refuse = (body: object, status = 400) => Response.json(body, { status })

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  queryClient.clear()
  requests = []
  answers = { 'auth/login/': () => Response.json(TOKENS) }
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const sent = new Request(input, init)
    const path = new URL(sent.url).pathname.replace('/api/v2/', '')
    const text = await sent.clone().text()
    requests.push({ path, body: text === '' ? undefined : JSON.parse(text) })
    return (answers[path] ?? (() => refuse({ code: 'not_found' }, 404)))()
  })
})
afterEach(() => vi.unstubAllGlobals())

function open(address = '/login') {
  const router = createAppRouter(createMemoryHistory({ initialEntries: [address] }))
  render(<App router={router} />)
  return router
}
const type = async (label: string, value: string) => {
  const field = await screen.findByLabelText(label, {}, ARRIVES)
  await act(async () => fireEvent.change(field, { target: { value } }))
}
const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })))
async function logIn() {
  await type('อีเมล', ' Pim@acme.example ')
  await type('รหัสผ่าน', 'Chaophraya#2569')
  await press('เข้าสู่ระบบ')
}

describe('the login form', () => {
  test('reports missing fields, focuses the first and sends nothing', async () => {
    open()
    await screen.findByLabelText('อีเมล', {}, ARRIVES)
    await press('เข้าสู่ระบบ')
    expect(await screen.findByText('กรอกอีเมล')).toBeInTheDocument()
    expect(screen.getByText('กรอกรหัสผ่าน')).toBeInTheDocument()
    expect(screen.getByLabelText('อีเมล')).toHaveFocus()
    expect(requests).toEqual([])
  })

  test('keeps the input after a refusal, which gets the focus', async () => {
    answers['auth/login/'] = () => refuse({ non_field_errors: ['อีเมลหรือรหัสผ่านไม่ถูกต้อง'] })
    open()
    await logIn()
    const notice = await screen.findByRole('alert', {}, ARRIVES)
    expect(notice).toHaveTextContent('อีเมลหรือรหัสผ่านไม่ถูกต้อง')
    expect(notice).toHaveFocus()
    expect(screen.getByLabelText('รหัสผ่าน')).toHaveValue('Chaophraya#2569')
  })

  test('says that the server is unreachable, and logs in on the next try', async () => {
    answers['auth/login/'] = () => Promise.reject(new TypeError('Failed to fetch'))
    open()
    await logIn()
    expect(await screen.findByRole('alert', {}, ARRIVES)).toHaveTextContent('เชื่อมต่อระบบไม่ได้')
    answers['auth/login/'] = () => Response.json(TOKENS)
    await press('เข้าสู่ระบบ')
    await waitFor(() => expect(getCurrentSession()?.refresh).toBe('r1'), ARRIVES)
    expect(bodiesTo('auth/login/').at(-1)).toMatchObject({ password: 'Chaophraya#2569' })
  })

  test('ignores a second submit while the first is pending', async () => {
    answers['auth/login/'] = () => new Promise(() => undefined)
    open()
    await logIn()
    const form = screen.getByRole('button', { name: 'เข้าสู่ระบบ' }).closest('form')!
    await act(async () => fireEvent.submit(form))
    await press('เข้าสู่ระบบ')
    await waitFor(() => expect(bodiesTo('auth/login/')).toHaveLength(1))
    expect(form).toHaveAttribute('aria-busy', 'true')
  })
})

describe('the second step', () => {
  beforeEach(() => {
    answers['auth/login/'] = () => Response.json({ second_step: { token: 't', ways: ['totp', 'recovery'] } })
  })

  test('requires a code, shows a wrong one at its field and clears it when the method changes', async () => {
    answers['auth/login/second-step/'] = () => refuse({ otp: ['รหัสไม่ตรง'] })
    open()
    await logIn()
    const label = 'รหัส 6 หลักจากแอปยืนยันตัวตน'
    expect(await screen.findByLabelText(label, {}, ARRIVES)).toHaveFocus()
    await press('เข้าสู่ระบบ')
    expect(await screen.findByText('กรอกรหัส 6 หลัก')).toBeInTheDocument()
    await type(label, '123 456')
    await press('เข้าสู่ระบบ')
    expect(await screen.findByText('รหัสไม่ตรง', {}, ARRIVES)).toBeInTheDocument()
    expect(screen.getByLabelText(label)).toHaveFocus()
    expect(bodiesTo('auth/login/second-step/')).toEqual([{ token: 't', remember: false, otp: '123 456' }])

    await press('ใช้รหัสกู้คืน')
    expect(screen.getByLabelText('รหัสกู้คืน')).toHaveFocus()
    expect(screen.queryByText('รหัสไม่ตรง')).toBeNull()
    answers['auth/login/second-step/'] = () => Response.json(TOKENS)
    await act(async () => fireEvent.click(screen.getByRole('checkbox')))
    await type('รหัสกู้คืน', 'abcd-efgh-ijkl-mnop')
    await press('เข้าสู่ระบบ')
    await waitFor(() => expect(getCurrentSession()?.refresh).toBe('r1'), ARRIVES)
    expect(bodiesTo('auth/login/second-step/').at(-1)).toEqual({
      token: 't',
      remember: true,
      recovery_code: 'abcd-efgh-ijkl-mnop',
    })
  })

  test('returns to the form with the reason when it expired', async () => {
    answers['auth/login/second-step/'] = () =>
      refuse({ code: 'login_step_over', non_field_errors: ['หมดเวลา เข้าสู่ระบบใหม่'] })
    open()
    await logIn()
    await type('รหัส 6 หลักจากแอปยืนยันตัวตน', '123456')
    await press('เข้าสู่ระบบ')
    expect(await screen.findByRole('alert', {}, ARRIVES)).toHaveTextContent('หมดเวลา เข้าสู่ระบบใหม่')
    expect(screen.getByLabelText('อีเมล')).toBeInTheDocument()
  })
})

describe('the demo link', () => {
  test('enters once, and again after a refusal', async () => {
    answers['auth/auto-login/'] = () => refuse({ non_field_errors: ['ลิงก์ตัวอย่างใช้ไม่ได้'] })
    open('/login?refkey=demo')
    expect(await screen.findByText('ลิงก์ตัวอย่างใช้ไม่ได้', {}, ARRIVES)).toBeInTheDocument()
    expect(bodiesTo('auth/auto-login/')).toEqual([{ refkey: 'demo' }])
    answers['auth/auto-login/'] = () => Response.json(TOKENS)
    await press('ลองใหม่')
    await waitFor(() => expect(getCurrentSession()).toMatchObject({ isDemo: true }), ARRIVES)
  })

  test('shows from the form at once that the demo is being entered, and enters it once', async () => {
    const answer = Promise.withResolvers<Response>()
    answers['auth/auto-login/'] = () => answer.promise
    open()
    await screen.findByLabelText('อีเมล', {}, ARRIVES)
    await act(async () => fireEvent.click(screen.getByRole('link', { name: 'ทดลองใช้งาน' })))
    expect(await screen.findByRole('status', { name: '' }, ARRIVES)).toHaveTextContent('กำลังเข้าดูตัวอย่าง')
    expect(screen.queryByRole('link', { name: 'ทดลองใช้งาน' })).toBeNull()
    answer.resolve(Response.json(TOKENS))
    await waitFor(() => expect(getCurrentSession()).toMatchObject({ isDemo: true }), ARRIVES)
    expect(bodiesTo('auth/auto-login/')).toEqual([{ refkey: 'demo' }])
  })

  test('asks before it replaces a real session (R22)', async () => {
    startSession({ access: ACCESS, refresh: 'r', isDemo: false, receivedAtMs: 0, expiresAtMs: Date.now() + 60_000 })
    answers['auth/auto-login/'] = () => Response.json(TOKENS)
    open('/login?refkey=demo')
    expect(await screen.findByRole('heading', { name: /ออกจากบัญชีเดิม/ }, ARRIVES)).toBeInTheDocument()
    expect(bodiesTo('auth/auto-login/')).toEqual([])
    await press('เข้าดูตัวอย่าง')
    await waitFor(() => expect(getCurrentSession()).toMatchObject({ isDemo: true }), ARRIVES)
  })
})

describe('the return from an organisation login', () => {
  test('sends the code once and shows a refusal with the way back', async () => {
    answers['auth/organisation/finish/'] = () => refuse({ non_field_errors: ['บัญชีนี้ยังไม่ได้รับเชิญ'] })
    const router = open('/organisation-login?state=s&code=c')
    expect(await screen.findByRole('alert', {}, ARRIVES)).toHaveTextContent('บัญชีนี้ยังไม่ได้รับเชิญ')
    expect(bodiesTo('auth/organisation/finish/')).toEqual([{ state: 's', code: 'c' }])
    expect(router.state.location.search).toEqual({})
    await press('กลับไปหน้าเข้าสู่ระบบ')
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'), ARRIVES)
  })

  test('asks an invited person for the terms and joins', async () => {
    const join = { token: 't', organisation: 'บริษัท ก', email: 'p@a.example', first_name: 'พิมพ์', last_name: 'ดี' }
    answers['auth/organisation/finish/'] = () => Response.json({ join })
    answers['auth/organisation/join/'] = () => Response.json(TOKENS)
    open('/organisation-login?state=s&code=c')
    expect(await screen.findByRole('heading', { name: 'เข้าร่วม บริษัท ก' }, ARRIVES)).toBeInTheDocument()
    await press('เข้าร่วมทีม')
    expect(bodiesTo('auth/organisation/join/')).toEqual([])
    await act(async () => fireEvent.click(screen.getByRole('checkbox')))
    await press('เข้าร่วมทีม')
    await waitFor(() => expect(getCurrentSession()?.refresh).toBe('r1'), ARRIVES)
  })
})
