import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory } from '@tanstack/react-router'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { queryClient } from '#src/api/http/query-client.ts'
import { App } from '#src/app/app.tsx'
import { createAppRouter } from '#src/app/router.ts'
import { getCurrentSession, startSession } from '#src/lib/session-store.ts'
import { EMAIL_CASES, NEW_PASSWORD_CASES } from '../../../../test/account-cases.ts'
import { ResetPasswordForm } from './reset-link-page.tsx'

let answers: Record<string, () => Response | Promise<Response>>
let requests: { path: string; method: string; body: unknown; bearer: string | null }[]
const TOKEN = 'a-token_of-43-characters'

beforeEach(() => {
  localStorage.clear()
  queryClient.clear()
  requests = []
  answers = {
    'auth/check-email-exist/forgot-password/': () => Response.json({ message: 'ok' }),
    'password/reset/': () => Response.json({ message: 'ok' }),
    [`password/reset/verify/${TOKEN}/`]: () => Response.json({ message: 'ok', email: 'p••••k@acme.example' }),
    [`password/reset/confirm/${TOKEN}/`]: () => Response.json({ message: 'ok' }),
  }
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const sent = new Request(input, init)
    const path = new URL(sent.url).pathname.replace('/api/v2/', '')
    const body: unknown = sent.method === 'GET' ? undefined : await sent.clone().json()
    requests.push({ path, method: sent.method, body, bearer: sent.headers.get('authorization') })
    return (answers[path] ?? (() => Response.json({ code: 'not_found' }, { status: 404 })))()
  })
})
afterEach(() => vi.unstubAllGlobals())

const ARRIVES = { timeout: 15_000 }
function open(address: string) {
  const router = createAppRouter(createMemoryHistory({ initialEntries: [address] }))
  render(<App router={router} />)
  return router
}
const type = (label: string, value: string) =>
  act(async () => {
    const input = screen.getByLabelText(label)
    fireEvent.change(input, { target: { value } })
    fireEvent.blur(input)
  })
const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })))

describe('requesting a link', () => {
  test('shows the same result for every address, after the two specified calls', async () => {
    open('/reset-password')
    await screen.findByLabelText('อีเมล', {}, ARRIVES)
    await type('อีเมล', ' pim@acme.example ')
    await press('ส่งลิงก์')
    expect(await screen.findByRole('heading', { name: 'ดูอีเมลของคุณ' }, ARRIVES)).toHaveFocus()
    expect(requests.map(({ path, body }) => [path, body])).toEqual([
      ['auth/check-email-exist/forgot-password/', { email: 'pim@acme.example' }],
      ['password/reset/', { email: 'pim@acme.example' }],
    ])
    await press('ขอลิงก์อีกครั้ง หรือใช้อีเมลอื่น')
    expect(screen.getByLabelText('อีเมล')).toHaveValue('pim@acme.example')
  })

  test('a rate limit is shown with its wait, and keeps the address', async () => {
    answers['password/reset/'] = () =>
      Response.json({ non_field_errors: ['ขอใหม่ได้ในอีก 1 นาที'] }, { status: 429, headers: { 'retry-after': '50' } })
    open('/reset-password')
    await screen.findByLabelText('อีเมล', {}, ARRIVES)
    await type('อีเมล', 'pim@acme.example')
    await press('ส่งลิงก์')
    const notice = await screen.findByRole('alert', {}, ARRIVES)
    expect(notice).toHaveTextContent('ขอใหม่ได้ในอีก 1 นาที')
    expect(notice).toHaveFocus()
    expect(screen.getByLabelText('อีเมล')).toHaveValue('pim@acme.example')
  })

  test('reports an invalid address without calling the server', async () => {
    open('/reset-password')
    await screen.findByLabelText('อีเมล', {}, ARRIVES)
    const wrong = EMAIL_CASES.find(({ why }) => why === 'no @')!
    await type('อีเมล', wrong.value as string)
    await press('ส่งลิงก์')
    expect(await screen.findByText(wrong.message!)).toBeInTheDocument()
    expect(requests).toEqual([])
  })
})

describe('the link', () => {
  test('sets a new password, ends the session and redirects to /login with a notice', async () => {
    startSession({ access: 'x', refresh: 'r', isDemo: false, receivedAtMs: 0, expiresAtMs: Date.now() + 60_000 })
    const router = open(`/reset-password/${TOKEN}`)
    await screen.findByLabelText('รหัสผ่านใหม่', {}, ARRIVES)
    expect(screen.getByText(/p••••k@acme.example/)).toBeInTheDocument()
    await type('รหัสผ่านใหม่', 'Chaophraya#2569')
    await type('รหัสผ่านใหม่อีกครั้ง', 'Chaophraya#2569')
    await press('ตั้งรหัสผ่านใหม่')
    expect(await screen.findByText('เปลี่ยนรหัสผ่านแล้ว เข้าสู่ระบบด้วยรหัสผ่านใหม่', {}, ARRIVES)).toBeInTheDocument()
    expect(router.state.location.href).toBe('/login?notice=password-changed')
    expect(requests.at(-1)).toMatchObject({
      method: 'POST',
      body: { new_password: 'Chaophraya#2569', confirm_password: 'Chaophraya#2569' },
      bearer: null,
    })
    expect(getCurrentSession()).toBeUndefined()
  })

  test('appears in no title and no referrer (R21)', async () => {
    open(`/reset-password/${TOKEN}`)
    await screen.findByLabelText('รหัสผ่านใหม่', {}, ARRIVES)
    expect(document.title).toBe('ตั้งรหัสผ่านใหม่ · ตามงาน')
    expect(document.head.querySelector('meta[name="referrer"]')).toHaveAttribute('content', 'no-referrer')
    expect(document.documentElement.outerHTML).not.toContain(TOKEN)
  })

  test.each([
    ['reset_link_expired', 'ลิงก์นี้หมดอายุแล้ว'],
    ['reset_link_used', 'ลิงก์นี้ใช้ไปแล้ว'],
    ['reset_link_unknown', 'ลิงก์นี้ใช้ไม่ได้'],
  ])('that is refused with %s explains what to do', async (code, title) => {
    answers[`password/reset/verify/${TOKEN}/`] = () => Response.json({ code, error: 'x' }, { status: 400 })
    open(`/reset-password/${TOKEN}`)
    expect(await screen.findByRole('heading', { name: title }, ARRIVES)).toBeInTheDocument()
    expect(screen.getByRole('alert')).toHaveTextContent(/ขอลิงก์ใหม่/)
    expect(screen.getByRole('link', { name: 'ขอลิงก์ใหม่' })).toHaveAttribute('href', '/reset-password')
  })

  test('that was used meanwhile shows that instead of the form', async () => {
    answers[`password/reset/confirm/${TOKEN}/`] = () =>
      Response.json({ code: 'reset_link_used', error: 'x' }, { status: 400 })
    open(`/reset-password/${TOKEN}`)
    await screen.findByLabelText('รหัสผ่านใหม่', {}, ARRIVES)
    await type('รหัสผ่านใหม่', 'Chaophraya#2569')
    await type('รหัสผ่านใหม่อีกครั้ง', 'Chaophraya#2569')
    await press('ตั้งรหัสผ่านใหม่')
    expect(await screen.findByRole('heading', { name: 'ลิงก์นี้ใช้ไปแล้ว' }, ARRIVES)).toBeInTheDocument()
  })

  test('that could not be checked can be retried', async () => {
    const works = answers[`password/reset/verify/${TOKEN}/`]!
    answers[`password/reset/verify/${TOKEN}/`] = () => Promise.reject(new TypeError('Failed to fetch'))
    open(`/reset-password/${TOKEN}`)
    expect(await screen.findByRole('alert', {}, ARRIVES)).toHaveTextContent('ตรวจสอบลิงก์ไม่สำเร็จ')
    answers[`password/reset/verify/${TOKEN}/`] = works
    await press('ลองใหม่')
    expect(await screen.findByLabelText('รหัสผ่านใหม่', {}, ARRIVES)).toBeInTheDocument()
  })

  test('a guessable password is reported at its field, which keeps the input', async () => {
    answers[`password/reset/confirm/${TOKEN}/`] = () =>
      Response.json({ new_password: ['รหัสผ่านนี้เดาง่ายเกินไป'] }, { status: 400 })
    open(`/reset-password/${TOKEN}`)
    await screen.findByLabelText('รหัสผ่านใหม่', {}, ARRIVES)
    await type('รหัสผ่านใหม่', 'Passw0rd!')
    await type('รหัสผ่านใหม่อีกครั้ง', 'Passw0rd!')
    await press('ตั้งรหัสผ่านใหม่')
    expect(await screen.findByText('รหัสผ่านนี้เดาง่ายเกินไป', {}, ARRIVES)).toBeInTheDocument()
    expect(screen.getByLabelText('รหัสผ่านใหม่')).toHaveFocus()
    expect(screen.getByLabelText('รหัสผ่านใหม่')).toHaveValue('Passw0rd!')
    await waitFor(() => expect(screen.getByRole('button', { name: 'ตั้งรหัสผ่านใหม่' })).not.toHaveAttribute('aria-busy'))
  })
})

describe('the new password', () => {
  test.each(NEW_PASSWORD_CASES.filter(({ value }) => typeof value === 'string'))(
    '$why: $value',
    async ({ value, message }) => {
      render(
        <QueryClientProvider client={queryClient}>
          <ResetPasswordForm token={TOKEN} email="p" onDone={() => undefined} onBadLink={() => undefined} />
        </QueryClientProvider>,
      )
      await type('รหัสผ่านใหม่', value as string)
      if (message === undefined) expect(screen.getByLabelText('รหัสผ่านใหม่')).not.toHaveAttribute('aria-invalid')
      else expect(await screen.findByText(message)).toBeInTheDocument()
    },
  )
})
