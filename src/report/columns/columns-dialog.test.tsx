import { QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type ColumnSetting, mergeColumnSettings, toColumnSettings } from '#contract/catalogue/column.ts'
import { NEW_ACCOUNT_REPORT_COLUMNS } from '#contract/catalogue/column-presets.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { buildTestUser, startFakeUserApi, stopFakeUserApi } from '#src/report/api/user-api-for-tests.ts'
import { useColumnsDialog } from './use-columns-dialog.tsx'

const ARRIVES = { timeout: 10_000 }

let api: ReturnType<typeof startFakeUserApi>
beforeEach(() => {
  api = startFakeUserApi(buildTestUser({}))
})
afterEach(stopFakeUserApi)

function Opener() {
  const { visible, open, dialog } = useColumnsDialog()
  return (
    <>
      <button type="button" onClick={open}>
        คอลัมน์ {visible}
      </button>
      {dialog}
    </>
  )
}

async function openDialog() {
  const user = userEvent.setup()
  render(
    <QueryClientProvider client={queryClient}>
      <Opener />
    </QueryClientProvider>,
  )
  await user.click(screen.getByRole('button', { name: /^คอลัมน์/ }))
  const dialog = await screen.findByRole('dialog', { name: 'คอลัมน์ในตาราง' }, ARRIVES)
  const press = (name: string) => user.click(within(dialog).getByRole('button', { name }))
  return { user, dialog, press }
}
const titles = (dialog: HTMLElement) =>
  within(dialog)
    .getAllByRole('listitem')
    .map((item) => item.textContent)
async function storedColumns(): Promise<ColumnSetting[]> {
  await vi.waitFor(() => expect(api.patches.length).toBeGreaterThan(0))
  return api.patches.at(-1)!.patch.customize_report_table as ColumnSetting[]
}
const isClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

test('counts the visible columns', () => {
  render(
    <QueryClientProvider client={queryClient}>
      <Opener />
    </QueryClientProvider>,
  )
  expect(screen.getByRole('button', { name: 'คอลัมน์ 25/29' })).toBeInTheDocument()
})

test('moves a column by buttons, announces its position, keeps focus and saves the order', async () => {
  const { dialog, press, user } = await openDialog()
  expect(titles(dialog).slice(0, 4)).toEqual(['การเปลี่ยนแปลง', 'ชื่อโครงการ', 'หน่วยงาน', 'งบประมาณ'])
  const up = within(dialog).getByRole('button', { name: 'ย้าย งบประมาณ ขึ้น' })
  up.focus()
  await user.keyboard('{Enter}')
  expect(within(dialog).getByText('ย้าย งบประมาณ ไปลำดับ 3 จาก 29')).toBeInTheDocument()
  await user.keyboard('{Enter}')
  expect(up).toHaveFocus()
  expect(titles(dialog).slice(0, 4)).toEqual(['การเปลี่ยนแปลง', 'งบประมาณ', 'ชื่อโครงการ', 'หน่วยงาน'])
  await press('ย้าย งบประมาณ ลง')
  await press('บันทึก')
  const stored = await storedColumns()
  expect(stored.map(({ field }) => field).slice(0, 4)).toEqual(['change_status', 'name', 'budget', 'dept_sub_name'])
  expect(stored[2]).toMatchObject({ field: 'budget', title: 'งบประมาณ', currentPosition: 2, defaultPosition: 3 })
  await isClosed()
})

test('disables the buttons at the ends and keeps the focus', async () => {
  const { dialog, user } = await openDialog()
  const up = within(dialog).getByRole('button', { name: 'ย้าย การเปลี่ยนแปลง ขึ้น' })
  expect(up).toHaveAttribute('aria-disabled', 'true')
  up.focus()
  await user.keyboard('{Enter}')
  expect(titles(dialog)[0]).toBe('การเปลี่ยนแปลง')
  expect(up).toHaveFocus()
})

test('refuses to save without a visible column and explains why; one is enough', async () => {
  const { dialog, user } = await openDialog()
  await user.click(within(dialog).getByRole('checkbox', { name: /^ทุกคอลัมน์/ }))
  expect(within(dialog).getByText('แสดงทั้ง 29')).toBeInTheDocument()
  await user.click(within(dialog).getByRole('checkbox', { name: /^ทุกคอลัมน์/ }))
  const save = within(dialog).getByRole('button', { name: 'บันทึก' })
  expect(save).toBeDisabled()
  expect(save).toHaveAccessibleDescription('เลือกอย่างน้อย 1 คอลัมน์ จึงจะบันทึกได้')
  expect(within(dialog).getByText('ซ่อนอยู่ 29')).toBeInTheDocument()
  await user.click(within(dialog).getByRole('checkbox', { name: 'ชื่อโครงการ' }))
  expect(within(dialog).getByRole('checkbox', { name: /^ทุกคอลัมน์/ })).toBePartiallyChecked()
  await user.click(save)
  const stored = await storedColumns()
  expect(stored.filter(({ showHideColumn }) => showHideColumn).map(({ field }) => field)).toEqual(['name'])
})

test('resets order, columns, widths and pins, with 25 columns visible, and stores that', async () => {
  api = startFakeUserApi(
    buildTestUser({
      customize_report_table: [
        {
          id: 'budget',
          field: 'budget',
          title: 'งบประมาณ',
          showHideColumn: false,
          currentPosition: 0,
          defaultPosition: 3,
          width: 300,
          isPinned: true,
        },
      ],
    }),
  )
  const { dialog, press } = await openDialog()
  // Columns with equal positions fall back to the default order.
  expect(titles(dialog).slice(0, 2)).toEqual(['การเปลี่ยนแปลง', 'งบประมาณ'])
  expect(within(dialog).getByRole('button', { name: 'เลิกปักหมุด งบประมาณ' })).toHaveAttribute('aria-pressed', 'true')
  await press('คืนค่าเริ่มต้น')
  expect(titles(dialog).indexOf('งบประมาณ')).toBe(3)
  expect(within(dialog).getByText('ซ่อนอยู่ 4')).toBeInTheDocument()
  await press('บันทึก')
  expect(await storedColumns()).toEqual(toColumnSettings(mergeColumnSettings([])))
})

test('shows only the columns of a preset, and stores them on Save', async () => {
  const { dialog, press } = await openDialog()
  await press('คัดงาน 9')
  expect(within(dialog).getByRole('button', { name: 'คัดงาน 9' })).toHaveAttribute('aria-pressed', 'true')
  expect(within(dialog).getByText('ซ่อนอยู่ 20')).toBeInTheDocument()
  expect(titles(dialog).slice(0, 4)).toEqual(['การเปลี่ยนแปลง', 'ชื่อโครงการ', 'วันสิ้นสุดยื่นข้อเสนอ', 'ความเคลื่อนไหว'])
  await press('บันทึก')
  expect(await storedColumns()).toEqual(NEW_ACCOUNT_REPORT_COLUMNS)
})

test('asks before closing with changes; staying keeps them, leaving stores nothing', async () => {
  const { dialog, press, user } = await openDialog()
  await user.click(within(dialog).getByRole('checkbox', { name: 'ราคากลาง' }))
  await user.keyboard('{Escape}')
  expect(within(dialog).getByRole('alert')).toHaveTextContent('ยังไม่ได้บันทึก')
  await waitFor(() => expect(within(dialog).getByRole('button', { name: 'แก้ต่อ' })).toHaveFocus())
  await press('แก้ต่อ')
  expect(within(dialog).getByRole('checkbox', { name: 'ราคากลาง' })).not.toBeChecked()
  await press('ยกเลิก')
  await press('ทิ้งที่แก้')
  await isClosed()
  expect(api.patches).toHaveLength(0)
})

test('closes without asking when unchanged, and reopens with the stored layout', async () => {
  const { user } = await openDialog()
  await user.keyboard('{Escape}')
  await isClosed()
  await waitFor(() => expect(screen.getByRole('button', { name: /^คอลัมน์/ })).toHaveFocus())
})

test('filters the list by search; the select-all box applies to the results', async () => {
  const { dialog, user } = await openDialog()
  await user.type(within(dialog).getByRole('searchbox', { name: 'ค้นคอลัมน์' }), 'จังหวัด')
  expect(titles(dialog)).toEqual(['จังหวัดของโครงการ', 'จังหวัดของหน่วยงาน'])
  await user.click(within(dialog).getByRole('checkbox', { name: /^ทุกคอลัมน์ที่ค้นพบ/ }))
  expect(within(dialog).getByText('ซ่อนอยู่ 6')).toBeInTheDocument()
  await user.type(within(dialog).getByRole('searchbox', { name: 'ค้นคอลัมน์' }), 'ที่ไม่มี')
  expect(within(dialog).getByText('ไม่มีคอลัมน์ชื่อนี้')).toBeInTheDocument()
})

test('moves a column by dragging; Esc reverts it and leaves the dialog open', async () => {
  const { dialog } = await openDialog()
  const list = within(dialog).getByRole('list', { name: 'คอลัมน์ตามลำดับ' })
  // jsdom has no layout, so each item is mocked as 40 px high.
  for (const item of list.children) {
    vi.spyOn(item, 'getBoundingClientRect').mockImplementation(
      () => new DOMRect(0, [...list.children].indexOf(item) * 40, 200, 40),
    )
  }
  const grip = within(dialog).getAllByRole('listitem')[3]!.firstElementChild!
  const dragTo = async (clientY: number) => {
    fireEvent.mouseDown(grip, { button: 0, clientX: 10, clientY: 140 })
    fireEvent.mouseMove(document, { clientX: 10, clientY: 141 })
    await waitFor(() => expect(grip).toHaveClass('cursor-grabbing'))
    fireEvent.mouseMove(document, { clientX: 10, clientY })
  }
  await dragTo(50)
  fireEvent.keyDown(document, { key: 'Escape', code: 'Escape' })
  await waitFor(() => expect(grip).not.toHaveClass('cursor-grabbing'))
  expect(titles(dialog)[3]).toBe('งบประมาณ')
  expect(within(dialog).queryByRole('alert')).toBeNull()

  await dragTo(220)
  fireEvent.mouseUp(document)
  await within(dialog).findByText('ย้าย งบประมาณ ไปลำดับ 6 จาก 29')
  expect(titles(dialog).indexOf('งบประมาณ')).toBe(5)
})
