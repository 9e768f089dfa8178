import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { labelMetadata } from '#contract/account/label.ts'
import type { User } from '#contract/account/user.ts'
import { type ChangeNews, whenChangeHasNews } from '#src/api/change-news.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { startUserApi, stopUserApi, userForTests } from '#src/report/api/user-api-for-tests.ts'
import { LabelButton, LabelHost } from './label-button.tsx'
import { openLabelPicker } from './label-panel.ts'

const ROAD = { id: 'road', name: 'งานถนน', color: 'sky' }
const CAMERA = { id: 'camera', name: 'กล้อง CCTV', color: 'amber' }
const news: ChangeNews[] = []
let api: ReturnType<typeof startUserApi>

function setUp(change: Partial<User> = {}, projectIds = ['1']) {
  const user = userForTests({
    project_labels: [ROAD, CAMERA],
    project_label_assignments: { '1': ['road'] },
    ...change,
  })
  api = startUserApi(user, true)
  const keysOfThePage = vi.fn()
  document.addEventListener('keydown', keysOfThePage)
  render(
    <QueryClientProvider client={queryClient}>
      <LabelButton projectIds={projectIds} name="จ้างก่อสร้างถนน" />
      <LabelHost />
    </QueryClientProvider>,
  )
  return { keysOfThePage }
}
beforeEach(() => {
  news.length = 0
  whenChangeHasNews((one) => news.push(one))
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (media) => ({ matches: true, media, addEventListener() {}, removeEventListener() {} }) as unknown as MediaQueryList,
  )
})
afterEach(() => {
  stopUserApi()
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

test('shows which labels the project has, and ticks and unticks them', async () => {
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

test('digits tick, and are neither typed nor heard by the page behind', async () => {
  const { keysOfThePage } = setUp()
  await open()
  await vi.waitFor(() => expect(list()).toHaveFocus())
  keysOfThePage.mockClear()
  await userEvent.keyboard('2')
  await vi.waitFor(() => expect(assigned()).toEqual({ '1': ['road', 'camera'] }))
  expect(screen.getByRole('textbox')).toHaveValue('')
  expect(keysOfThePage).not.toHaveBeenCalled()
})

test('letters go to the search box, where digits are text', async () => {
  setUp()
  await open()
  await vi.waitFor(() => expect(list()).toHaveFocus())
  await userEvent.keyboard('ปี 2')
  expect(screen.getByRole('textbox')).toHaveValue('ปี 2')
  expect(assigned()).toEqual({ '1': ['road'] })
})

test('a name that begins with a blank is typed, and ticks no label', async () => {
  setUp()
  await open()
  await vi.waitFor(() => expect(list()).toHaveFocus())
  await userEvent.keyboard(' ลูกค้า 2')
  expect(screen.getByRole('textbox')).toHaveValue('ลูกค้า 2')
  expect(assigned()).toEqual({ '1': ['road'] })
  expect(api.patches).toEqual([])
})

test('a blank ticks the label that was walked to', async () => {
  setUp()
  await open()
  await vi.waitFor(() => expect(list()).toHaveFocus())
  await userEvent.keyboard('{ArrowDown}')
  expect(box('งานถนน')).toHaveFocus()
  await userEvent.keyboard('{ArrowDown} ')
  await vi.waitFor(() => expect(assigned()).toEqual({ '1': ['road', 'camera'] }))
})

test('arrows walk from the search box through the labels', async () => {
  setUp()
  await open()
  await vi.waitFor(() => expect(list()).toHaveFocus())
  await userEvent.keyboard('{ArrowUp}')
  expect(screen.getByRole('textbox')).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  expect(box('กล้อง CCTV')).toHaveFocus()
})

test('a new label is made from what is typed, trimmed, in the first colour that is free, and given to the project', async () => {
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

test('a name that exists is chosen instead of made again', async () => {
  setUp()
  const dialog = await open()
  await userEvent.type(screen.getByRole('textbox'), 'กล้อง cctv ')
  expect(dialog.queryByRole('button', { name: /สร้างป้าย/ })).toBeNull()
  await userEvent.keyboard('{Enter}')
  await vi.waitFor(() => expect(assigned()).toEqual({ '1': ['road', 'camera'] }))
  expect(api.user.project_labels).toHaveLength(2)
})

test('at the limit it says so and makes nothing', async () => {
  setUp({ label_metadata: labelMetadata(2, 2) })
  const dialog = await open()
  expect(dialog.getByText('ใช้ครบ 2 ป้ายแล้ว ลบป้ายที่ไม่ใช้ก่อนสร้างใหม่')).toBeInTheDocument()
  await userEvent.type(screen.getByRole('textbox'), 'อีกป้าย{Enter}')
  expect(dialog.getByRole('button', { name: 'สร้างป้าย อีกป้าย' })).toBeDisabled()
  expect(api.patches).toEqual([])
})

test('for several projects a label that some have is half ticked, and a press gives it to all', async () => {
  setUp({}, ['1', '2', '3'])
  await open()
  expect(box('งานถนน')).toBePartiallyChecked()
  await userEvent.click(box('งานถนน'))
  await vi.waitFor(() => expect(assigned()).toEqual({ '1': ['road'], '2': ['road'], '3': ['road'] }))
  expect(news).toMatchObject([{ kind: 'done', text: 'ติดป้าย “งานถนน” ให้ 3 โครงการแล้ว' }])
  if (news[0]?.kind === 'done') news[0].undo?.()
  await vi.waitFor(() => expect(assigned()).toEqual({ '1': ['road'] }))
})

test('all labels of the project are cleared at once and can be brought back', async () => {
  setUp({ project_label_assignments: { '1': ['road', 'camera'], '2': ['road'] } })
  const dialog = await open()
  await userEvent.click(dialog.getByRole('button', { name: 'ล้างป้ายทั้งหมด' }))
  await vi.waitFor(() => expect(assigned()).toEqual({ '2': ['road'] }))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(button()).toHaveFocus()
  if (news[0]?.kind === 'done') news[0].undo?.()
  await vi.waitFor(() => expect(assigned()).toEqual({ '1': ['road', 'camera'], '2': ['road'] }))
})

test('Esc closes it and gives the focus back to what opened it, also to a row', async () => {
  setUp()
  await open()
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(button()).toHaveFocus()

  const row = document.createElement('div')
  row.tabIndex = -1
  document.body.append(row)
  openLabelPicker(['1'], row)
  await screen.findByRole('dialog', { name: 'ป้ายกำกับ' })
  await userEvent.keyboard('{Escape}')
  expect(row).toHaveFocus()
  row.remove()
})
