import { createMemoryHistory } from '@tanstack/react-router'
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { User } from '#contract/account/user.ts'
import { type ChannelPreferences, DEFAULT_CHANNEL_PREFERENCES } from '#contract/channels/channel.ts'
import type { LineConnectionState } from '#contract/channels/line.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { App } from '#src/app/app.tsx'
import { createAppRouter } from '#src/app/router.ts'
import { startHandlingSessionEnd } from '#src/app/start-handling-session-end.ts'
import { getServerTime, startSession } from '#src/lib/session-store.ts'
import { buildTestOrganisation } from '#src/matching/api/organisation-for-tests.ts'
import { buildTestSession, buildTestUser } from '#src/report/api/user-api-for-tests.ts'

const NONE: LineConnectionState = {
  is_available: true,
  account: { name: 'ตามงาน', basic_id: '@042tamng' },
  connection: null,
  is_waiting: false,
  is_quota_out: false,
}
const CONNECTED: LineConnectionState = { ...NONE, connection: { name: 'สมชาย', connected_at: '2026-11-20T02:00:00Z' } }

let line: LineConnectionState
let user: User
let wish: ChannelPreferences
let requests: { call: string; body: unknown }[]
let answers: Record<string, () => Response>
let stop: () => void = () => undefined
const ARRIVES = { timeout: 15_000 }

beforeEach(() => {
  localStorage.clear()
  queryClient.clear()
  line = NONE
  user = buildTestUser()
  wish = DEFAULT_CHANNEL_PREFERENCES
  requests = []
  const channels = () => Response.json({ channels: [{ channel: 'line', is_on: true, ...wish }] })
  answers = {
    'GET users/me': () => Response.json(user),
    'GET organisations/me': () => Response.json(buildTestOrganisation()),
    'GET users/me/line': () => Response.json(line),
    'GET users/me/channels': channels,
    'PUT users/me/channels/line': channels,
    'GET organisations/me/line-groups': () =>
      Response.json({
        is_available: true,
        groups: [{ id: 7, connected_by: 'สมชาย', connected_at: '2026-11-20T02:00:00Z' }],
        most: 20,
      }),
    'POST users/me/line/connect': () =>
      Response.json({
        ...{ code: 'K7QF-2M9D', text: 'เชื่อมบัญชี K7QF-2M9D', address: 'https://line.me/R/oaMessage/%40042tamng/?x' },
        expires_at: new Date(getServerTime().getTime() + 600_000).toISOString(),
      }),
    'DELETE users/me/line': () => {
      line = NONE
      return new Response(null, { status: 204 })
    },
  }
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const sent = new Request(input, init)
    const call = `${sent.method} ${new URL(sent.url).pathname.replace('/api/v2/', '').replace(/\/$/, '')}`
    const text = await sent.clone().text()
    requests.push({ call, body: text === '' ? undefined : JSON.parse(text) })
    if (call.startsWith('PUT')) wish = JSON.parse(text) as ChannelPreferences
    return (answers[call] ?? (() => Response.json({ code: 'not_found' }, { status: 404 })))()
  })
  startSession(buildTestSession())
})
afterEach(() => {
  stop()
  vi.unstubAllGlobals()
})

async function open() {
  const router = createAppRouter(createMemoryHistory({ initialEntries: ['/settings?tab=notifications'] }))
  stop = startHandlingSessionEnd(router)
  render(<App router={router} />)
  await screen.findByRole('region', { name: 'อีเมล' }, ARRIVES)
}
const section = () => screen.findByRole('region', { name: 'LINE' }, ARRIVES)
const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })))
const bodies = (call: string) => requests.filter((request) => request.call === call).map(({ body }) => body)

test('shows nothing where LINE is not set up', async () => {
  line = { ...NONE, is_available: false, account: null }
  await open()
  await waitFor(() => expect(bodies('GET users/me/line')).not.toEqual([]))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'LINE' })).toBeNull())
})

test('shows the code as QR, link and text until LINE is connected', async () => {
  await open()
  await section()
  await screen.findByText('ยังไม่ได้เชื่อม')
  await press('เชื่อม LINE')
  expect(await screen.findByRole('img', { name: 'QR เปิดแชต LINE พร้อมรหัส' }, ARRIVES)).toBeInTheDocument()
  expect(screen.getByRole('link', { name: 'เปิดใน LINE' })).toHaveAttribute(
    'href',
    'https://line.me/R/oaMessage/%40042tamng/?x',
  )
  expect(screen.getByText('เชื่อมบัญชี K7QF-2M9D')).toBeInTheDocument()
  line = CONNECTED
  await act(() => queryClient.invalidateQueries({ queryKey: ['users', 'line'] }))
  expect(await screen.findByText('เชื่อมกับ LINE “สมชาย” แล้ว', {}, ARRIVES)).toBeInTheDocument()
  expect(screen.queryByText('เชื่อมบัญชี K7QF-2M9D')).toBeNull()
})

test('explains why LINE cannot be connected before first contact, and when the monthly quota is used up', async () => {
  line = { ...NONE, account: null, is_quota_out: true }
  await open()
  await section()
  expect(await screen.findByText(/กำลังติดต่อ LINE/)).toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'เชื่อม LINE' })).toBeDisabled()
  expect(screen.getByText(/ใช้ครบโควตาแล้ว/)).toBeInTheDocument()
})

test('saves kinds, filters and quiet hours at once', async () => {
  line = CONNECTED
  user = buildTestUser({
    project_save_filter_profile: [
      { id: 'f1', filterName: 'กล้องภาคใต้', isSend: true, isStart: false, filterData: { filter: {}, search: [] } },
    ],
  })
  await open()
  const box = await section()
  await act(async () =>
    fireEvent.click(await within(box).findByRole('checkbox', { name: /^โครงการที่ติดดาวหรือติดป้าย/ }, ARRIVES)),
  )
  await waitFor(() => expect(bodies('PUT users/me/channels/line')).toHaveLength(1))
  expect(wish.kinds).toContain('Updated')
  await act(async () => fireEvent.click(within(box).getByRole('checkbox', { name: 'ทั้งรายงาน' })))
  expect(await within(box).findByRole('checkbox', { name: 'กล้องภาคใต้' })).toBeChecked()
  const from = within(box).getByLabelText('ตั้งแต่')
  await act(async () => fireEvent.change(from, { target: { value: '18:30' } }))
  await act(async () => fireEvent.click(within(box).getByRole('switch', { name: /เฉพาะวันทำการ/ })))
  await waitFor(() => expect(wish).toMatchObject({ filters: ['f1'], quiet_from: '18:30', working_days_only: true }))
})

test('disconnecting asks for confirmation; groups are for super users', async () => {
  line = CONNECTED
  user = buildTestUser({ role: 'super_user' })
  await open()
  const box = await section()
  expect(await within(box).findByText(/โดย สมชาย/, {}, ARRIVES)).toBeInTheDocument()
  await press('ยกเลิกการเชื่อม')
  expect(bodies('DELETE users/me/line')).toEqual([])
  await press('ยกเลิกการเชื่อม')
  expect(await screen.findByText('ยังไม่ได้เชื่อม', {}, ARRIVES)).toBeInTheDocument()
  expect(bodies('DELETE users/me/line')).toHaveLength(1)
})
