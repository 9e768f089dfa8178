import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { BulkActionsBar } from './bulk-actions-bar.tsx'

function setUp(props: Partial<Parameters<typeof BulkActionsBar>[0]> = {}) {
  const handlers = { onSelectAll: vi.fn(), onStar: vi.fn(), onHide: vi.fn(), onClear: vi.fn() }
  const { unmount } = render(
    <BulkActionsBar
      count={50}
      total={603}
      isWholePage
      selectingAll={false}
      starred={0}
      showsHidden={false}
      {...handlers}
      {...props}
    >
      <button type="button">ป้ายกำกับ</button>
    </BulkActionsBar>,
  )
  return { ...handlers, unmount }
}
const button = (name: string | RegExp) => screen.queryByRole('button', { name })

test('announces the number selected, and offers the whole result with its number', async () => {
  const { onSelectAll } = setUp()
  expect(screen.getByRole('status')).toHaveTextContent('เลือก 50 โครงการ')
  await userEvent.click(button('เลือกทั้งหมด 603 โครงการในผลลัพธ์')!)
  expect(onSelectAll).toHaveBeenCalledOnce()
})

test('states how many of how many beyond the limit per action', () => {
  setUp({ total: 2345 })
  expect(button('เลือก 1,000 โครงการแรก จาก 2,345 ในผลลัพธ์')).toBeInTheDocument()
})

test('offers nothing more once the limit is reached', () => {
  setUp({ total: 2345, count: 1000 })
  expect(button(/^เลือก/)).toBeNull()
  expect(screen.getByRole('region')).toHaveTextContent('ทำได้ครั้งละไม่เกิน 1,000 โครงการ จากผลลัพธ์ 2,345 โครงการ')
})

test('offers nothing for part of a page or for the whole result', () => {
  setUp({ isWholePage: false, count: 3 })
  expect(button(/^เลือก/)).toBeNull()
})

test.each([
  [0, true, false],
  [20, true, true],
  [50, false, true],
])('with %i of 50 starred: star offered %s, unstar offered %s', (starred, star, unstar) => {
  setUp({ starred })
  expect(button('ติดดาว') !== null).toBe(star)
  expect(button('เอาดาวออก') !== null).toBe(unstar)
})

test('unhides projects in the hidden view', async () => {
  const { onHide } = setUp({ showsHidden: true })
  await userEvent.click(button('เลิกซ่อน')!)
  expect(onHide).toHaveBeenCalledExactlyOnceWith(false)
})

test('lifts toasts only while it is visible', () => {
  const { unmount } = setUp()
  expect(document.documentElement.style.getPropertyValue('--toast-lift')).not.toBe('')
  unmount()
  expect(document.documentElement.style.getPropertyValue('--toast-lift')).toBe('')
})
