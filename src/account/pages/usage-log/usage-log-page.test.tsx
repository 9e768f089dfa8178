import { createMemoryHistory } from '@tanstack/react-router'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { UsageLogPageResponse } from '#contract/account/usage-log.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { App } from '#src/app/app.tsx'
import { createAppRouter } from '#src/app/router.ts'
import { endSession, startSession } from '#src/lib/session-store.ts'
import { buildTestOrganisation } from '#src/matching/api/organisation-for-tests.ts'
import { buildTestSession, buildTestUser } from '#src/report/api/user-api-for-tests.ts'
import { chooseOption } from '../../../../test/choose-option.ts'

const ARRIVES = { timeout: 15_000 }
const LOGS = 'organisations/me/logs'

const PAGE: UsageLogPageResponse = {
  links: { next: null, previous: null },
  total_project: 12,
  page: 1,
  page_size: 10,
  results: [
    {
      id: 2,
      user: 'กฤตภาส วงศ์สายหมอก',
      type: 'keyword',
      description: 'แก้ไขรายการติดตาม',
      datetime: '2026-11-21T05:00:05.000Z',
      additional_info: [
        { name: 'ลบ · คำที่ไม่รวม', value: 'ยางรถ' },
        { name: 'เพิ่ม · คำที่ต้องมี', value: 'กล้อง' },
      ],
    },
    {
      id: 1,
      user: null,
      type: 'session',
      description: 'เข้าสู่ระบบ',
      datetime: '2026-11-20T17:30:00.000Z',
      additional_info: [],
    },
  ],
  users: [{ id: 7, name: 'กฤตภาส วงศ์สายหมอก' }],
  first_at: '2026-11-01T00:00:00.000Z',
  ignored_parameters: [],
}

let network: ReturnType<typeof startFakeNetwork>
let answer: object

beforeAll(async () => {
  await Promise.all([import('./usage-log-page.tsx'), import('#src/routes/layout/app-layout.tsx')])
}, 60_000)
beforeEach(() => {
  answer = PAGE
  network = startFakeNetwork(({ path }) => {
    if (path === 'users/me') return { ...buildTestUser(), role: 'super_user' }
    if (path === 'organisations/me') return buildTestOrganisation()
    return path === LOGS ? answer : undefined
  })
  startSession({ ...buildTestSession(), receivedAtMs: 1_000_000 })
})
afterEach(() => {
  endSession('logout')
  stopFakeNetwork()
  vi.unstubAllGlobals()
})

const lastQuery = () => Object.fromEntries(network.to(LOGS).at(-1)!.query)

async function open(address = '/logs') {
  const router = createAppRouter(createMemoryHistory({ initialEntries: [address] }))
  render(<App router={router} />)
  await waitFor(() => expect(document.querySelector('h1')).toHaveTextContent('ประวัติการใช้งาน'), ARRIVES)
  return router
}
const table = () => screen.findByRole('table', {}, ARRIVES)

test('each row shows the time to the second in the Buddhist era, the user, and the change', async () => {
  await open()
  const [, first, second] = within(await table()).getAllByRole('row')
  expect(within(first!).getByRole('rowheader')).toHaveTextContent('21/11/2569 12:00:05')
  expect(
    within(first!)
      .getAllByRole('cell')
      .slice(0, 2)
      .map((cell) => cell.textContent),
  ).toEqual(['กฤตภาส วงศ์สายหมอก', 'คำติดตาม'])
  await userEvent.click(within(first!).getByText(/แก้ไขรายการติดตาม/))
  expect(within(first!).getByText('ยางรถ')).toBeVisible()
  expect(second).toHaveTextContent('21/11/2569 00:30:00')
  expect(screen.getByText('12')).toBeVisible()
})

test('filters and pages are part of the address and of the request', async () => {
  const user = userEvent.setup()
  const router = await open('/logs?page=2')
  await table()
  await chooseOption('ผู้ใช้', 'กฤตภาส วงศ์สายหมอก')
  await waitFor(() => expect(router.state.location.search).toEqual({ user: '7' }))
  await user.type(screen.getByLabelText('ตั้งแต่วันที่'), '1/11/2569{Enter}')
  await waitFor(() => expect(lastQuery()).toEqual({ user: '7', date__range: '2026-11-01,' }))
  await user.type(screen.getByLabelText('ค้นหา'), 'กล้อง{Enter}')
  await waitFor(() => expect(lastQuery()).toMatchObject({ q: 'กล้อง', user: '7' }))
})

test('an invalid day is reported at its field and filters nothing', async () => {
  const user = userEvent.setup()
  const router = await open()
  await table()
  await user.type(screen.getByLabelText('ถึงวันที่'), '31/2/2569{Enter}')
  expect(screen.getByLabelText('ถึงวันที่')).toBeInvalid()
  expect(router.state.location.search).toEqual({})
})

test('no matches offers to clear the filter; an empty log explains itself', async () => {
  answer = { ...PAGE, total_project: 0, results: [] }
  const router = await open('/logs?type=export')
  expect(await screen.findByText('ไม่มีการใช้งานที่ตรงกับตัวกรองนี้', {}, ARRIVES)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'ล้างตัวกรอง' }))
  await waitFor(() => expect(router.state.location.search).toEqual({}))
  expect(await screen.findByText('ยังไม่มีการใช้งานที่บันทึกไว้')).toBeVisible()
})

test('a failed export can be retried; a running one can be cancelled', async () => {
  const user = userEvent.setup()
  await open()
  await table()
  let fetched = 0
  vi.stubGlobal('fetch', (input: RequestInfo, init?: RequestInit) => {
    const { signal } = new Request(input, init)
    fetched += 1
    if (fetched === 1) return Promise.resolve(Response.json({ code: 'unavailable' }, { status: 503 }))
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  })
  await user.click(screen.getByRole('button', { name: 'ส่งออก Excel' }))
  await user.click(await screen.findByRole('button', { name: 'ลองใหม่' }, ARRIVES))
  await user.click(await screen.findByRole('button', { name: 'ยกเลิก' }))
  expect(await screen.findByRole('button', { name: 'ส่งออก Excel' })).toBeEnabled()
  expect(fetched).toBe(2)
})
