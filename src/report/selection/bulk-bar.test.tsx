import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { BulkBar } from './bulk-bar.tsx'

function setUp(props: Partial<Parameters<typeof BulkBar>[0]> = {}) {
  const told = { onSelectAll: vi.fn(), onStar: vi.fn(), onHide: vi.fn(), onClear: vi.fn() }
  const { unmount } = render(
    <BulkBar
      count={50}
      total={603}
      isWholePage
      selectingAll={false}
      starred={0}
      showsHidden={false}
      {...told}
      {...props}
    >
      <button type="button">ป้ายกำกับ</button>
    </BulkBar>,
  )
  return { ...told, unmount }
}
const button = (name: string | RegExp) => screen.queryByRole('button', { name })

test('how many are selected is read out, and the whole result is offered with its number', async () => {
  const { onSelectAll } = setUp()
  expect(screen.getByRole('status')).toHaveTextContent('เลือก 50 โครงการ')
  await userEvent.click(button('เลือกทั้งหมด 603 โครงการในผลลัพธ์')!)
  expect(onSelectAll).toHaveBeenCalledOnce()
})

test('past the limit of one action it says how many of how many', () => {
  setUp({ total: 2345 })
  expect(button('เลือก 1,000 โครงการแรก จาก 2,345 ในผลลัพธ์')).toBeInTheDocument()
})

test('when the limit is reached nothing more is offered', () => {
  setUp({ total: 2345, count: 1000 })
  expect(button(/^เลือก/)).toBeNull()
  expect(screen.getByRole('region')).toHaveTextContent('ทำได้ครั้งละไม่เกิน 1,000 โครงการ จากผลลัพธ์ 2,345 โครงการ')
})

test('part of a page, or the whole result, offers nothing', () => {
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

test('among hidden projects the button brings them back', async () => {
  const { onHide } = setUp({ showsHidden: true })
  await userEvent.click(button('เลิกซ่อน')!)
  expect(onHide).toHaveBeenCalledExactlyOnceWith(false)
})

test('messages float above the bar only while it stands', () => {
  const { unmount } = setUp()
  expect(document.documentElement.style.getPropertyValue('--toast-lift')).not.toBe('')
  unmount()
  expect(document.documentElement.style.getPropertyValue('--toast-lift')).toBe('')
})
