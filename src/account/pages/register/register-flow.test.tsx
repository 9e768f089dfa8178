import { createMemoryHistory } from '@tanstack/react-router'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { App } from '#src/app/app.tsx'
import { createAppRouter } from '#src/app/router.ts'
import { getCurrentSession } from '#src/lib/session-store.ts'

let answers: Record<string, (body: Record<string, unknown>) => Response | Promise<Response>>
let requests: { path: string; body: Record<string, unknown>; key: string | null }[]
const encode = (value: object) => btoa(JSON.stringify(value)).replaceAll('=', '')
const ACCESS = `${encode({})}.${encode({ sub: '1', org: '1', iat: 1000, exp: 2800 })}.s`
const refuse = (body: object, status = 400, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers })
const requestsTo = (path: string) => requests.filter((request) => request.path === path)

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  requests = []
  answers = {
    'auth/check-email-exist/': () => Response.json({ is_available: true }),
    'auth/check-phone-exist/': () => Response.json({ is_available: true }),
    'auth/check-organization-exist/': () => Response.json({ is_available: true }),
    'organisations/business-types': () => Response.json([]),
    'auth/register-step-one/': () => Response.json({ register_form_code: 'code-1', expires_in: 3600 }),
    'auth/register-step-two/': () => Response.json({ email: 'p••@acme.example', expires_in: 3600 }),
    'auth/create-register-otp/': () =>
      Response.json({ message: 'ส่งแล้ว', email: 'p••@acme.example', expires_in: 600, resend_after: 60 }),
    'auth/register-step-final/': () => Response.json({ access: ACCESS, refresh: 'r1' }),
  }
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const sent = new Request(input, init)
    const path = new URL(sent.url).pathname.replace('/api/v2/', '')
    const body = sent.method === 'GET' ? {} : ((await sent.clone().json()) as Record<string, unknown>)
    requests.push({ path, body, key: sent.headers.get('idempotency-key') })
    return (answers[path] ?? (() => refuse({ code: 'not_found' }, 404)))(body)
  })
})
afterEach(() => vi.unstubAllGlobals())

const ARRIVES = { timeout: 15_000 }
function open(address = '/register') {
  const router = createAppRouter(createMemoryHistory({ initialEntries: [address] }))
  const { unmount } = render(<App router={router} />)
  return { router, unmount }
}
const type = (label: string | RegExp, value: string) =>
  act(async () => fireEvent.change(screen.getByLabelText(label), { target: { value } }))
const press = (name: string | RegExp) => act(async () => fireEvent.click(screen.getByRole('button', { name })))

async function fillStepOne(email = 'pim@acme.example') {
  await screen.findByLabelText('อีเมลที่ทำงาน', {}, ARRIVES)
  await type('อีเมลที่ทำงาน', email)
  await type('รหัสผ่าน', 'Chaophraya#2569')
  await type('รหัสผ่านอีกครั้ง', 'Chaophraya#2569')
  await act(async () => fireEvent.click(screen.getByRole('checkbox')))
  await press('ต่อไป')
}
async function fillStepTwo() {
  await screen.findByLabelText('ชื่อองค์กร', {}, ARRIVES)
  await type('ชื่อองค์กร', 'บริษัท ธาราเมฆ จำกัด')
  await type('ชื่อ', 'พิมพ์ชนก')
  await type('นามสกุล', 'วงศ์สวัสดิ์')
  await type('เบอร์โทรศัพท์', '๐๘๑๒๓๔๕๖๗๘')
  await act(async () => fireEvent.click(screen.getByLabelText('LINE')))
}
const toStepThree = async () => {
  await fillStepOne()
  await fillStepTwo()
  await press(/ส่งรหัสยืนยัน/)
  return await screen.findByLabelText(/รหัสยืนยัน/, {}, ARRIVES)
}

describe('the complete registration', () => {
  test('takes three steps, submits the code once automatically, then logs in and redirects', async () => {
    const { router } = open()
    const field = await toStepThree()
    expect(field).toHaveAttribute('inputmode', 'numeric')
    expect(field).toHaveAttribute('autocomplete', 'one-time-code')
    expect(router.state.location.href).toBe('/register?step=3')
    expect(requestsTo('auth/register-step-one/')[0]!.body).toMatchObject({
      email: 'pim@acme.example',
      password: 'Chaophraya#2569',
      terms_accepted: true,
    })
    expect(requestsTo('auth/register-step-one/')[0]!.body).not.toHaveProperty('confirm_password')
    expect(requestsTo('auth/register-step-two/')[0]!.body).toEqual({
      register_form_code: 'code-1',
      organization_name: 'บริษัท ธาราเมฆ จำกัด',
      firstname: 'พิมพ์ชนก',
      lastname: 'วงศ์สวัสดิ์',
      phone: '0812345678',
      organization_option: [],
      discover_lightwork: 'LINE',
    })
    await type(/รหัสยืนยัน/, ' ๑๒๓ ๔๕๖\n')
    await waitFor(() => expect(getCurrentSession()).toMatchObject({ refresh: 'r1', isDemo: false }), ARRIVES)
    expect(requestsTo('auth/register-step-final/').map(({ body }) => body)).toEqual([
      { register_form_code: 'code-1', otp: '123456' },
    ])
    expect(requestsTo('auth/create-register-otp/')).toHaveLength(1)
    await waitFor(() => expect(router.state.location.pathname).toBe('/report'), ARRIVES)
    expect(sessionStorage.getItem('tamngan.registration')).toBeNull()
  })

  test('never stores the password; everything else survives a reload', async () => {
    const first = open()
    await fillStepOne()
    await fillStepTwo()
    expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain('Chaophraya')
    first.unmount()
    open('/register?step=2')
    expect(await screen.findByLabelText('ชื่อองค์กร', {}, ARRIVES)).toHaveValue('บริษัท ธาราเมฆ จำกัด')
    expect(screen.getByLabelText('LINE')).toBeChecked()
    await press('ย้อนกลับ')
    expect(await screen.findByText('pim@acme.example')).toBeInTheDocument()
    await press('ไปต่อ')
    expect(await screen.findByLabelText('เบอร์โทรศัพท์')).toHaveValue('๐๘๑๒๓๔๕๖๗๘')
    expect(requestsTo('auth/register-step-one/')).toHaveLength(1)
  })

  test('a link to a later step starts at the first', async () => {
    const { router } = open('/register?step=3')
    await screen.findByLabelText('อีเมลที่ทำงาน', {}, ARRIVES)
    await waitFor(() => expect(router.state.location.href).toBe('/register?step=1'))
  })

  test('sends once on two clicks and Enter', async () => {
    let answer: (response: Response) => void = () => undefined
    answers['auth/register-step-one/'] = () => new Promise((resolve) => (answer = resolve))
    open()
    await fillStepOne()
    const form = screen.getByRole('button', { name: 'ต่อไป' }).closest('form')!
    await act(async () => {
      fireEvent.submit(form)
      fireEvent.submit(form)
    })
    await waitFor(() => expect(requestsTo('auth/register-step-one/')).toHaveLength(1))
    answer(Response.json({ register_form_code: 'code-1', expires_in: 3600 }))
    await screen.findByLabelText('ชื่อองค์กร', {}, ARRIVES)
    expect(requestsTo('auth/register-step-one/')).toHaveLength(1)
  })
})

describe('refusals', () => {
  test('appear at their field, which gets focus, and keep the input', async () => {
    answers['auth/register-step-two/'] = () => refuse({ phone: ['เบอร์นี้มีผู้ใช้แล้ว', 'อื่น'], errors: ['เบอร์นี้มีผู้ใช้แล้ว'] })
    open()
    await fillStepOne()
    await fillStepTwo()
    await press(/ส่งรหัสยืนยัน/)
    expect(await screen.findByText('เบอร์นี้มีผู้ใช้แล้ว', {}, ARRIVES)).toBeInTheDocument()
    expect(screen.getByLabelText('เบอร์โทรศัพท์')).toHaveFocus()
    expect(screen.getByLabelText('ชื่อองค์กร')).toHaveValue('บริษัท ธาราเมฆ จำกัด')
  })

  test('without a field appear above the form and get focus', async () => {
    answers['auth/register-step-one/'] = () => refuse({ non_field_errors: ['ทำรายการถี่เกินไป'] }, 429)
    open()
    await fillStepOne()
    const notice = await screen.findByRole('alert', {}, ARRIVES)
    expect(notice).toHaveTextContent('ทำรายการถี่เกินไป')
    expect(notice).toHaveFocus()
    expect(screen.getByLabelText('รหัสผ่าน')).toHaveValue('Chaophraya#2569')
  })

  test('an expired form restarts with the previous input', async () => {
    answers['auth/register-step-two/'] = () => refuse({ register_form_code: ['หมดเวลา'] })
    open()
    await fillStepOne()
    await fillStepTwo()
    await press(/ส่งรหัสยืนยัน/)
    expect(await screen.findByText(/เกินเวลา 60 นาที/, {}, ARRIVES)).toBeInTheDocument()
    expect(screen.getByLabelText('อีเมลที่ทำงาน')).toHaveValue('pim@acme.example')
    answers['auth/register-step-two/'] = () => Response.json({ email: 'p', expires_in: 1 })
    await fillStepOne()
    expect(await screen.findByLabelText('ชื่อองค์กร', {}, ARRIVES)).toHaveValue('บริษัท ธาราเมฆ จำกัด')
  })

  test('a wrong code is shown at its field, is not resent automatically, and repeats with the same key', async () => {
    answers['auth/register-step-final/'] = () => refuse({ otp: ['รหัสไม่ถูกต้อง'] })
    open()
    await toStepThree()
    await type(/รหัสยืนยัน/, '123456')
    expect(await screen.findByText('รหัสไม่ถูกต้อง', {}, ARRIVES)).toBeInTheDocument()
    await type(/รหัสยืนยัน/, '12345')
    await type(/รหัสยืนยัน/, '123456')
    await waitFor(() => expect(requestsTo('auth/register-step-final/')).toHaveLength(2))
    await type(/รหัสยืนยัน/, '654321')
    await waitFor(() => expect(requestsTo('auth/register-step-final/')).toHaveLength(3))
    const [first, again, third] = requestsTo('auth/register-step-final/').map(({ key }) => key)
    expect(first).toMatch(/^[0-9a-f]{32}$/)
    expect(again).toBe(first)
    expect(third).not.toBe(first)
    expect(getCurrentSession()).toBeUndefined()
  })

  test('a new code can be requested after the wait; a refused request says why', async () => {
    answers['auth/create-register-otp/'] = () =>
      refuse({ non_field_errors: ['ขอรหัสใหม่ได้ในอีก 1 นาที'] }, 429, { 'retry-after': '1' })
    open()
    await toStepThree()
    expect(screen.getByRole('alert')).toHaveTextContent('ขอรหัสใหม่ได้ในอีก 1 นาที')
    expect(screen.getByText(/ขอรหัสใหม่ได้ใน 0:01/)).toBeInTheDocument()
    answers['auth/create-register-otp/'] = () =>
      Response.json({ message: 'ส่งแล้ว', email: 'p', expires_in: 600, resend_after: 60 })
    const button = await screen.findByRole('button', { name: 'ส่งรหัสอีกครั้ง' }, { timeout: 4000 })
    await act(async () => fireEvent.click(button))
    expect(await screen.findByText(/ส่งรหัสใหม่แล้ว/)).toBeInTheDocument()
    expect(screen.getByText(/ขอรหัสใหม่ได้ใน 1:00/)).toBeInTheDocument()
    expect(screen.queryByRole('alert')).toBeNull()
    expect(screen.getByLabelText(/รหัสยืนยัน/)).toHaveFocus()
  })
})

describe('the live checks', () => {
  const LABELS = { email: 'อีเมลที่ทำงาน', phone: 'เบอร์โทรศัพท์', name: 'ชื่อองค์กร' } as const
  const wait = (ms: number) => act(() => new Promise((resolve) => setTimeout(resolve, ms)))

  test('an e-mail is checked only when it is well-formed, after typing pauses', async () => {
    open()
    await screen.findByLabelText(LABELS.email, {}, ARRIVES)
    for (const text of ['p', 'pim@', 'pim@acme', `${'a'.repeat(200)}@acme.example`]) await type(LABELS.email, text)
    await wait(600)
    expect(requestsTo('auth/check-email-exist/')).toEqual([])
    for (const text of ['pim@acme.ex', 'pim@acme.exam', ' pim@acme.example ']) await type(LABELS.email, text)
    await waitFor(() => expect(requestsTo('auth/check-email-exist/')).toHaveLength(1))
    expect(requestsTo('auth/check-email-exist/')[0]!.body).toEqual({
      email: 'pim@acme.example',
      work: expect.stringMatching(/^\d+(\.\d+){8}$/),
    })
    expect(await screen.findByText('ใช้อีเมลนี้สมัครได้')).toBeInTheDocument()
  })

  test('shows the first message of a refusal and does not send the form', async () => {
    answers['auth/check-email-exist/'] = () => refuse({ errors: ['อีเมลนี้มีบัญชีอยู่แล้ว', 'อื่น'] })
    open()
    await screen.findByLabelText(LABELS.email, {}, ARRIVES)
    await type(LABELS.email, 'pim@acme.example')
    expect(await screen.findByText('อีเมลนี้มีบัญชีอยู่แล้ว', {}, ARRIVES)).toBeInTheDocument()
    expect(screen.queryByText('อื่น')).toBeNull()
    await fillStepOne()
    await waitFor(() => expect(screen.getByLabelText(LABELS.email)).toHaveFocus())
    expect(requestsTo('auth/register-step-one/')).toEqual([])
  })

  test.each([
    ['without a message', () => refuse({}, 400)],
    ['of the server', () => refuse({ code: 'internal' }, 500)],
    ['of the network', () => Promise.reject(new TypeError('Failed to fetch'))],
  ])('a failure %s shows the specified message and does not block the form', async (_, fails) => {
    answers['auth/check-email-exist/'] = fails
    open()
    await screen.findByLabelText(LABELS.email, {}, ARRIVES)
    await type(LABELS.email, 'pim@acme.example')
    expect(await screen.findByText('Unexpected error during validation.', {}, ARRIVES)).toBeInTheDocument()
    await fillStepOne()
    expect(await screen.findByLabelText(LABELS.name, {}, ARRIVES)).toBeInTheDocument()
  })

  test('shows nothing when rate-limited', async () => {
    answers['auth/check-email-exist/'] = () => refuse({ non_field_errors: ['ถี่เกินไป'] }, 429)
    open()
    await screen.findByLabelText(LABELS.email, {}, ARRIVES)
    await type(LABELS.email, 'pim@acme.example')
    await waitFor(() => expect(requestsTo('auth/check-email-exist/')).toHaveLength(1))
    await wait(50)
    expect(screen.getByLabelText(LABELS.email)).not.toHaveAttribute('aria-invalid')
  })

  test('ignores an answer to an older value', async () => {
    let late: (response: Response) => void = () => undefined
    answers['auth/check-email-exist/'] = ({ email }) =>
      email === 'old@acme.example' ? new Promise((resolve) => (late = resolve)) : Response.json({ is_available: true })
    open()
    await screen.findByLabelText(LABELS.email, {}, ARRIVES)
    await type(LABELS.email, 'old@acme.example')
    await waitFor(() => expect(requestsTo('auth/check-email-exist/')).toHaveLength(1))
    await type(LABELS.email, 'new@acme.example')
    expect(await screen.findByText('ใช้อีเมลนี้สมัครได้', {}, ARRIVES)).toBeInTheDocument()
    late(refuse({ errors: ['อีเมลนี้มีบัญชีอยู่แล้ว'] }))
    await wait(50)
    expect(screen.queryByText('อีเมลนี้มีบัญชีอยู่แล้ว')).toBeNull()
  })

  test('checks a phone with 0 and 8 or 9 digits, and a name of 1 to 200 characters', async () => {
    open()
    await fillStepOne()
    await screen.findByLabelText(LABELS.name, {}, ARRIVES)
    await type(LABELS.phone, '08123')
    await type(LABELS.name, 'ก'.repeat(201))
    await wait(600)
    await type(LABELS.phone, '081234567890')
    await type(LABELS.name, '   ')
    await wait(600)
    expect([...requestsTo('auth/check-phone-exist/'), ...requestsTo('auth/check-organization-exist/')]).toEqual([])
    await type(LABELS.phone, '021234567')
    await type(LABELS.name, ' ก ')
    await waitFor(() => expect(requestsTo('auth/check-organization-exist/')).toHaveLength(1))
    await waitFor(() => expect(requestsTo('auth/check-phone-exist/')).toHaveLength(1))
    expect(requestsTo('auth/check-phone-exist/')[0]!.body).toEqual({ phone: '021234567' })
    expect(requestsTo('auth/check-organization-exist/')[0]!.body).toEqual({ organizename: 'ก' })
  })
})
