import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { buildLabelMetadata } from '#contract/account/label.ts'
import type { User } from '#contract/account/user.ts'
import { type ChangeNotice, setChangeNoticeListener } from '#src/api/change-notice.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { buildTestUser, startFakeUserApi, stopFakeUserApi } from '#src/report/api/user-api-for-tests.ts'
import { LabelButton, LabelPanelHost, openLabelPicker } from './label-panel.tsx'

const ROAD = { id: 'road', name: 'งานถนน', color: 'sky' }
const CAMERA = { id: 'camera', name: 'กล้อง CCTV', color: 'amber' }
const news: ChangeNotice[] = []
let api: ReturnType<typeof startFakeUserApi>

function setUp(change: Partial<User> = {}, projectIds = ['1']) {
  const user = buildTestUser({
    project_labels: [ROAD, CAMERA],
    project_label_assignments: { '1': ['road'] },
    ...change,
  })
  api = startFakeUserApi(user, true)
  const keysOfThePage = vi.fn()
  document.addEventListener('keydown', keysOfThePage)
  render(
    <QueryClientProvider client={queryClient}>
      <LabelButton projectIds={projectIds} name="จ้างก่อสร้างถนน" />
      <LabelPanelHost />
    </QueryClientProvider>,
  )
  return { keysOfThePage }
}
beforeEach(() => {
  news.length = 0
  setChangeNoticeListener((notice) => news.push(notice))
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (media) => ({ matches: true, media, addEventListener() {}, removeEventListener() {} }) as unknown as MediaQueryList,
  )
})
afterEach(() => {
  stopFakeUserApi()
  vi.restoreAllMocks()
})

const button = () => screen.getByRole('button', { name: 'ป้าย จ้างก่อสร้างถนน' })
const open = async () => {
  await userEvent.click(button())
  return within(await screen.findByRole('dialog', { name: 'ป้ายกำกับ' }, { timeout: 10_000 }))
}
const box = (name: string) => screen.getByRole('checkbox', { name })
const list = () => screen.getByRole('group', { name: 'ป้ายของโครงการ' })
const assigned = () => api.user.project_label_assignments

test('shows which labels the project has and toggles them', async () => {
  setUp()
  await open()
  expect(button()).toHaveAttribute('aria-expanded', 'true')
  expect(box('งานถนน')).toBeChecked()
  expect(box('กล้อง CCTV')).not.toBeChecked()
  await userEvent.click(box('กล้อง CCTV'))
  await vi.waitFor(() => expect(assigned()).toEqual({ '1': ['road', 'camera'] }))
  expect(news).toEqual([])
  await userEvent.click(box('งานถนน'))
  await vi.waitFor(() => expect(assigned()).toEqual({ '1': ['camera'] }))
  expect(news).toMatchObject([{ kind: 'done', text: 'เอาป้าย “งานถนน” ออกแล้ว' }])
})

test('toggles labels by digit, without typing them or passing them to the page', async () => {
  const { keysOfThePage } = setUp()
  await open()
  await vi.waitFor(() => expect(list()).toHaveFocus())
  keysOfThePage.mockClear()
  await userEvent.keyboard('2')
  await vi.waitFor(() => expect(assigned()).toEqual({ '1': ['road', 'camera'] }))
  expect(screen.getByRole('textbox')).toHaveValue('')
  expect(keysOfThePage).not.toHaveBeenCalled()
})

test('passes letters to the search box, where digits are text', async () => {
  setUp()
  await open()
  await vi.waitFor(() => expect(list()).toHaveFocus())
  await userEvent.keyboard('ปี 2')
  expect(screen.getByRole('textbox')).toHaveValue('ปี 2')
  expect(assigned()).toEqual({ '1': ['road'] })
})

test('types a name with a leading space instead of toggling a label', async () => {
  setUp()
  await open()
  await vi.waitFor(() => expect(list()).toHaveFocus())
  await userEvent.keyboard(' ลูกค้า 2')
  expect(screen.getByRole('textbox')).toHaveValue('ลูกค้า 2')
  expect(assigned()).toEqual({ '1': ['road'] })
  expect(api.patches).toEqual([])
})

test('toggles the focused label with Space', async () => {
  setUp()
  await open()
  await vi.waitFor(() => expect(list()).toHaveFocus())
  await userEvent.keyboard('{ArrowDown}')
  expect(box('งานถนน')).toHaveFocus()
  await userEvent.keyboard('{ArrowDown} ')
  await vi.waitFor(() => expect(assigned()).toEqual({ '1': ['road', 'camera'] }))
})

test('moves by arrow keys from the search box through the labels', async () => {
  setUp()
  await open()
  await vi.waitFor(() => expect(list()).toHaveFocus())
  await userEvent.keyboard('{ArrowUp}')
  expect(screen.getByRole('textbox')).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  expect(box('กล้อง CCTV')).toHaveFocus()
})

test('creates a label from the trimmed text in the first free colour and assigns it', async () => {
  setUp()
  const dialog = await open()
  await userEvent.type(screen.getByRole('textbox'), '  ลูกค้าเก่า ')
  expect(dialog.getByRole('button', { name: 'สร้างป้าย ลูกค้าเก่า' })).toBeInTheDocument()
  await userEvent.keyboard('{Enter}')
  await vi.waitFor(() => expect(api.user.project_labels).toHaveLength(3))
  const made = api.user.project_labels[2]!
  expect(made).toMatchObject({ name: 'ลูกค้าเก่า', color: 'emerald' })
  expect(made.id).toMatch(/^ลูกค้าเก่า-\d{13}$/)
  expect(assigned()).toEqual({ '1': ['road', made.id] })
  expect(screen.getByRole('textbox')).toHaveValue('')
  expect(await screen.findByRole('checkbox', { name: 'ลูกค้าเก่า' })).toBeChecked()
})

test('selects an existing label instead of creating it again', async () => {
  setUp()
  const dialog = await open()
  await userEvent.type(screen.getByRole('textbox'), 'กล้อง cctv ')
  expect(dialog.queryByRole('button', { name: /สร้างป้าย/ })).toBeNull()
  await userEvent.keyboard('{Enter}')
  await vi.waitFor(() => expect(assigned()).toEqual({ '1': ['road', 'camera'] }))
  expect(api.user.project_labels).toHaveLength(2)
})

test('states the limit and creates no label beyond it', async () => {
  setUp({ label_metadata: buildLabelMetadata(2, 2) })
  const dialog = await open()
  expect(dialog.getByText('ใช้ครบ 2 ป้ายแล้ว ลบป้ายที่ไม่ใช้ก่อนสร้างใหม่')).toBeInTheDocument()
  await userEvent.type(screen.getByRole('textbox'), 'อีกป้าย{Enter}')
  expect(dialog.getByRole('button', { name: 'สร้างป้าย อีกป้าย' })).toBeDisabled()
  expect(api.patches).toEqual([])
})

test('shows a label that only some projects have as mixed, and assigns it to all on click', async () => {
  setUp({}, ['1', '2', '3'])
  await open()
  expect(box('งานถนน')).toBePartiallyChecked()
  await userEvent.click(box('งานถนน'))
  await vi.waitFor(() => expect(assigned()).toEqual({ '1': ['road'], '2': ['road'], '3': ['road'] }))
  expect(news).toMatchObject([{ kind: 'done', text: 'ติดป้าย “งานถนน” ให้ 3 โครงการแล้ว' }])
  if (news[0]?.kind === 'done') news[0].undo?.()
  await vi.waitFor(() => expect(assigned()).toEqual({ '1': ['road'] }))
})

test('clears all labels of the project at once, with undo', async () => {
  setUp({ project_label_assignments: { '1': ['road', 'camera'], '2': ['road'] } })
  const dialog = await open()
  await userEvent.click(dialog.getByRole('button', { name: 'ล้างป้ายทั้งหมด' }))
  await vi.waitFor(() => expect(assigned()).toEqual({ '2': ['road'] }))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(button()).toHaveFocus()
  if (news[0]?.kind === 'done') news[0].undo?.()
  await vi.waitFor(() => expect(assigned()).toEqual({ '1': ['road', 'camera'], '2': ['road'] }))
})

test('closes on Esc and returns focus to its opener, also to a row', async () => {
  setUp()
  await open()
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(button()).toHaveFocus())

  const row = document.createElement('div')
  row.tabIndex = -1
  document.body.append(row)
  openLabelPicker(['1'], row)
  await screen.findByRole('dialog', { name: 'ป้ายกำกับ' })
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(row).toHaveFocus())
  row.remove()
})
