import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearToasts, showToast } from './toast.ts'
import { ToastRegion } from './toast-region.tsx'

beforeEach(() => vi.useFakeTimers({ shouldAdvanceTime: true }))
afterEach(() => {
  act(clearToasts)
  vi.useRealTimers()
})

test('shows at most three in the live region, and drops the oldest first', () => {
  render(<ToastRegion />)
  act(() => {
    for (const text of ['หนึ่ง', 'สอง', 'สาม', 'สี่']) showToast({ text, tone: 'done' })
  })
  expect(screen.getByRole('status')).not.toHaveTextContent('หนึ่ง')
  expect(screen.getByRole('status')).toHaveTextContent('สองสามสี่')
})

test('removes a message after ten seconds, but an error only when closed', async () => {
  render(<ToastRegion />)
  act(() => {
    showToast({ text: 'บันทึกแล้ว', tone: 'done' })
    showToast({ text: 'บันทึกไม่สำเร็จ', tone: 'error' })
  })
  act(() => void vi.advanceTimersByTime(10_000))
  expect(screen.queryByText('บันทึกแล้ว')).toBeNull()
  await userEvent
    .setup({ advanceTimers: vi.advanceTimersByTime })
    .click(screen.getByRole('button', { name: 'ปิดข้อความ' }))
  expect(screen.queryByText('บันทึกไม่สำเร็จ')).toBeNull()
})

test('keeps a message while it is hovered', async () => {
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
  render(<ToastRegion />)
  act(() => showToast({ text: 'เอาดาวออกแล้ว', tone: 'done', action: { label: 'เลิกทำ', run: () => undefined } }))
  await user.hover(screen.getByText('เอาดาวออกแล้ว'))
  act(() => void vi.advanceTimersByTime(30_000))
  expect(screen.getByText('เอาดาวออกแล้ว')).toBeInTheDocument()
})

test('its action runs once and closes it', async () => {
  const run = vi.fn()
  render(<ToastRegion />)
  act(() => showToast({ text: 'เอาดาวออกแล้ว', tone: 'done', action: { label: 'เลิกทำ', run } }))
  await userEvent.setup({ advanceTimers: vi.advanceTimersByTime }).click(screen.getByRole('button', { name: 'เลิกทำ' }))
  expect(run).toHaveBeenCalledOnce()
  expect(screen.queryByText('เอาดาวออกแล้ว')).toBeNull()
})

test('drops errors last when there are too many', () => {
  render(<ToastRegion />)
  act(() => {
    showToast({ text: 'ผิดพลาด', tone: 'error' })
    for (const text of ['หนึ่ง', 'สอง', 'สาม']) showToast({ text, tone: 'done' })
  })
  expect(screen.getByRole('status')).toHaveTextContent('ผิดพลาดสองสาม')
})

test('replaces an earlier message with the same key', () => {
  render(<ToastRegion />)
  act(() => {
    showToast({ text: 'ไม่สำเร็จ 1 รายการ', tone: 'error', key: 'failures' })
    showToast({ text: 'ไม่สำเร็จ 2 รายการ', tone: 'error', key: 'failures' })
  })
  expect(screen.getByRole('status')).toHaveTextContent(/^ไม่สำเร็จ 2 รายการ$/)
})

test('undoes the last change on Ctrl+Z, but not in a text field', async () => {
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
  const [first, last] = [vi.fn(), vi.fn()]
  render(
    <>
      <ToastRegion />
      <input aria-label="ช่องค้นหา" />
    </>,
  )
  act(() => {
    showToast({ text: 'หนึ่ง', tone: 'done', action: { label: 'เลิกทำ', run: first } })
    showToast({ text: 'สอง', tone: 'done', action: { label: 'เลิกทำ', run: last } })
    showToast({ text: 'ผิดพลาด', tone: 'error', action: { label: 'ลองอีกครั้ง', run: vi.fn() } })
  })
  screen.getByLabelText('ช่องค้นหา').focus()
  await user.keyboard('{Control>}z{/Control}')
  expect(last).not.toHaveBeenCalled()
  act(() => screen.getByLabelText('ช่องค้นหา').blur())
  await user.keyboard('{Control>}z{/Control}')
  expect(last).toHaveBeenCalledOnce()
  expect(first).not.toHaveBeenCalled()
  expect(screen.getByRole('status')).toHaveTextContent('หนึ่งเลิกทำผิดพลาดลองอีกครั้ง')
})

test('returns focus to its previous element when the focused message disappears', async () => {
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
  render(
    <>
      <button type="button">แถว</button>
      <ToastRegion />
    </>,
  )
  act(() => showToast({ text: 'ซ่อนแล้ว', tone: 'done', action: { label: 'เลิกทำ', run: () => undefined } }))
  screen.getByText('แถว').focus()
  await user.tab()
  expect(screen.getByRole('button', { name: 'เลิกทำ' })).toHaveFocus()
  await user.keyboard('{Enter}')
  expect(screen.getByText('แถว')).toHaveFocus()
})

test('renders outside the page, so that an open dialog leaves it reachable', () => {
  const { container } = render(<ToastRegion />)
  expect(container).not.toContainElement(screen.getByRole('status'))
  expect(screen.getByRole('status').parentElement).toBe(document.body)
})
