import { expect, test } from 'vitest'
import { getNextSwipeMotion, INITIAL_SWIPE_MOTION, type SwipeMotion } from './swipeable.tsx'

const WIDTH = 300
const BOTH = { left: true, right: true }
const after = (...travels: [dx: number, dy: number][]) =>
  travels.reduce<SwipeMotion>(
    (motion, [dx, dy]) => getNextSwipeMotion(motion, { dx, dy }, WIDTH, BOTH),
    INITIAL_SWIPE_MOTION,
  )

test('treats a finger that hardly moves as a tap', () => {
  expect(after([6, 4])).toEqual(INITIAL_SWIPE_MOTION)
})

test('scrolls on a steep or diagonal move, and keeps scrolling when it turns flat', () => {
  expect(after([2, 20])).toEqual({ kind: 'scroll' })
  expect(after([20, 20])).toEqual({ kind: 'scroll' })
  expect(after([2, 20], [200, 20])).toEqual({ kind: 'scroll' })
})

test('moves the row on a flat swipe, without the first ten pixels', () => {
  expect(after([30, 5])).toEqual({ kind: 'swipe', dx: 20, direction: 'right', armed: false })
  expect(after([-30, 5], [-60, 80])).toEqual({ kind: 'swipe', dx: -50, direction: 'left', armed: false })
})

test('arms past a third of the width, and disarms when the finger returns', () => {
  expect(after([30, 0], [112, 0])).toMatchObject({ armed: true, direction: 'right' })
  expect(after([30, 0], [112, 0], [40, 0])).toMatchObject({ armed: false })
  expect(after([-30, 0], [-112, 0], [130, 0])).toMatchObject({ armed: true, direction: 'right' })
})

test('requires no more than the reach of a thumb on a wide row', () => {
  expect(getNextSwipeMotion({ kind: 'undecided' }, { dx: 125, dy: 0 }, 900, BOTH)).toMatchObject({ armed: true })
})

test('hardly moves and never arms without an action', () => {
  const motion = getNextSwipeMotion(INITIAL_SWIPE_MOTION, { dx: -210, dy: 0 }, WIDTH, { left: false, right: true })
  expect(motion).toMatchObject({ armed: false, direction: 'left' })
  expect(motion.kind === 'swipe' && motion.dx).toBeCloseTo(-30)
})
