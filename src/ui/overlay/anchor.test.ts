import { expect, test } from 'vitest'
import { placeUnder } from './anchor.ts'

const viewport = { width: 1000, height: 800 }
const box = (left: number, top: number, width = 100, height = 36) => ({
  left,
  top,
  width,
  right: left + width,
  bottom: top + height,
})

test('hangs under its anchor, left-aligned in the left half and at least as wide', () => {
  expect(placeUnder(box(100, 50), viewport, { width: 200, height: 300 })).toMatchObject({
    top: 90,
    left: 100,
    right: undefined,
    minWidth: 100,
  })
})

test('is right-aligned when the anchor lies in the right half', () => {
  expect(placeUnder(box(850, 50), viewport, { width: 354, height: 400 })).toMatchObject({ left: undefined, right: 50 })
})

test('never passes the edge of a narrow window', () => {
  const phone = { width: 390, height: 800 }
  expect(placeUnder(box(10, 50, 40), phone, { width: 374, height: 300 }).left).toBe(8)
  expect(placeUnder(box(180, 50, 60), phone, { width: 354, height: 300 }).right).toBe(28)
})

test('opens upwards when there is no room below and more above, and is never higher than the room', () => {
  expect(placeUnder(box(100, 700), viewport, { width: 200, height: 300 })).toMatchObject({ top: 396, maxHeight: 688 })
  expect(placeUnder(box(100, 50), viewport, { width: 200, height: 2000 }).maxHeight).toBe(702)
})
