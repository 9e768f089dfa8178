import { fireEvent, render, screen } from '@testing-library/react'
import { Star, Trash2 } from 'lucide-react'
import { beforeEach, expect, test, vi } from 'vitest'
import { Swipeable } from './swipeable.tsx'

beforeEach(() => {
  // jsdom has no layout, so the row's width is mocked as 300 px.
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(300)
  return () => vi.restoreAllMocks()
})

function setUp() {
  const run = { right: vi.fn(), left: vi.fn(), press: vi.fn() }
  render(
    <Swipeable
      right={{ icon: Star, text: 'ติดดาว', run: run.right }}
      left={{ icon: Trash2, text: 'ซ่อน', run: run.left }}
    >
      <button type="button" onClick={run.press}>
        แถว
      </button>
    </Swipeable>,
  )
  const row = screen.getByRole('button')
  const touch = (type: 'pointerDown' | 'pointerMove' | 'pointerUp' | 'pointerCancel', x: number, y = 50, more = {}) =>
    fireEvent[type](row, { pointerType: 'touch', isPrimary: true, pointerId: 1, clientX: x, clientY: y, ...more })
  return { run, row, touch }
}

test('runs the action of a swipe past a third of the row on release', () => {
  const { run, touch } = setUp()
  touch('pointerDown', 100)
  touch('pointerMove', 130)
  expect(screen.getByText('ติดดาว')).toBeInTheDocument()
  touch('pointerMove', 230)
  expect(screen.getByText('ติดดาว')).toHaveAttribute('data-swipe-hint', 'armed')
  expect(run.right).not.toHaveBeenCalled()
  touch('pointerUp', 230)
  expect(run.right).toHaveBeenCalledOnce()
  expect(screen.queryByText('ติดดาว')).toBeNull()
})

test('runs the other action on a swipe to the left', () => {
  const { run, touch } = setUp()
  touch('pointerDown', 250)
  touch('pointerMove', 220)
  touch('pointerMove', 120)
  touch('pointerUp', 120)
  expect(run.left).toHaveBeenCalledOnce()
  expect(run.right).not.toHaveBeenCalled()
})

test.each([
  ['the finger comes back', (touch: ReturnType<typeof setUp>['touch']) => touch('pointerMove', 140)],
  [
    'the browser takes the touch for a scroll',
    (touch: ReturnType<typeof setUp>['touch']) => touch('pointerCancel', 230),
  ],
  [
    'a second finger comes down',
    (touch: ReturnType<typeof setUp>['touch']) => touch('pointerDown', 60, 50, { pointerId: 2, isPrimary: false }),
  ],
])('does nothing when %s', (_when, change) => {
  const { run, touch } = setUp()
  touch('pointerDown', 100)
  touch('pointerMove', 130)
  touch('pointerMove', 230)
  change(touch)
  touch('pointerUp', 140)
  expect(run.right).not.toHaveBeenCalled()
})

test('ignores the click that ends a swipe, but not the next one', () => {
  const { run, row, touch } = setUp()
  touch('pointerDown', 100)
  touch('pointerMove', 130)
  touch('pointerUp', 130)
  fireEvent.click(row)
  expect(run.press).not.toHaveBeenCalled()
  touch('pointerDown', 100)
  touch('pointerUp', 100)
  fireEvent.click(row)
  expect(run.press).toHaveBeenCalledOnce()
})

test('ignores a mouse and a touch from the edge of the window', () => {
  const { touch } = setUp()
  touch('pointerDown', 100, 50, { pointerType: 'mouse' })
  touch('pointerMove', 230, 50, { pointerType: 'mouse' })
  touch('pointerUp', 230, 50, { pointerType: 'mouse' })
  touch('pointerDown', 10)
  touch('pointerMove', 140)
  expect(screen.queryByText('ติดดาว')).toBeNull()
})
