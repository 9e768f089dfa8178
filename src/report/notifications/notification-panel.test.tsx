import { QueryClientProvider } from '@tanstack/react-query'
import {
  type AnyRouter,
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { Notification, NotificationPatch } from '#contract/account/notification.ts'
import { useUser } from '#src/account/api/users.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { buildTestUser, startFakeUserApi, stopFakeUserApi } from '#src/report/api/user-api-for-tests.ts'
import { NotificationBell } from './notification-bell.tsx'
import { buildTestNotification } from './notification-for-tests.ts'
import { NotificationPanel } from './notification-panel.tsx'

const TODAY = '2026-11-21'
let api: ReturnType<typeof startFakeUserApi>
let router: AnyRouter
afterEach(() => {
  stopFakeUserApi()
  vi.restoreAllMocks()
})

function Header() {
  const user = useUser()
  return (
    <NotificationBell status={user.notification_updated_status} preload={() => undefined}>
      {(close) => <NotificationPanel user={user} today={TODAY} onClose={close} />}
    </NotificationBell>
  )
}

async function setUp(notifications: readonly Notification[], { clickRead = false, opens = true } = {}) {
  api = startFakeUserApi(
    buildTestUser({ notification_updated_status: { clickRead, notifications: [...notifications] } }),
    true,
  )
  const root = createRootRoute()
  const page = createRoute({
    getParentRoute: () => root,
    path: '$',
    component: () => (
      <QueryClientProvider client={queryClient}>
        <Header />
      </QueryClientProvider>
    ),
  })
  router = createRouter({
    routeTree: root.addChildren([page]),
    history: createMemoryHistory({ initialEntries: ['/watch'] }),
  })
  await router.load()
  // The router type registered globally is the app's, so cast the test's router.
  render(<RouterProvider router={router as never} />)
  const user = userEvent.setup()
  if (opens) await user.click(bell())
  return user
}

const bell = () => screen.getByRole('button', { name: /^การแจ้งเตือน/ })
const hasDot = () => bell().getAttribute('aria-label') === 'การแจ้งเตือน มีรายการใหม่'
const list = () => screen.getByRole('tabpanel')
const sent = () => api.patches.map(({ patch }) => patch.notification_updated_status)
const cleared = () => sent().filter((patch: NotificationPatch | undefined) => patch?.clickRead === false).length
const isRead = () => api.user.notification_updated_status.notifications.map(({ read }) => read)

const FIRST = buildTestNotification({ id: '12', project_id: '69119000002', detail: 'จ้างก่อสร้างถนน' })
const SECOND = buildTestNotification({
  id: '11',
  type: 'Submission_date_end',
  due_date: '2026-11-28',
  date_created: '2026-11-19T18:00:00Z',
})
const THIRD = buildTestNotification({
  id: '10',
  read: true,
  type: 'Discussion_date_end',
  due_date: '2026-11-21',
  project_id: '69119000003',
  detail: 'ซื้อครุภัณฑ์',
  date_created: '2026-11-14T02:00:00Z',
})

// Specification section 4: opening the popover with unread items sets clickRead to false; the dot requires clickRead
// and at least one notification.
test.each([
  { clickRead: true, unread: 1, read: 0, dot: true, clears: 1, dotAfter: false },
  { clickRead: true, unread: 1, read: 1, dot: true, clears: 1, dotAfter: false },
  { clickRead: true, unread: 0, read: 1, dot: true, clears: 0, dotAfter: true },
  { clickRead: true, unread: 0, read: 0, dot: false, clears: 0, dotAfter: false },
  { clickRead: false, unread: 1, read: 0, dot: false, clears: 0, dotAfter: false },
  { clickRead: false, unread: 0, read: 1, dot: false, clears: 0, dotAfter: false },
  { clickRead: false, unread: 0, read: 0, dot: false, clears: 0, dotAfter: false },
])(
  'opening with clickRead $clickRead, $unread unread and $read read: dot $dot, cleared $clears times, then dot $dotAfter',
  async ({ clickRead, unread, read, dot, clears, dotAfter }) => {
    const notifications = [...(unread ? [FIRST] : []), ...(read ? [THIRD] : [])]
    const user = await setUp(notifications, { clickRead, opens: false })
    expect(hasDot()).toBe(dot)
    await user.click(bell())
    await screen.findByRole('tabpanel')
    expect(hasDot()).toBe(dotAfter)
    expect(cleared()).toBe(clears)
    await user.keyboard('{Escape}')
    await user.click(bell())
    expect(cleared()).toBe(clears)
  },
)

test('does not resend a refused clear request', async () => {
  const user = await setUp([FIRST], { clickRead: true, opens: false })
  api.answersAtOnce = false
  await user.click(bell())
  await waitFor(() => expect(api.patches).toHaveLength(1))
  await act(async () => api.patches[0]!.refuse(500))
  await waitFor(() => expect(hasDot()).toBe(true))
  expect(api.patches).toHaveLength(1)
})

test('clears the dot for items that arrive while open, and lists them without moving focus', async () => {
  await setUp([SECOND])
  const focused = document.activeElement
  expect(focused).toHaveAttribute('href', '/report/69119000001')
  const group = { clickRead: true, notifications: [FIRST, SECOND] }
  api.user = { ...api.user, notification_updated_status: group }
  await act(() => queryClient.invalidateQueries())
  await waitFor(() => expect(within(list()).getAllByRole('link')).toHaveLength(2))
  await waitFor(() => expect(hasDot()).toBe(false))
  expect(focused).toHaveFocus()
})

test('shows text, project and time of an item; its link opens a new tab and marks it read', async () => {
  const user = await setUp([FIRST, SECOND, THIRD])
  expect(screen.getByText('ยังไม่อ่าน 2')).toBeInTheDocument()
  const item = within(list()).getByRole('link', { name: /69119000001/ })
  expect(item).toHaveTextContent('ยื่นข้อเสนอ เหลือ 7 วัน')
  expect(item).toHaveTextContent('ซื้อกล้องวงจรปิด')
  // 18:00 UTC is the next day in Bangkok.
  expect(item).toHaveTextContent('20/11/2569')
  expect(item).toHaveAttribute('href', '/report/69119000001')
  expect(item).toHaveAttribute('target', '_blank')
  expect(item.getAttribute('rel')).toContain('noopener')
  await user.click(item)
  await waitFor(() => expect(isRead()).toEqual([false, true, true]))
  expect(screen.getByText('ยังไม่อ่าน 1')).toBeInTheDocument()
  expect(sent()).toEqual([{ notifications: [{ id: '11', read: true }] }])
  await user.click(item)
  expect(api.patches).toHaveLength(1)
  fireEvent(
    within(list()).getByRole('link', { name: /69119000002/ }),
    new MouseEvent('auxclick', { button: 1, bubbles: true }),
  )
  await waitFor(() => expect(isRead()).toEqual([true, true, true]))
})

test.each(['(max-width: 47.99rem)', '(display-mode: standalone)'])(
  'opens a notification in the same tab at %s, marks it read and closes',
  async (media) => {
    const realMatchMedia = window.matchMedia
    vi.spyOn(window, 'matchMedia').mockImplementation((query) => {
      const list = realMatchMedia(query)
      return query.includes(media) ? Object.defineProperty(list, 'matches', { value: true }) : list
    })
    const user = await setUp([FIRST, SECOND])
    const item = within(list()).getByRole('link', { name: /69119000001/ })
    expect(item).not.toHaveAttribute('target')
    await user.click(item)
    await waitFor(() => expect(router.state.location.pathname).toBe('/report/69119000001'))
    await waitFor(() => expect(isRead()).toEqual([false, true]))
    // The popover stays until its transition ends.
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  },
)

test('marks all as read, except items that arrived meanwhile', async () => {
  const user = await setUp([FIRST, SECOND, THIRD])
  const newer = buildTestNotification({ id: '13', project_id: '69119000004' })
  const { notification_updated_status: group } = api.user
  api.user = { ...api.user, notification_updated_status: { ...group, notifications: [newer, ...group.notifications] } }
  await user.click(screen.getByRole('button', { name: 'ทำเป็นอ่านแล้ว' }))
  await waitFor(() => expect(isRead()).toEqual([false, true, true, true]))
  expect(sent()).toEqual([{ read_up_to: '12' }])
})

test('sends nothing when all items are read', async () => {
  const user = await setUp([THIRD])
  expect(screen.getByText('อ่านครบแล้ว')).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'ทำเป็นอ่านแล้ว' }))
  expect(api.patches).toHaveLength(0)
})

test('shows four tabs, each with its own list and empty text', async () => {
  const user = await setUp([FIRST])
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['ทั้งหมด', 'อัปเดต', 'ช่วงวิจารณ์', 'วันยื่นข้อเสนอ'])
  await user.click(screen.getByRole('tab', { name: 'อัปเดต' }))
  expect(within(list()).getAllByRole('link')).toHaveLength(1)
  await user.click(screen.getByRole('tab', { name: 'ช่วงวิจารณ์' }))
  expect(list()).toHaveTextContent('ไม่มีโครงการที่ช่วงวิจารณ์ใกล้สิ้นสุด')
  await user.keyboard('{ArrowRight}')
  expect(list()).toHaveTextContent('ไม่มีโครงการที่ใกล้วันยื่นข้อเสนอ')
})

test('explains without any notification how to get some', async () => {
  await setUp([])
  expect(list()).toHaveTextContent('ยังไม่มีการแจ้งเตือน')
  expect(list()).toHaveTextContent('ติดดาว')
  expect(within(list()).getByRole('link', { name: 'ไปเลือกโครงการติดดาว' })).toHaveAttribute('href', '/report')
  expect(screen.queryByRole('button', { name: 'ทำเป็นอ่านแล้ว' })).toBeNull()
})

test('strikes through a changed date and groups items of a project under its name', async () => {
  await setUp([
    buildTestNotification({ id: '3', type: 'Submission_date_end', due_date: '2026-11-26' }),
    buildTestNotification({ id: '2', type: 'Submission_date_end', due_date: '2026-11-24', outdated: true }),
  ])
  expect(within(list()).getAllByText('ซื้อกล้องวงจรปิด', { selector: 'span' })).toHaveLength(1)
  expect(screen.getByText('ยื่นข้อเสนอถึง 24 พ.ย. 2569').tagName).toBe('S')
  expect(screen.getByText('ยื่นข้อเสนอ เหลือ 5 วัน').tagName).not.toBe('S')
  expect(screen.getAllByRole('button', { name: /^ติดดาว/ })).toHaveLength(1)
})

test('shows the old and new value of an update in one line', async () => {
  const change = (field: string, old: string, now: string) => ({
    field,
    old,
    new: now,
    seen_at: '2026-11-21T02:00:00Z',
  })
  await setUp([
    buildTestNotification({
      changes: [change('budget', '100', '200'), change('submission_end_date', '2026-11-25', '2026-12-02')],
    }),
  ])
  const item = within(list()).getByRole('link')
  expect(item).toHaveTextContent(/เดิม 25 พ.ย. 2569 → เป็น 2 ธ.ค. 2569\+1 และอีก 1 รายการ/)
})

test('downloads a finished file and marks it as read', async () => {
  const user = await setUp([
    buildTestNotification({ type: 'Export_ready', project_id: null, export_id: 'e7', detail: 'REPORT_20261121.xlsx' }),
  ])
  await user.click(within(list()).getByRole('button', { name: /REPORT_20261121.xlsx/ }))
  await waitFor(() => expect(api.paths.filter((path) => path.includes('e7'))).toEqual(['GET projects/exports/e7']))
  await waitFor(() => expect(isRead()).toEqual([true]))
})

test('moves through the list by arrow keys, also from a star; Esc returns focus to the bell', async () => {
  const user = await setUp([FIRST, SECOND, THIRD])
  const items = within(list()).getAllByRole('link')
  expect(items[0]).toHaveFocus()
  await user.keyboard('{ArrowDown}')
  expect(items[1]).toHaveFocus()
  await user.keyboard('{End}')
  expect(items[2]).toHaveFocus()
  await user.keyboard('{ArrowDown}')
  expect(items[2]).toHaveFocus()
  await user.keyboard('{Home}{Tab}')
  expect(screen.getByRole('button', { name: 'ติดดาว จ้างก่อสร้างถนน' })).toHaveFocus()
  await user.keyboard('{ArrowDown}')
  expect(items[1]).toHaveFocus()
  await user.keyboard('{ArrowUp}{ArrowUp}')
  expect(items[0]).toHaveFocus()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(isRead()).toEqual([true, false, true]))
  screen.getByRole('tab', { name: 'ทั้งหมด' }).focus()
  await user.keyboard('{ArrowDown}')
  expect(items[0]).toHaveFocus()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(bell()).toHaveFocus())
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})
