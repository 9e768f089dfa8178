import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearToasts, showToast, ToastRegion } from './toast.tsx'

beforeEach(() => vi.useFakeTimers({ shouldAdvanceTime: true }))
afterEach(() => {
  act(clearToasts)
  vi.useRealTimers()
})

test('at most three stand in the live region, the oldest leaves first', () => {
  render(<ToastRegion />)
  act(() => {
    for (const text of ['หนึ่ง', 'สอง', 'สาม', 'สี่']) showToast({ text, tone: 'done' })
  })
  expect(screen.getByRole('status')).not.toHaveTextContent('หนึ่ง')
  expect(screen.getByRole('status')).toHaveTextContent('สองสามสี่')
})

test('a message leaves after ten seconds, an error stays until it is closed', async () => {
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

test('a message that is pointed at waits', async () => {
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
