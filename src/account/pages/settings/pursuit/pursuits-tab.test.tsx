import { createMemoryHistory } from '@tanstack/react-router'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  DEFAULT_PURSUIT_CHECKLIST,
  DEFAULT_PURSUIT_STAGES,
  type PursuitSettings,
} from '#contract/account/pursuit-settings.ts'
import type { User } from '#contract/account/user.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { App } from '#src/app/app.tsx'
import { createAppRouter } from '#src/app/router.ts'
import { startSession } from '#src/lib/session-store.ts'
import { buildTestOrganisation } from '#src/matching/api/organisation-for-tests.ts'
import { buildTestSession, buildTestUser } from '#src/report/api/user-api-for-tests.ts'

let settings: PursuitSettings
let user: User
let sent: object[]
let refusal: string | undefined

beforeEach(() => {
  localStorage.clear()
  queryClient.clear()
  sent = []
  refusal = undefined
  user = { ...buildTestUser(), role: 'super_user' }
  const roles = ['super_user', 'member_user']
  settings = {
    stages: [...DEFAULT_PURSUIT_STAGES],
    template: [...DEFAULT_PURSUIT_CHECKLIST],
    price_roles: roles,
    sees_price: true,
    labels: [],
    members: [],
  }
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const call = new Request(input, init)
    const path = new URL(call.url).pathname
    if (path.includes('users/me')) return Response.json(user)
    if (path.includes('organisations/me')) return Response.json(buildTestOrganisation())
    if (call.method !== 'PATCH') return Response.json(settings)
    const patch = (await call.json()) as Partial<PursuitSettings>
    sent.push(patch)
    if (refusal) return Response.json({ stages: [refusal], non_field_errors: [] }, { status: 400 })
    settings = { ...settings, ...patch }
    return Response.json(settings)
  })
  startSession(buildTestSession())
})
afterEach(() => vi.unstubAllGlobals())

async function open() {
  const router = createAppRouter(createMemoryHistory({ initialEntries: ['/settings?tab=team&part=stages'] }))
  render(<App router={router} />)
  return userEvent.setup()
}
const opened = () => screen.findByRole('textbox', { name: 'ชื่อขั้นที่ 1' }, { timeout: 10_000 })

test('renames, moves and adds a stage; one in use stays and shows why', async () => {
  const doer = await open()
  await doer.clear(await opened())
  expect(screen.getByText('ตั้งชื่อทุกขั้นก่อน')).toBeInTheDocument()
  await doer.type(screen.getByRole('textbox', { name: 'ชื่อขั้นที่ 1' }), 'เลือกไว้')
  await doer.click(screen.getByRole('button', { name: 'เลื่อน ตัดสินใจ ขึ้น' }))
  await doer.click(screen.getByRole('button', { name: 'เพิ่มขั้น' }))
  await doer.type(screen.getByRole('textbox', { name: 'ชื่อขั้นที่ 9' }), 'อุทธรณ์')
  await doer.click(screen.getByRole('button', { name: 'บันทึกขั้น' }))
  await waitFor(() => expect(sent).toHaveLength(1))
  const names = (sent[0] as PursuitSettings).stages.map(({ name }) => name)
  expect(names.slice(0, 3)).toEqual(['เลือกไว้', 'ตัดสินใจ', 'รอราคา'])
  expect(names.at(-1)).toBe('อุทธรณ์')
  refusal = 'ขั้น “รอราคา” ยังมีงานอยู่ ย้ายงานออกก่อน'
  await doer.click(await screen.findByRole('button', { name: 'ลบขั้น รอราคา' }))
  await doer.click(screen.getByRole('button', { name: 'บันทึกขั้น' }))
  expect(await screen.findByText(refusal)).toBeInTheDocument()
})

test('edits the checklist as one item per line, and saves price visibility at once', async () => {
  const doer = await open()
  await opened()
  const field = screen.getByRole('textbox', { name: /รายการตรวจตั้งต้น/ })
  await doer.type(field, '{Enter}ใบเสนอราคา{Enter}')
  await doer.click(screen.getByRole('button', { name: 'บันทึกรายการตรวจ' }))
  await waitFor(() => expect(sent).toEqual([{ template: [...DEFAULT_PURSUIT_CHECKLIST, 'ใบเสนอราคา'] }]))
  await doer.click(screen.getByRole('checkbox', { name: 'Member User' }))
  await waitFor(() => expect(sent.at(-1)).toEqual({ price_roles: ['super_user'] }))
})

test('is hidden from members', async () => {
  user = { ...user, role: 'member_user' }
  await open()
  const tabs = await screen.findByRole('tablist', undefined, { timeout: 10_000 })
  expect(within(tabs).queryByRole('tab', { name: 'งานของเรา' })).toBeNull()
})
