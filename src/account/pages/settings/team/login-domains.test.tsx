import { createMemoryHistory } from '@tanstack/react-router'
import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LoginDomains } from '#contract/account/organisation-login.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { App } from '#src/app/app.tsx'
import { createAppRouter } from '#src/app/router.ts'
import { startSession } from '#src/lib/session-store.ts'
import { buildTestOrganisation } from '#src/matching/api/organisation-for-tests.ts'
import { buildTestSession, buildTestUser } from '#src/report/api/user-api-for-tests.ts'

const DOMAIN: LoginDomains['domains'][number] = {
  ...{ id: 4, domain: 'acme.example', provider: 'microsoft', verified_at: null, checked_at: null, rule: 'may' },
  ...{ asks_own_factor: false, record: { name: '_tamngan.acme.example', value: 'tamngan-verification=x' } },
}
const TEAM = { most: 4, members: [], requests: [], invitations: [] }
let domains: LoginDomains
let requests: { call: string; body: unknown }[]
let answers: Record<string, () => Response>

beforeEach(() => {
  localStorage.clear()
  queryClient.clear()
  requests = []
  domains = { providers: ['google', 'microsoft'], domains: [], identities: [] }
  answers = {
    'GET users/me': () => Response.json({ ...buildTestUser(), role: 'super_user' }),
    'GET organisations/me': () => Response.json(buildTestOrganisation()),
    'GET organisations/me/members': () => Response.json(TEAM),
    'GET organisations/me/login-domains/': () => Response.json(domains),
    'POST organisations/me/login-domains/': () => Response.json(domains),
  }
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const sent = new Request(input, init)
    const call = `${sent.method} ${new URL(sent.url).pathname.replace('/api/v2/', '')}`
    const text = await sent.clone().text()
    if (sent.method !== 'GET') requests.push({ call, body: text === '' ? undefined : JSON.parse(text) })
    return answers[call]?.() ?? new Response(null, { status: 204 })
  })
  startSession(buildTestSession())
})
afterEach(() => vi.unstubAllGlobals())

const ARRIVES = { timeout: 15_000 }
const open = () =>
  render(<App router={createAppRouter(createMemoryHistory({ initialEntries: ['/settings?tab=team'] }))} />)
const section = () => screen.findByRole('region', { name: 'เข้าสู่ระบบด้วยบัญชีองค์กร' }, ARRIVES)
const click = (element: HTMLElement) => act(async () => fireEvent.click(element))

test('is hidden without a configured provider; a failed list is reported', async () => {
  domains = { providers: [], domains: [], identities: [] }
  const { unmount } = open()
  await screen.findByRole('region', { name: 'สมาชิก' }, ARRIVES)
  expect(screen.queryByRole('region', { name: 'เข้าสู่ระบบด้วยบัญชีองค์กร' })).toBeNull()
  unmount()
  queryClient.clear()
  answers['GET organisations/me/login-domains/'] = () => Response.json({ non_field_errors: ['x'] }, { status: 400 })
  open()
  expect(await screen.findByText('โหลดการตั้งค่าบัญชีองค์กรไม่สำเร็จ', {}, ARRIVES)).toBeInTheDocument()
})

test('reports an invalid domain at the field; sends a valid one normalised', async () => {
  open()
  const here = within(await section())
  const field = here.getByLabelText('โดเมนของบริษัท')
  fireEvent.change(field, { target: { value: 'acme' } })
  await click(here.getByRole('button', { name: 'เพิ่มโดเมน' }))
  expect(await here.findByText(/กรอกเฉพาะโดเมนที่อยู่หลัง @/)).toBeInTheDocument()
  fireEvent.change(field, { target: { value: ' @ACME.example ' } })
  await click(here.getByRole('button', { name: 'เพิ่มโดเมน' }))
  await vi.waitFor(() =>
    expect(requests).toEqual([
      { call: 'POST organisations/me/login-domains/', body: { domain: 'acme.example', provider: 'google' } },
    ]),
  )
})

test('shows the result of the DNS check in its card; rule and second factor become available once verified', async () => {
  domains = { ...domains, domains: [DOMAIN] }
  answers['POST organisations/me/login-domains/4/verify/'] = () =>
    Response.json({ non_field_errors: ['ยังไม่พบระเบียน TXT นี้'] }, { status: 400 })
  open()
  const card = within(within(await section()).getByRole('group', { name: 'acme.example' }))
  expect(card.getByText('_tamngan.acme.example')).toBeInTheDocument()
  await click(card.getByRole('button', { name: 'ตรวจระเบียน' }))
  expect(await card.findByText('ยังไม่พบระเบียน TXT นี้')).toBeInTheDocument()
  domains = { ...domains, domains: [{ ...DOMAIN, verified_at: '2026-11-27T01:00:00Z' }] }
  answers['POST organisations/me/login-domains/4/verify/'] = () => new Response(null, { status: 204 })
  await click(card.getByRole('button', { name: 'ตรวจระเบียน' }))
  await click(await card.findByRole('switch', { name: /^บังคับใช้/ }))
  await click(await card.findByRole('switch', { name: /^ถามการยืนยัน/ }))
  expect(requests.slice(2)).toEqual([
    { call: 'PATCH organisations/me/login-domains/4/', body: { rule: 'must' } },
    { call: 'PATCH organisations/me/login-domains/4/', body: { asks_own_factor: true } },
  ])
})

test('removes a binding with one click, and a domain after confirmation', async () => {
  const identity = { user_id: 7, name: 'สมชาย ใจดี', email: 's@acme.example', provider: 'microsoft' } as const
  domains = { ...domains, domains: [DOMAIN], identities: [{ ...identity, used_at: '2026-11-27T01:00:00Z' }] }
  open()
  const card = within(within(await section()).getByRole('group', { name: 'acme.example' }))
  await click(screen.getByRole('button', { name: 'ล้างการผูกของ สมชาย ใจดี' }))
  await click(card.getByRole('button', { name: 'ยกเลิกโดเมน acme.example' }))
  expect(requests).toHaveLength(1)
  await click(card.getByRole('button', { name: 'ยกเลิกโดเมน' }))
  expect(requests.map(({ call }) => call)).toEqual([
    'DELETE organisations/me/login-identities/7/',
    'DELETE organisations/me/login-domains/4/',
  ])
})
