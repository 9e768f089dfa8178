import { expect, test } from 'vitest'
import { computePositionBelowAnchor } from './anchored-position.ts'

const viewport = { width: 1000, height: 800 }
const box = (left: number, top: number, width = 100, height = 36) => ({
  left,
  top,
  width,
  right: left + width,
  bottom: top + height,
})

test('opens under its anchor, left-aligned in the left half and at least as wide', () => {
  expect(computePositionBelowAnchor(box(100, 50), viewport, { width: 200, height: 300 })).toMatchObject({
    top: 90,
    left: 100,
    right: undefined,
    minWidth: 100,
  })
})

test('is right-aligned when the anchor is in the right half', () => {
  expect(computePositionBelowAnchor(box(850, 50), viewport, { width: 354, height: 400 })).toMatchObject({
    left: undefined,
    right: 50,
  })
})

test('stays within the edges of a narrow window', () => {
  const phone = { width: 390, height: 800 }
  expect(computePositionBelowAnchor(box(10, 50, 40), phone, { width: 374, height: 300 }).left).toBe(8)
  expect(computePositionBelowAnchor(box(180, 50, 60), phone, { width: 354, height: 300 }).right).toBe(28)
})

test('opens upwards without room below but more above, and never exceeds the room', () => {
  expect(computePositionBelowAnchor(box(100, 700), viewport, { width: 200, height: 300 })).toMatchObject({
    top: 396,
    maxHeight: 688,
  })
  expect(computePositionBelowAnchor(box(100, 50), viewport, { width: 200, height: 2000 }).maxHeight).toBe(702)
})
