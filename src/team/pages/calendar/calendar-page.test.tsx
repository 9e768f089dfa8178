import { createMemoryHistory } from '@tanstack/react-router'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Calendar, CalendarEvent } from '#contract/team/calendar.ts'
import { calendarKeys } from '#src/api/http/keys.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { App } from '#src/app/app.tsx'
import { createAppRouter } from '#src/app/router.ts'
import { endSession, startSession } from '#src/lib/session-store.ts'
import { buildTestOrganisation } from '#src/matching/api/organisation-for-tests.ts'
import { buildTestSession, buildTestUser } from '#src/report/api/user-api-for-tests.ts'

const ARRIVES = { timeout: 15_000 }

const event = (day: string, project_id: string, kind: CalendarEvent['kind'], more: Partial<CalendarEvent> = {}) => ({
  id: `${project_id}-${kind}`,
  project_id,
  kind,
  day,
  time: null,
  is_estimate: false,
  basis: 'ตามประกาศของหน่วยงาน',
  is_cancelled: false,
  ...more,
})
const CALENDAR: Calendar = {
  from: '2026-11-30',
  to: '2027-02-14',
  events: [
    event('2026-12-04', '1', 'question', { is_estimate: true }),
    event('2026-12-09', '1', 'submission', { time: { from: '09:00', to: '12:00' } }),
    event('2026-12-09', '2', 'submission', { is_cancelled: true }),
    event('2027-01-12', '3', 'contract_end'),
  ],
  projects: ['1', '2', '3'].map((project_id) => ({
    project_id,
    name: `ซื้อกล้องวงจรปิด ${project_id}`,
    dept_name: 'เทศบาล',
    dept_sub_name: 'กองช่าง',
    province: 'ระยอง',
    budget: 2_150_000,
    is_starred: true,
    decision: project_id === '1' ? ('bid' as const) : null,
    owner: project_id === '1' ? 'กฤตภาส วงศ์สายหมอก' : null,
  })),
  is_cut: false,
}

let network: ReturnType<typeof startFakeNetwork>
let stars: string[]

beforeAll(async () => {
  await Promise.all([import('./calendar-page.tsx'), import('#src/routes/layout/app-layout.tsx')])
}, 60_000)
beforeEach(() => {
  stars = ['1', '2', '3']
  network = startFakeNetwork(({ path, query }) => {
    if (path === 'users/me') return { ...buildTestUser(), project_bookmark: stars }
    if (path === 'organisations/me') return buildTestOrganisation()
    return path === 'calendar' && query.get('saved') === null
      ? stars.length === 0
        ? { ...CALENDAR, events: [], projects: [] }
        : CALENDAR
      : undefined
  })
  startSession({ ...buildTestSession(), receivedAtMs: 1_000_000 })
})
afterEach(() => {
  endSession('logout')
  stopFakeNetwork()
  vi.restoreAllMocks()
})

async function open(address: string) {
  const router = createAppRouter(createMemoryHistory({ initialEntries: [address] }))
  render(<App router={router} />)
  await waitFor(() => expect(document.querySelector('h1')).toHaveTextContent('ปฏิทิน'), ARRIVES)
  return router
}
const cell = (name: RegExp) => screen.findByRole('gridcell', { name }, ARRIVES)

test('shows the days of a month with their events, and the list of the selected day', async () => {
  await open('/calendar?day=2026-12-09')
  expect(await cell(/^พุธ 9 ธ\.ค\. 2569 ยื่นข้อเสนอ 1$/)).toHaveAttribute('aria-selected', 'true')
  expect(await cell(/^จันทร์ 7 ธ\.ค\. 2569 ชดเชยวันพ่อแห่งชาติ ไม่มีกำหนด$/)).toBeVisible()
  const day = screen.getByRole('region', { name: 'กำหนดของพุธ 9 ธ.ค. 2569' })
  expect(within(day).getByText('09:00–12:00 น.')).toBeVisible()
  expect(within(day).getByRole('link', { name: 'ซื้อกล้องวงจรปิด 1' })).toHaveAttribute('href', '/report/1')
  expect(within(day).getByText('ยกเลิกแล้ว')).toBeVisible()
})

test('moves the day by keys, opens its list on Enter, and sends one request per month', async () => {
  const user = userEvent.setup()
  const router = await open('/calendar?day=2026-12-09')
  const selected = await cell(/^พุธ 9/)
  const requestCount = network.to('calendar').length
  selected.focus()
  await user.keyboard('{ArrowRight}{ArrowDown}')
  await waitFor(() => expect(router.state.location.search).toEqual({ day: '2026-12-17' }))
  await waitFor(() => expect(document.activeElement).toHaveAttribute('data-day', '2026-12-17'))
  expect(network.to('calendar')).toHaveLength(requestCount)
  await user.keyboard('{PageDown}')
  await waitFor(() => expect(router.state.location.search).toEqual({ day: '2027-01-17' }))
  await waitFor(() => expect(document.activeElement).toHaveAttribute('data-day', '2027-01-17'))
  await waitFor(() => expect(network.to('calendar')).toHaveLength(requestCount + 1))
  expect(network.to('calendar').at(-1)!.query.get('date__range')).toBe('2026-12-28,2027-03-14')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(screen.getByRole('heading', { name: 'อาทิตย์ 17 ม.ค. 2570' })).toHaveFocus())
})

test('stores kinds in the address, and lists deadlines, holidays and estimates', async () => {
  const user = userEvent.setup()
  const router = await open('/calendar?view=agenda&day=2026-12-01')
  const panel = await screen.findByRole('tabpanel', { name: 'ปฏิทิน' }, ARRIVES)
  expect(within(panel).getByText('คำนวณ')).toBeVisible()
  expect(within(panel).getByText(/จันทร์ 7 ธ\.ค\. · ชดเชยวันพ่อแห่งชาติ/)).toBeVisible()
  expect(screen.getByText(/ระบบนับเองตามข้อกฎหมาย/)).toBeVisible()
  await user.click(screen.getByRole('button', { name: /สิ้นสุดสัญญา/ }))
  await waitFor(() => expect(router.state.location.search).toMatchObject({ kind: 'contract_end' }))
  expect(
    within(panel)
      .getAllByRole('link')
      .map(({ textContent }) => textContent),
  ).toEqual(['ซื้อกล้องวงจรปิด 3'])
})

test('explains what to do without starred projects', async () => {
  stars = []
  await open('/calendar')
  expect(await screen.findByText('ยังไม่มีโครงการที่ติดตามวัน', {}, ARRIVES)).toBeVisible()
  expect(screen.getByRole('link', { name: 'ไปติดดาวในรายงาน' })).toBeVisible()
})

test('names an unreadable part of the address, and explains a failure', async () => {
  await open('/calendar?day=31&saved=gone')
  expect(await screen.findByText(/วัน “31”/, {}, ARRIVES)).toBeVisible()
  network.to('calendar').at(-1)!.answer({ code: 'not_found' }, 404)
  expect(await screen.findByText('ไม่มีตัวกรองที่บันทึกนี้แล้ว', {}, ARRIVES)).toBeVisible()
})

test('keeps the calendar with a notice when it cannot be refetched, but not without its saved filter', async () => {
  await open('/calendar?day=2026-12-09&saved=mine')
  const refetch = async (body: object, status: number) => {
    const count = network.to('calendar').length
    void queryClient.invalidateQueries({ queryKey: calendarKeys.all })
    await waitFor(() => expect(network.to('calendar')).toHaveLength(count + 1), ARRIVES)
    network.to('calendar').at(-1)!.answer(body, status)
  }
  network.to('calendar').at(-1)!.answer(CALENDAR)
  await cell(/^พุธ 9/)
  expect(screen.getByText(/กำหนด · วันทำการ/)).toBeVisible()
  await refetch({ non_field_errors: ['ปิดปรับปรุง'] }, 400)
  expect(await screen.findByText('โหลดปฏิทินใหม่ไม่สำเร็จ ที่เห็นเป็นของเดิม', {}, ARRIVES)).toBeVisible()
  await cell(/^พุธ 9/)
  await refetch({ code: 'not_found' }, 404)
  expect(await screen.findByText('ไม่มีตัวกรองที่บันทึกนี้แล้ว', {}, ARRIVES)).toBeVisible()
  expect(screen.queryByRole('gridcell')).toBeNull()
  expect(screen.queryByText(/กำหนด · วันทำการ/)).toBeNull()
})

test('applies report filters as removable chips, and drops them for another choice', async () => {
  const user = userEvent.setup()
  const router = await open('/calendar?day=2026-12-09&project_name__in=กล้อง&check_sme=true')
  await cell(/^พุธ 9/)
  const list = screen.getByRole('list', { name: 'ตัวกรองจากรายงาน' })
  expect(within(list).getAllByRole('listitem')).toHaveLength(2)
  expect(network.to('calendar').at(-1)!.query.get('project_name__in')).toBe('กล้อง')
  expect(screen.getByRole('link', { name: 'ดูเป็นตาราง' })).toHaveAttribute(
    'href',
    expect.stringContaining('check_sme=true'),
  )
  await user.click(within(list).getAllByRole('button', { name: /^เอาตัวกรอง/ })[0]!)
  await waitFor(() => expect(Object.keys(router.state.location.search)).toHaveLength(2))
  await user.click(screen.getByRole('button', { name: /โครงการ/ }))
  await user.click(await screen.findByRole('option', { name: 'ที่ติดดาว' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ day: '2026-12-09', of: 'starred' }))
})
