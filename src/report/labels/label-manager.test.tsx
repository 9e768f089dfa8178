import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type ChangeNotice, setChangeNoticeListener } from '#src/api/change-notice.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { buildTestUser, startFakeUserApi, stopFakeUserApi } from '#src/report/api/user-api-for-tests.ts'
import { LabelPanelHost, openLabelManager } from './label-panel.tsx'

const LABELS = [
  { id: 'road', name: 'งานถนน', color: 'sky' },
  { id: 'camera', name: 'กล้อง', color: 'amber' },
  { id: 'spare', name: 'สำรอง', color: 'rose' },
]
const news: ChangeNotice[] = []
let api: ReturnType<typeof startFakeUserApi>

beforeEach(async () => {
  news.length = 0
  setChangeNoticeListener((notice) => news.push(notice))
  api = startFakeUserApi(
    buildTestUser({
      project_labels: LABELS,
      project_label_assignments: { '1': ['road', 'camera'], '2': ['road'] },
    }),
    true,
  )
  render(
    <QueryClientProvider client={queryClient}>
      <LabelPanelHost />
    </QueryClientProvider>,
  )
  act(openLabelManager)
  await screen.findByRole('dialog', { name: 'จัดการป้ายกำกับ' }, { timeout: 10_000 })
})
afterEach(stopFakeUserApi)

const dialog = () => screen.getByRole('dialog', { name: 'จัดการป้ายกำกับ' })
const rowTexts = () =>
  within(dialog())
    .getAllByRole('listitem')
    .map((row) => row.textContent)
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

test('lists the labels with their project counts and the label limit', () => {
  expect(rowTexts()).toEqual(['งานถนน2 โครงการ', 'กล้อง1 โครงการ', 'สำรองยังไม่ได้ใช้'])
  expect(within(dialog()).getByText('ใช้ 3 จาก 20 ป้าย')).toBeInTheDocument()
})

test('renames a label in place; Esc and a taken name change nothing', async () => {
  await press('เปลี่ยนชื่อป้าย กล้อง')
  const field = screen.getByRole('textbox', { name: 'ชื่อใหม่ของป้าย กล้อง' })
  expect(field).toHaveFocus()
  await userEvent.clear(field)
  await userEvent.type(field, ' งานถนน{Enter}')
  expect(field).toBeInvalid()
  expect(screen.getByText('มีป้าย “งานถนน” อยู่แล้ว')).toBeInTheDocument()
  await userEvent.keyboard('{Escape}')
  await vi.waitFor(() => expect(screen.getByRole('button', { name: 'เปลี่ยนชื่อป้าย กล้อง' })).toHaveFocus())
  expect(dialog()).toBeInTheDocument()
  expect(api.patches).toEqual([])

  await press('เปลี่ยนชื่อป้าย กล้อง')
  await userEvent.clear(screen.getByRole('textbox', { name: /^ชื่อใหม่/ }))
  await userEvent.type(screen.getByRole('textbox', { name: /^ชื่อใหม่/ }), ' กล้องวงจรปิด {Enter}')
  await vi.waitFor(() => expect(api.user.project_labels[1]?.name).toBe('กล้องวงจรปิด'))
  expect(rowTexts()[1]).toBe('กล้องวงจรปิด1 โครงการ')
})

test('offers 29 colours, each with a name', async () => {
  await press('เปลี่ยนสีป้าย งานถนน')
  const colors = within(screen.getByRole('group', { name: 'สีของป้าย งานถนน' })).getAllByRole('radio')
  expect(new Set(colors.map((color) => color.getAttribute('aria-label'))).size).toBe(29)
  expect(screen.getByRole('radio', { name: 'ฟ้า' })).toBeChecked()
  expect(screen.getByRole('radio', { name: 'ฟ้า' })).toHaveFocus()
  await userEvent.click(screen.getByRole('radio', { name: 'เขียวเข้ม' }))
  await vi.waitFor(() => expect(api.user.project_labels[0]?.color).toBe('green-solid'))
  expect(screen.getByText('สีที่เลือก: เขียวเข้ม')).toBeInTheDocument()
})

test('asks before deleting a label in use, states its projects, and restores it fully', async () => {
  await press('ลบป้าย งานถนน')
  const question = within(screen.getByRole('group', { name: 'ยืนยันการลบป้าย งานถนน' }))
  expect(question.getByText(/ติดอยู่กับ 2 โครงการ/)).toBeInTheDocument()
  expect(question.getByRole('button', { name: 'ไม่ลบ' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  expect(api.patches).toEqual([])

  await press('ลบป้าย งานถนน')
  await press('ลบป้าย')
  await vi.waitFor(() => expect(api.user.project_label_assignments).toEqual({ '1': ['camera'] }))
  expect(rowTexts()).toHaveLength(2)
  expect(screen.getByRole('button', { name: 'เปลี่ยนชื่อป้าย กล้อง' })).toHaveFocus()
  expect(news).toMatchObject([{ kind: 'done', text: 'ลบป้าย “งานถนน” แล้ว' }])
  if (news[0]?.kind === 'done') news[0].undo?.()
  await vi.waitFor(() => expect(api.user.project_labels).toHaveLength(3))
  expect(api.user.project_labels).toContainEqual(LABELS[0])
  expect(api.user.project_label_assignments).toEqual({ '1': ['camera', 'road'], '2': ['road'] })
})

test('deletes an unused label without asking', async () => {
  await press('ลบป้าย สำรอง')
  await vi.waitFor(() => expect(api.user.project_labels).toHaveLength(2))
})

test('creates a label, refuses a taken name, and explains the limit', async () => {
  const field = () => screen.getByLabelText('ชื่อป้ายใหม่')
  await userEvent.type(field(), ' งานถนน ')
  await press('สร้างป้าย')
  expect(await screen.findByText('มีป้าย “งานถนน” อยู่แล้ว')).toBeInTheDocument()
  await userEvent.clear(field())
  await userEvent.type(field(), 'ส่งแล้ว')
  await press('สร้างป้าย')
  await vi.waitFor(() => expect(rowTexts()).toContain('ส่งแล้วยังไม่ได้ใช้'))
  expect(within(dialog()).getByText('ใช้ 4 จาก 20 ป้าย')).toBeInTheDocument()
  const { user } = api
  await act(async () => {
    api.user = { ...user, label_metadata: { maxLabels: 4, currentCount: 4, canCreateMore: false, remainingSlots: 0 } }
    await queryClient.invalidateQueries()
  })
  await vi.waitFor(() => expect(screen.getByRole('button', { name: 'สร้างป้าย' })).toBeDisabled())
  expect(dialog()).toHaveTextContent('ลบป้ายที่ไม่ใช้ก่อน')
})
