import { createMemoryHistory } from '@tanstack/react-router'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { queryClient } from '#src/api/http/query-client.ts'
import { App } from '#src/app/app.tsx'
import { createAppRouter } from '#src/app/router.ts'
import { getCurrentSession, startSession } from '#src/lib/session-store.ts'

const ARRIVES = { timeout: 15_000 }
let answers: Record<string, () => Response | Promise<Response>>
let calls: string[]
const refuse = (body: object, status = 400) => Response.json(body, { status })
const lose = () => Promise.reject(new TypeError('Failed to fetch'))

beforeEach(() => {
  localStorage.clear()
  queryClient.clear()
  calls = []
  answers = {}
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const sent = new Request(input, init)
    const call = `${sent.method} ${new URL(sent.url).pathname.replace('/api/v2/', '')}`
    calls.push(call)
    return (answers[call] ?? (() => refuse({ code: 'not_found' }, 404)))()
  })
})
afterEach(() => vi.unstubAllGlobals())

const open = (address: string) =>
  render(<App router={createAppRouter(createMemoryHistory({ initialEntries: [address] }))} />)
const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })))
const heading = (name: string) => screen.findByRole('heading', { name }, ARRIVES)

describe('“not me”', () => {
  const RESULT = { reset_token: 'r', ended: ['คีย์ API'], closed_accounts: [] }
  beforeEach(() => {
    answers['GET auth/not-me/t/'] = () => Response.json({ email: 'p••@a.example' })
    answers['POST auth/not-me/t/'] = () => Response.json(RESULT)
  })

  test('ends every session after a click and leads to a new password, without checking the link again', async () => {
    startSession({ access: 'x', refresh: 'r', isDemo: false, receivedAtMs: 0, expiresAtMs: Date.now() + 60_000 })
    open('/not-me/t')
    await heading('ไม่ใช่คุณใช่ไหม')
    const checks = calls.length
    await press('ไม่ใช่ฉัน ออกจากระบบทุกอุปกรณ์')
    await heading('ออกจากระบบทุกอุปกรณ์แล้ว')
    expect(screen.getByText('คีย์ API')).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'ตั้งรหัสผ่านใหม่' })).toHaveAttribute('href', '/reset-password/r')
    expect(getCurrentSession()).toBeUndefined()
    expect(calls.slice(checks)).toEqual(['POST auth/not-me/t/'])
  })

  test('explains a refused link, and retries one that could not be checked', async () => {
    const answer = answers['GET auth/not-me/t/']!
    answers['GET auth/not-me/t/'] = lose
    const { unmount } = open('/not-me/t')
    expect(await screen.findByRole('alert', {}, ARRIVES)).toHaveTextContent('ตรวจสอบลิงก์ไม่สำเร็จ')
    answers['GET auth/not-me/t/'] = answer
    await press('ลองใหม่')
    await heading('ไม่ใช่คุณใช่ไหม')
    unmount()
    queryClient.clear()
    answers['GET auth/not-me/t/'] = () => refuse({ code: 'reset_link_expired', error: 'x' })
    open('/not-me/t')
    await heading('ลิงก์นี้ใช้ไม่ได้แล้ว')
    expect(screen.getByRole('link', { name: 'กลับไปเข้าสู่ระบบ' })).toBeInTheDocument()
  })
})
