import { expect, test } from 'vitest'
import { AT_REST, nextMotion, type SwipeMotion } from './swipeable.tsx'

const WIDTH = 300
const BOTH = { left: true, right: true }
const after = (...travels: [dx: number, dy: number][]) =>
  travels.reduce<SwipeMotion>((motion, [dx, dy]) => nextMotion(motion, { dx, dy }, WIDTH, BOTH), AT_REST)

test('a finger that hardly moves is still a tap', () => {
  expect(after([6, 4])).toEqual(AT_REST)
})

test('a steep or diagonal way scrolls, and goes on scrolling when it turns flat', () => {
  expect(after([2, 20])).toEqual({ kind: 'scroll' })
  expect(after([20, 20])).toEqual({ kind: 'scroll' })
  expect(after([2, 20], [200, 20])).toEqual({ kind: 'scroll' })
})

test('a flat way pushes the row along, without the jump of the first ten pixels', () => {
  expect(after([30, 5])).toEqual({ kind: 'swipe', dx: 20, direction: 'right', armed: false })
  expect(after([-30, 5], [-60, 80])).toEqual({ kind: 'swipe', dx: -50, direction: 'left', armed: false })
})

test('past a third of the width it is armed, and no longer when the finger comes back', () => {
  expect(after([30, 0], [112, 0])).toMatchObject({ armed: true, direction: 'right' })
  expect(after([30, 0], [112, 0], [40, 0])).toMatchObject({ armed: false })
  expect(after([-30, 0], [-112, 0], [130, 0])).toMatchObject({ armed: true, direction: 'right' })
})

test('a wide row asks for no more than a thumb reaches', () => {
  expect(nextMotion({ kind: 'undecided' }, { dx: 125, dy: 0 }, 900, BOTH)).toMatchObject({ armed: true })
})

test('where nothing waits the row hardly moves and is never armed', () => {
  const motion = nextMotion(AT_REST, { dx: -210, dy: 0 }, WIDTH, { left: false, right: true })
  expect(motion).toMatchObject({ armed: false, direction: 'left' })
  expect(motion.kind === 'swipe' && motion.dx).toBeCloseTo(-30)
})
