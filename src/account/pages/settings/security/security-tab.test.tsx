import { createMemoryHistory } from '@tanstack/react-router'
import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { SecondFactorState } from '#contract/account/second-factor.ts'
import type { User } from '#contract/account/user.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { App } from '#src/app/app.tsx'
import { createAppRouter } from '#src/app/router.ts'
import { startSession } from '#src/lib/session-store.ts'
import { buildTestOrganisation } from '#src/matching/api/organisation-for-tests.ts'
import { buildTestSession, buildTestUser } from '#src/report/api/user-api-for-tests.ts'

const FACTOR: SecondFactorState = {
  totp: null,
  passkeys: [],
  offers_passkeys: true,
  recovery_left: 0,
  is_required: false,
}

let user: User
let answers: Record<string, (body: unknown) => Response>

beforeEach(() => {
  localStorage.clear()
  queryClient.clear()
  user = buildTestUser()
  answers = {
    'GET users/me': () => Response.json(user),
    'GET organisations/me': () => Response.json(buildTestOrganisation()),
    'GET users/me/sessions': () => Response.json({ sessions: [] }),
    'GET users/me/email-change': () => Response.json({ change: null }),
    'GET users/me/devices': () => Response.json({ devices: [] }),
    'GET users/me/second-factor': () => Response.json(FACTOR),
  }
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const sent = new Request(input, init)
    const text = await sent.clone().text()
    const call = `${sent.method} ${new URL(sent.url).pathname.replace('/api/v2/', '')}`
    const answer = answers[call] ?? (() => Response.json({ code: 'not_found' }, { status: 404 }))
    return answer(text === '' ? undefined : JSON.parse(text))
  })
  startSession(buildTestSession())
})
afterEach(() => vi.unstubAllGlobals())

const ARRIVES = { timeout: 15_000 }
function open(address: string) {
  const router = createAppRouter(createMemoryHistory({ initialEntries: [address] }))
  render(<App router={router} />)
  return router
}
const press = async (name: string, where?: HTMLElement) => {
  const button = await (where ? within(where) : screen).findByRole('button', { name }, ARRIVES)
  await act(async () => fireEvent.click(button))
}
const type = async (label: string, value: string) =>
  fireEvent.change(await screen.findByLabelText(label, undefined, ARRIVES), { target: { value } })

describe('the second factor', () => {
  const CODES = Array.from({ length: 10 }, (_, at) => `abcd-efgh-ijkl-mno${'abcdefghij'[at]}`)

  test('an app is set up by QR or typed secret, confirmed by a code, and shows the recovery codes once', async () => {
    answers['POST users/me/totp/'] = () => Response.json({ secret: 'ABCDEFGH234567', uri: 'otpauth://totp/x?secret=A' })
    answers['POST users/me/totp/confirm/'] = (body) => {
      if ((body as { otp: string }).otp !== '123456') return Response.json({ otp: ['รหัสไม่ตรง'] }, { status: 400 })
      answers['GET users/me/second-factor'] = () =>
        Response.json({ ...FACTOR, totp: { since: '2026-11-21T02:00:00Z' }, recovery_left: 10 })
      return Response.json({ recovery_codes: CODES })
    }
    open('/settings?tab=me&part=security')
    await press('ตั้งค่าแอป')
    expect(await screen.findByRole('img', { name: /คิวอาร์/ }, ARRIVES)).toBeInTheDocument()
    expect(screen.getByText('ABCD EFGH 2345 67')).toBeInTheDocument()
    await type('รหัส 6 หลักจากแอป', '000000')
    await press('เปิดใช้')
    expect(await screen.findByText('รหัสไม่ตรง', {}, ARRIVES)).toBeInTheDocument()
    expect(screen.getByLabelText('รหัส 6 หลักจากแอป')).toHaveFocus()
    await type('รหัส 6 หลักจากแอป', '123 456')
    await press('เปิดใช้')
    for (const code of CODES) expect(await screen.findByText(code, {}, ARRIVES)).toBeInTheDocument()
    await press('เก็บไว้แล้ว')
    expect(screen.queryByText(CODES[0]!)).toBeNull()
    expect(screen.getByText(/เหลือ 10 จาก 10 รหัส/)).toBeInTheDocument()
  }, 60_000)

  test('R68: a user who must set it up sees only this tab, whatever the address', async () => {
    user = { ...user, second_factor_due: true }
    const router = open('/report')
    expect(await screen.findByText(/องค์กรของคุณกำหนดให้ยืนยันสองขั้น/, {}, ARRIVES)).toBeInTheDocument()
    expect(router.state.location.pathname).toBe('/settings')
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['ฉัน'])
  })

  test('a remembered browser can be removed', async () => {
    const device = { id: 3, device: 'Chrome บน Windows', address: null, used_at: '2026-11-20T02:00:00Z' }
    answers['GET users/me/devices'] = () =>
      Response.json({ devices: [{ ...device, trusted_until: '2026-12-20T02:00:00Z' }] })
    answers['DELETE users/me/devices/3/'] = () => {
      answers['GET users/me/devices'] = () => Response.json({ devices: [] })
      return new Response(null, { status: 204 })
    }
    open('/settings?tab=me&part=security')
    const button = await screen.findByRole('button', { name: /^เลิกจำ Chrome บน Windows/ }, ARRIVES)
    await act(async () => fireEvent.click(button))
    expect(await screen.findByText(/ยังไม่มีอุปกรณ์ที่จำไว้/, {}, ARRIVES)).toBeInTheDocument()
  })
})

test('an e-mail change is confirmed at both addresses, and can be cancelled', async () => {
  answers['POST users/me/email-change/'] = (body) => {
    const { email } = body as { email: string }
    answers['GET users/me/email-change'] = () =>
      Response.json({
        change: { new_email: email, old_confirmed: true, new_confirmed: false, expires_at: '2026-11-22T02:00:00Z' },
      })
    return new Response(null, { status: 204 })
  }
  answers['DELETE users/me/email-change/'] = () => {
    answers['GET users/me/email-change'] = () => Response.json({ change: null })
    return new Response(null, { status: 204 })
  }
  open('/settings')
  await type('อีเมลใหม่', 'somsri@mailbox.example')
  await press('ส่งลิงก์ยืนยัน')
  expect(await screen.findByText('อีเมลเดิม: ยืนยันแล้ว', {}, ARRIVES)).toBeInTheDocument()
  await press('หยุดการเปลี่ยน')
  expect(await screen.findByLabelText('อีเมลใหม่', {}, ARRIVES)).toBeInTheDocument()
})
