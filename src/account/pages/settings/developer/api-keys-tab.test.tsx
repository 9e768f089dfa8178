import { createMemoryHistory } from '@tanstack/react-router'
import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ApiKeys } from '#contract/account/api-key.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { App } from '#src/app/app.tsx'
import { createAppRouter } from '#src/app/router.ts'
import { startSession } from '#src/lib/session-store.ts'
import { buildTestOrganisation } from '#src/matching/api/organisation-for-tests.ts'
import { buildTestSession, buildTestUser } from '#src/report/api/user-api-for-tests.ts'

const KEYS: ApiKeys = {
  most: 20,
  keys: [
    {
      id: 7,
      name: 'Power BI',
      scopes: ['report', 'pursuits'],
      ending: 'x9Zq',
      made_by: 'ปราณี สุข',
      is_owner_open: true,
      created_at: '2026-11-20T02:00:00Z',
      expires_at: null,
      is_over: false,
      used_at: null,
    },
  ],
}
const MADE = 'tng_made-for-the-test'

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
    'GET organisations/me/api-keys': () => Response.json(KEYS),
    'POST organisations/me/api-keys/': () => Response.json({ id: 8, key: MADE }),
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
  render(<App router={createAppRouter(createMemoryHistory({ initialEntries: ['/settings?tab=connect'] }))} />)
const press = async (name: string | RegExp) => {
  const button = await screen.findByRole('button', { name }, ARRIVES)
  await act(async () => fireEvent.click(button))
}
const type = async (label: string, value: string) =>
  fireEvent.change(await screen.findByLabelText(label, undefined, ARRIVES), { target: { value } })
const changes = () => requests.filter(({ call }) => !call.startsWith('GET ') && call.includes('api-keys'))

test('names the address for assistants', async () => {
  open()
  expect(await screen.findByText(`${location.origin}/api/mcp`, undefined, ARRIVES)).toBeInTheDocument()
})

test('creates a key, shows it once with a command, and empties the form', async () => {
  open()
  await type('ชื่อ', 'สคริปต์รายวัน')
  await press('สร้างคีย์')
  const createdNotice = (await screen.findByText(MADE, undefined, ARRIVES)).closest('[role=status]') as HTMLElement
  expect(within(createdNotice).getByText(/^curl /)).toHaveTextContent(`Authorization: Bearer ${MADE}`)
  expect(changes()).toEqual([
    {
      call: 'POST organisations/me/api-keys/',
      body: { name: 'สคริปต์รายวัน', scopes: ['report'], days: 90 },
    },
  ])
  expect(screen.getByLabelText('ชื่อ')).toHaveValue('')
})

test('shows missing fields and server refusals at the fields', async () => {
  answers['POST organisations/me/api-keys/'] = () =>
    Response.json({ non_field_errors: ['x'], name: ['ชื่อนี้ใช้ไม่ได้'] }, { status: 400 })
  open()
  await press('สร้างคีย์')
  expect(await screen.findByText('ตั้งชื่อให้รู้ว่าโปรแกรมไหนใช้คีย์นี้')).toBeInTheDocument()
  expect(changes()).toEqual([])
  await type('ชื่อ', 'x')
  await press('สร้างคีย์')
  expect(await screen.findByText('ชื่อนี้ใช้ไม่ได้')).toBeInTheDocument()
  expect(screen.getByLabelText('ชื่อ')).toHaveValue('x')
})

test('lists keys with their ending and last use, and revokes one after confirmation', async () => {
  open()
  const list = await screen.findByRole('region', { name: 'คีย์ที่มีอยู่' }, ARRIVES)
  expect(list).toHaveTextContent('tng_…x9Zq')
  expect(list).toHaveTextContent('อ่าน รายงานโครงการ, งานของเรา · ยังไม่มีโปรแกรมใช้')
  await press('ยกเลิกคีย์ Power BI')
  expect(changes()).toEqual([])
  await press('ยกเลิกคีย์')
  expect(changes()).toEqual([{ call: 'DELETE organisations/me/api-keys/7/', body: undefined }])
})

test('is hidden from members', async () => {
  role = 'member_user'
  open()
  await screen.findByRole('tab', { name: 'โปรไฟล์' }, ARRIVES)
  expect(screen.queryByRole('tab', { name: 'คีย์ API' })).toBeNull()
})
