import { createMemoryHistory } from '@tanstack/react-router'
import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Team } from '#contract/account/member.ts'
import type { User } from '#contract/account/user.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { App } from '#src/app/app.tsx'
import { createAppRouter } from '#src/app/router.ts'
import { startSession } from '#src/lib/session-store.ts'
import { buildTestOrganisation } from '#src/matching/api/organisation-for-tests.ts'
import { buildTestSession, buildTestUser } from '#src/report/api/user-api-for-tests.ts'

const MEMBER = { name: 'สมชาย ใจดี', email: 'somchai@acme.example', role: 'member_user', is_disabled: false } as const
const TEAM: Team = {
  most: 4,
  members: [
    {
      ...MEMBER,
      id: 1,
      name: 'ปราณี สุข',
      email: 'me@acme.example',
      role: 'super_user',
      last_seen_at: null,
      is_me: true,
    },
    { ...MEMBER, id: 2, last_seen_at: '2026-11-20T02:00:00Z', is_me: false },
    { ...MEMBER, id: 3, name: null, email: 'closed@acme.example', is_disabled: true, last_seen_at: null, is_me: false },
  ],
  requests: [],
  invitations: [
    {
      id: 9,
      email: 'new@acme.example',
      role: 'member_user',
      invited_by: 'ปราณี สุข',
      sent_at: '2026-11-20T02:00:00Z',
      expires_at: '2026-11-27T02:00:00Z',
      is_over: false,
    },
  ],
}

let user: User
let requests: { call: string; body: unknown }[]
let answers: Record<string, () => Response>

beforeEach(() => {
  localStorage.clear()
  queryClient.clear()
  requests = []
  user = { ...buildTestUser(), role: 'super_user' }
  answers = {
    'GET users/me': () => Response.json(user),
    'GET organisations/me': () => Response.json(buildTestOrganisation()),
    'GET organisations/me/members': () => Response.json(TEAM),
    'GET organisations/me/login-domains/': () => Response.json({ providers: [], domains: [], identities: [] }),
  }
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const sent = new Request(input, init)
    const call = `${sent.method} ${new URL(sent.url).pathname.replace('/api/v2/', '')}`
    const text = await sent.clone().text()
    requests.push({ call, body: text === '' ? undefined : JSON.parse(text) })
    return answers[call]?.() ?? new Response(null, { status: 204 })
  })
  startSession(buildTestSession())
})
afterEach(() => vi.unstubAllGlobals())

const ARRIVES = { timeout: 15_000 }
const open = () =>
  render(<App router={createAppRouter(createMemoryHistory({ initialEntries: ['/settings?tab=team'] }))} />)
const press = async (name: string | RegExp, role = 'button') => {
  const control = await screen.findByRole(role, { name }, ARRIVES)
  await act(async () => fireEvent.click(control))
}
const changes = () => requests.filter(({ call }) => !call.startsWith('GET '))

test('lists members and invitations, and the seats used of the package', async () => {
  open()
  const members = await screen.findByRole('region', { name: 'สมาชิก' }, ARRIVES)
  const rows = within(members).getAllByRole('listitem')
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringContaining('คุณ'),
    expect.stringContaining('สมชาย ใจดี'),
    expect.stringContaining('ปิดบัญชีแล้ว'),
  ])
  expect(within(rows[0]!).queryByRole('button')).toBeNull()
  expect(screen.getByText('3 จาก 4 คน')).toBeInTheDocument()
  expect(screen.queryByRole('region', { name: 'คำขอเข้าร่วมทีม' })).toBeNull()
  expect(
    within(screen.getByRole('region', { name: 'คำเชิญที่รอตอบรับ' })).getByText('new@acme.example'),
  ).toBeInTheDocument()
})

test('shows a refused address at the field, and keeps the input', async () => {
  answers['POST organisations/me/invitations/'] = () =>
    Response.json({ non_field_errors: ['คนนี้อยู่ในทีมแล้ว'], email: ['คนนี้อยู่ในทีมแล้ว'] }, { status: 400 })
  open()
  const field = await screen.findByLabelText('อีเมล', {}, ARRIVES)
  await act(async () => fireEvent.change(field, { target: { value: 'somchai@acme.example' } }))
  await press('ส่งคำเชิญ')
  expect(await screen.findByText('คนนี้อยู่ในทีมแล้ว')).toBeInTheDocument()
  expect(field).toHaveValue('somchai@acme.example')
  expect(field).toBeInvalid()
  expect(changes()).toEqual([
    { call: 'POST organisations/me/invitations/', body: { email: 'somchai@acme.example', role: 'member_user' } },
  ])
})

test('names the new role in the toast, although the list shows it first', async () => {
  answers['PATCH organisations/me/members/2/'] = () => {
    const members = TEAM.members.map((member) => (member.id === 2 ? { ...member, role: 'super_user' } : member))
    answers['GET organisations/me/members'] = () => Response.json({ ...TEAM, members })
    return new Response(null, { status: 204 })
  }
  open()
  await press('จัดการ สมชาย ใจดี')
  await press('เปลี่ยนเป็น Super User', 'menuitem')
  expect(await screen.findByText('สมชาย ใจดี เป็น Super User แล้ว', {}, ARRIVES)).toBeInTheDocument()
})

test('changes a role by the menu; closes an account after one confirmation', async () => {
  open()
  await press('จัดการ สมชาย ใจดี')
  await press('เปลี่ยนเป็น Super User', 'menuitem')
  expect(changes()).toEqual([{ call: 'PATCH organisations/me/members/2/', body: { role: 'super_user' } }])
  await press('จัดการ สมชาย ใจดี')
  await press('ปิดบัญชี', 'menuitem')
  expect(changes()).toHaveLength(1)
  await press('ปิดบัญชี')
  expect(changes().at(-1)).toEqual({
    call: 'PATCH organisations/me/members/2/',
    body: { is_disabled: true, hand_over_to: null },
  })
})

test('reports a failed load of the team, with a retry', async () => {
  answers['GET organisations/me/members'] = () => Response.json({ code: 'internal', request_id: 'r1' }, { status: 500 })
  open()
  expect(await screen.findByText('โหลดรายชื่อทีมงานไม่สำเร็จ', {}, ARRIVES)).toBeInTheDocument()
  answers['GET organisations/me/members'] = () => Response.json(TEAM)
  await press(/ลอง/)
  expect(await screen.findByRole('region', { name: 'สมาชิก' }, ARRIVES)).toBeInTheDocument()
})

test('is hidden from members', async () => {
  user = buildTestUser()
  open()
  await screen.findByRole('tablist', {}, ARRIVES)
  expect(await screen.findByRole('region', { name: 'พื้นที่' }, ARRIVES)).toBeInTheDocument()
  expect(screen.queryByRole('tab', { name: 'สมาชิก' })).toBeNull()
})

test('accepts a join request with a role or refuses it; hides the section without requests', async () => {
  const requests = [
    { id: 5, name: 'อนงค์ ใจดี', email: 'anong@acme.example', requested_at: '2026-11-20T02:00:00Z' },
    { id: 6, name: 'วิชัย กล้า', email: 'wichai@acme.example', requested_at: '2026-11-20T03:00:00Z' },
  ]
  answers['GET organisations/me/members'] = () => Response.json({ ...TEAM, requests })
  open()
  const section = await screen.findByRole('region', { name: 'คำขอเข้าร่วมทีม' }, ARRIVES)
  expect(within(section).getByText(/^anong@acme.example/)).toBeInTheDocument()
  await press('รับคำขอของ อนงค์ ใจดี')
  await press('ไม่รับคำขอของ วิชัย กล้า')
  expect(changes()).toEqual([
    { call: 'POST organisations/me/join-requests/5/accept/', body: { role: 'member_user' } },
    { call: 'POST organisations/me/join-requests/6/refuse/', body: undefined },
  ])
})
