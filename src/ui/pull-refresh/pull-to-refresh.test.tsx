import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { PullToRefresh } from './pull-to-refresh.tsx'

const touch = (x: number, y: number) => ({ touches: [{ clientX: x, clientY: y }] })
const pull = (way: { dx?: number; dy: number }) => {
  fireEvent.touchStart(document.body, touch(100, 100))
  fireEvent.touchMove(document.body, touch(100 + (way.dx ?? 0), 100 + way.dy))
}
const setUp = () => {
  const refresh = vi.fn(async () => 'โหลดใหม่แล้ว')
  return { refresh, ...render(<PullToRefresh onRefresh={refresh} />) }
}

afterEach(() => Object.defineProperty(window, 'scrollY', { value: 0, configurable: true }))

test('reloads when pulled far enough from the top and released, and announces it', async () => {
  const { refresh } = setUp()
  pull({ dy: 60 })
  expect(screen.getByText('ดึงลงเพื่อโหลดใหม่')).toBeInTheDocument()
  fireEvent.touchMove(document.body, touch(100, 260))
  expect(screen.getByText('ปล่อยเพื่อโหลดใหม่')).toBeInTheDocument()
  expect(refresh).not.toHaveBeenCalled()
  await act(async () => void fireEvent.touchEnd(document.body))
  expect(refresh).toHaveBeenCalledOnce()
  expect(screen.getByText('โหลดใหม่แล้ว')).toBeInTheDocument()
  expect(screen.queryByText(/เพื่อโหลดใหม่|กำลังโหลดใหม่…/)).toBeNull()
})

test('does nothing when released early, pushed sideways or below the top of the page', () => {
  const { refresh } = setUp()
  pull({ dy: 60 })
  fireEvent.touchEnd(document.body)
  pull({ dx: 200, dy: 200 })
  fireEvent.touchEnd(document.body)
  Object.defineProperty(window, 'scrollY', { value: 300, configurable: true })
  pull({ dy: 260 })
  expect(screen.queryByText('ปล่อยเพื่อโหลดใหม่')).toBeNull()
  fireEvent.touchEnd(document.body)
  expect(refresh).not.toHaveBeenCalled()
})

test('disables the pull-to-refresh of the browser while mounted', () => {
  const { unmount } = setUp()
  expect(document.documentElement.style.overscrollBehaviorY).toBe('contain')
  unmount()
  expect(document.documentElement.style.overscrollBehaviorY).toBe('')
})
