import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { MAX_SAVED_FILTERS, type SavedFilter } from '#contract/account/saved-filter.ts'
import type { User } from '#contract/account/user.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { toFilterCriteria } from '#contract/report/saved-filter-search.ts'
import { useUser } from '#src/account/api/users.ts'
import { type ChangeNotice, setChangeNoticeListener } from '#src/api/change-notice.ts'
import { organisationKeys, reportKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { applyReportUrlPatch, type ReportUrlSearch } from '#src/lib/report-url.ts'
import { buildTestUser, startFakeUserApi, stopFakeUserApi } from '#src/report/api/user-api-for-tests.ts'
import { ToastRegion } from '#src/ui/overlay/toast-region.tsx'
import { useSavedFilters } from './use-saved-filters.tsx'

beforeAll(async () => {
  // Preload lazy code; loading it within a test would time out on a busy machine.
  await Promise.all([
    import('#src/report/saved-filters/saved-filter-dialogs.tsx'),
    import('#src/report/saved-filters/current-filter-menu.tsx'),
    import('#src/ui/overlay/modal-panel.tsx'),
  ])
}, 60_000)

const CCTV: ReportSearch = { project_name__in: 'กล้อง||CCTV' }
const ROAD: ReportSearch = { project_name__in: 'ถนน', project_budget__range: { min: 20_000_000, max: null } }
const saved = (id: string, filterName: string, search: ReportSearch, isSend = false): SavedFilter => ({
  id,
  filterName,
  isSend,
  isStart: false,
  filterData: toFilterCriteria(search),
})
const FILTERS = [saved('cctv-1', 'CCTV ภาคกลาง', CCTV, true), saved('road-2', 'งานถนน', ROAD)]

let api: ReturnType<typeof startFakeUserApi>
let news: ChangeNotice[]
let steps: ReportUrlSearch[]
beforeEach(() => {
  news = []
  steps = []
  setChangeNoticeListener((notice) => news.push(notice))
})
afterEach(stopFakeUserApi)

function Screen({ first }: { first: ReportSearch }) {
  const [search, setSearch] = useState<ReportUrlSearch>(first)
  const go = (next: ReportUrlSearch, how: 'push' | 'replace' = 'push') => {
    if (how === 'replace') steps.pop()
    steps.push(next)
    setSearch(next)
  }
  const { tabs, dialogs, context } = useSavedFilters(
    {
      search,
      change: (patch, how) => go(applyReportUrlPatch(search, patch), how),
      replaceAll: (next) => go(next),
    },
    useUser(),
    true,
  )
  return (
    <>
      {tabs}
      {dialogs}
      <button type="button" onClick={() => go(applyReportUrlPatch(search, { check_sme: true }))}>
        เปลี่ยนตัวกรอง
      </button>
      <button type="button" onClick={() => context.start({ kind: 'manage' })}>
        จัดการตัวกรองที่บันทึก
      </button>
      <ToastRegion />
    </>
  )
}

async function setUp(search: ReportSearch, change: Partial<User> = {}, organisation = 'tharamek') {
  api = startFakeUserApi(
    buildTestUser({ project_save_filter_profile: FILTERS, project_bookmark: ['1', '2'], ...change }),
    true,
  )
  queryClient.setQueryData(organisationKeys.me, { code: organisation })
  queryClient.setQueryData(reportKeys.savedFilterCounts, { counts: { 'cctv-1': { total: 31, new: 4 } } })
  steps = [search]
  render(
    <QueryClientProvider client={queryClient}>
      <Screen first={search} />
    </QueryClientProvider>,
  )
  // The code of the tabs loads when they are first rendered.
  await screen.findByRole('navigation', { name: 'ตัวกรองที่บันทึก' })
  return userEvent.setup()
}
const link = (name: string | RegExp) => screen.getByRole('link', { name })
const button = (name: string | RegExp) => screen.getByRole('button', { name })
const now = () => steps.at(-1)
const marked = () => screen.getAllByRole('link').filter((anchor) => anchor.hasAttribute('aria-current'))
const lastAction = () => api.patches.at(-1)?.patch.filter_action
const sent = (count: number) => waitFor(() => expect(api.patches).toHaveLength(count))
const menu = async (user: ReturnType<typeof userEvent.setup>) => {
  await user.click(await screen.findByRole('button', { name: /^ตัวเลือกของตัวกรอง/ }))
  const panel = within(await screen.findByRole('dialog', { name: /^ตัวกรอง/ }))
  await panel.findByRole('button', { name: 'ลบตัวกรอง' })
  return panel
}

test('shows name, mail and new count of a filter in a tab with a copyable link', async () => {
  await setUp({ page_size: 100 })
  const tab = link(/^CCTV ภาคกลาง/)
  expect(tab).toHaveTextContent('CCTV ภาคกลางส่งทางอีเมลใหม่ 4')
  expect(tab).toHaveAttribute('title', 'CCTV ภาคกลาง: 31 โครงการ ใหม่ 4')
  expect(link(/^งานถนน$/)).toBeInTheDocument()
  const address = new URLSearchParams(tab.getAttribute('href')!.split('?')[1])
  expect(Object.fromEntries(address)).toEqual({ project_name__in: 'กล้อง||CCTV', page_size: '100', saved: 'cctv-1' })
})

test('replaces filters and search in one step, and keeps order and page size', async () => {
  const user = await setUp({ check_sme: true, ordering: '-project_budget', page_size: 20, page: 4 })
  await user.click(link(/^งานถนน/))
  expect(steps).toHaveLength(2)
  expect(now()).toEqual({ ...ROAD, ordering: '-project_budget', page_size: 20, saved: 'road-2' })
  expect(marked()).toEqual([link(/^งานถนน/)])
})

test('leaves a click with a modifier key to the browser', async () => {
  const user = await setUp({})
  await user.keyboard('{Control>}')
  await user.click(link(/^งานถนน/))
  expect(steps).toHaveLength(1)
})

test('marks changed filters as modified until they are reset', async () => {
  const user = await setUp({ ...CCTV, saved: 'cctv-1' })
  expect(screen.queryByText('แก้ไขแล้ว')).toBeNull()
  await user.click(button('เปลี่ยนตัวกรอง'))
  expect(link(/^CCTV/)).toHaveTextContent('แก้ไขแล้ว')
  await user.click((await menu(user)).getByRole('button', { name: 'กลับเป็นค่าที่บันทึกไว้' }))
  expect(now()).toEqual({ ...CCTV, saved: 'cctv-1' })
  expect(screen.queryByText('แก้ไขแล้ว')).toBeNull()
})

test('overwrites a filter with the current filters, with undo', async () => {
  const user = await setUp({ ...CCTV, check_sme: true, saved: 'cctv-1' })
  await user.click(button('บันทึกทับ'))
  await sent(1)
  expect(lastAction()).toEqual({
    action: 'update',
    filter_id: 'cctv-1',
    filterData: toFilterCriteria({ ...CCTV, check_sme: true }),
  })
  await waitFor(() => expect(screen.queryByText('แก้ไขแล้ว')).toBeNull())
  const [done] = news
  expect(done).toMatchObject({ kind: 'done', text: 'บันทึกทับ “CCTV ภาคกลาง” แล้ว' })
  if (done?.kind === 'done') act(() => done.undo?.())
  await waitFor(() => expect(screen.getByText('แก้ไขแล้ว')).toBeInTheDocument())
})

test('saves filters under a name by keyboard alone, and stores the origin in the address', async () => {
  const user = await setUp({ ...ROAD, page: 3 })
  expect(marked()).toEqual([])
  button('บันทึกตัวกรอง').focus()
  await user.keyboard('{Enter}')
  const name = await screen.findByRole('textbox', { name: 'ชื่อ' })
  await waitFor(() => expect(name).toHaveFocus())
  expect(name).toHaveValue('ถนน · ตั้งแต่ 20 ล้าน')
  expect(screen.getByRole('dialog')).toHaveTextContent('งบประมาณ ตั้งแต่ 20 ล้าน')
  await user.keyboard('  ถนนใหญ่ {Tab} {Enter}')
  await sent(1)
  expect(lastAction()).toMatchObject({
    action: 'add',
    filterName: 'ถนนใหญ่',
    is_send: true,
    filterData: toFilterCriteria(ROAD),
  })
  const id = lastAction()?.filter_id
  expect(id).toMatch(/^ถนนใหญ่-\d+$/)
  expect(steps).toHaveLength(1)
  expect(now()).toEqual({ ...ROAD, page: 3, saved: id })
  await waitFor(() => expect(marked()).toEqual([link(/^ถนนใหญ่/)]))
  expect(screen.queryByRole('button', { name: /^บันทึกตัวกรอง/ })).toBeNull()
  await waitFor(() => expect(link(/^ถนนใหญ่/)).toHaveFocus())
})

test('reports a taken name before sending, and offers to overwrite', async () => {
  const user = await setUp({ check_sme: true })
  await user.click(button('บันทึกตัวกรอง'))
  const name = await screen.findByRole('textbox', { name: 'ชื่อ' })
  await user.clear(name)
  await user.type(name, ' งานถนน {Enter}')
  expect(name).toHaveAccessibleDescription('มีตัวกรองชื่อนี้แล้ว')
  expect(api.patches).toHaveLength(0)
  await user.click(button('บันทึกทับ “งานถนน”'))
  await sent(1)
  expect(lastAction()).toMatchObject({ action: 'update', filter_id: 'road-2' })
  expect(now()).toEqual({ check_sme: true, saved: 'road-2' })
})

test('requires a name', async () => {
  const user = await setUp({ check_sme: true })
  await user.click(button('บันทึกตัวกรอง'))
  const name = await screen.findByRole('textbox', { name: 'ชื่อ' })
  await user.clear(name)
  await user.click(button('บันทึก'))
  expect(name).toHaveAccessibleDescription('ตั้งชื่อตัวกรอง')
  expect(api.patches).toHaveLength(0)
})

test.each<[string, ReportSearch]>([
  ['nothing is filtered', { page_size: 20 }],
  ['nothing has changed since', { ...CCTV, saved: 'cctv-1' }],
])('shows no save button when %s', async (_, search) => {
  await setUp(search)
  expect(screen.queryByRole('button', { name: /^บันทึกตัวกรอง/ })).toBeNull()
})

test('explains why saving is blocked at the limit', async () => {
  const filters = Array.from({ length: MAX_SAVED_FILTERS }, (_, n) => saved(`f-${n}`, `ตัวที่ ${n}`, ROAD))
  const user = await setUp(CCTV, { project_save_filter_profile: filters })
  await user.click(button(/^บันทึกตัวกรอง/))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(await screen.findByText(/บันทึกครบ 30 ตัวกรองแล้ว/, { selector: 'p' })).toBeInTheDocument()
})

test('keeps the rows in view when a filter is deleted, and restores it on undo', async () => {
  const user = await setUp({ ...ROAD, saved: 'road-2' })
  await user.click((await menu(user)).getByRole('button', { name: 'ลบตัวกรอง' }))
  await waitFor(() => expect(screen.queryByRole('link', { name: /^งานถนน/ })).toBeNull())
  expect(steps).toHaveLength(1)
  expect(button('บันทึกตัวกรอง')).toBeVisible()
  const [done] = news
  if (done?.kind === 'done') act(() => done.undo?.())
  await waitFor(() => expect(marked()).toEqual([link(/^งานถนน/)]))
})

test('switches the mail of a filter, and warns while report mail is off', async () => {
  const user = await setUp({ ...ROAD, saved: 'road-2' }, { is_send_report_email: false })
  const panel = await menu(user)
  await user.click(panel.getByRole('checkbox', { name: 'ส่งทางอีเมล' }))
  await sent(1)
  expect(lastAction()).toEqual({ action: 'email_toggle', filter_id: 'road-2', is_send: true })
  expect(panel.getByText(/ปิดอีเมลรายงานทั้งหมดไว้/)).toBeInTheDocument()
  await user.click(panel.getByRole('button', { name: 'เปิดอีเมลรายงาน' }))
  await sent(2)
  expect(api.patches[1]?.patch).toEqual({ is_send_report_email: true })
})

test('disables mail in demo mode and explains why', async () => {
  const user = await setUp({ ...ROAD, saved: 'road-2' }, {}, 'demo')
  const panel = await menu(user)
  expect(panel.getByRole('checkbox', { name: 'ส่งทางอีเมล' })).toBeDisabled()
  expect(panel.getByText('บัญชีทดลองใช้งานไม่มีการส่งอีเมล')).toBeInTheDocument()
})

test('closes the menu on Esc and returns focus', async () => {
  const user = await setUp({ ...ROAD, saved: 'road-2' })
  const panel = await menu(user)
  await waitFor(() => expect(panel.getByRole('button', { name: 'บันทึกเป็นตัวกรองใหม่' })).toHaveFocus())
  await user.keyboard('{Escape}')
  await waitFor(() => expect(button(/^ตัวเลือกของตัวกรอง/)).toHaveFocus())
})

test('renames a filter, but not to the name of another', async () => {
  const user = await setUp({ ...ROAD, saved: 'road-2' })
  await user.click((await menu(user)).getByRole('button', { name: 'เปลี่ยนชื่อ' }))
  const name = await screen.findByRole('textbox', { name: 'ชื่อใหม่' })
  await user.clear(name)
  await user.type(name, 'CCTV  ภาคกลาง{Enter}')
  expect(name).toHaveAccessibleDescription(/มีตัวกรองชื่อนี้แล้ว/)
  await user.clear(name)
  await user.type(name, 'ถนนภาคใต้{Enter}')
  await sent(1)
  expect(lastAction()).toEqual({ action: 'rename', filter_id: 'road-2', filterName: 'ถนนภาคใต้' })
  await waitFor(() => expect(link(/^ถนนภาคใต้/)).toBeInTheDocument())
})

test('manages all filters in one list, and keeps focus when a row is removed', async () => {
  const user = await setUp({})
  await user.click(button('จัดการตัวกรองที่บันทึก'))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText('ชื่อโครงการ กล้อง หรือ CCTV')).toBeInTheDocument()
  await user.click(dialog.getByRole('button', { name: 'เปลี่ยนชื่อ งานถนน' }))
  await waitFor(() => expect(dialog.getByRole('textbox', { name: 'ชื่อใหม่' })).toHaveFocus())
  await user.click(dialog.getByRole('button', { name: 'ยกเลิก' }))
  expect(dialog.getByRole('button', { name: 'เปลี่ยนชื่อ งานถนน' })).toHaveFocus()
  await user.click(dialog.getByRole('button', { name: 'ลบ CCTV ภาคกลาง' }))
  await waitFor(() => expect(dialog.queryByRole('button', { name: 'ลบ CCTV ภาคกลาง' })).toBeNull())
  expect(dialog.getByRole('list', { name: 'ตัวกรองที่บันทึก' })).toHaveFocus()
  await user.click(dialog.getByRole('button', { name: 'งานถนน' }))
  expect(now()).toEqual({ ...ROAD, saved: 'road-2' })
})

test('treats a shared view as plain filters: marks no tab and allows saving', async () => {
  await setUp({ ...ROAD, saved: 'somebody-else-9' })
  expect(marked()).toEqual([])
  expect(screen.queryByText('แก้ไขแล้ว')).toBeNull()
  expect(button('บันทึกตัวกรอง')).toBeVisible()
})

test('puts an unreadable part into the address, where the page names it', async () => {
  const old = saved('old-1', 'ของเก่า', { check_sme: true })
  const filterData = { ...old.filterData, filter: { ...old.filterData.filter, provinces: { central: ['พระนคร'] } } }
  const user = await setUp({}, { project_save_filter_profile: [{ ...old, filterData }] })
  await user.click(link(/^ของเก่า/))
  expect(now()).toEqual({
    check_sme: true,
    saved: 'old-1',
    ignored: [{ name: 'project_province__in', value: 'พระนคร', reason: 'invalid' }],
  })
  expect(screen.queryByText('แก้ไขแล้ว')).toBeNull()
})
