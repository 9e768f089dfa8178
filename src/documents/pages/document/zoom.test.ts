import { expect, test } from 'vitest'
import { nextZoom, ZOOMS } from './zoom.ts'

test('steps through the zoom levels in both directions and stops at the ends', () => {
  const up: number[] = [ZOOMS[0]]
  while (nextZoom(up.at(-1)!, 1) !== up.at(-1)) up.push(nextZoom(up.at(-1)!, 1))
  expect(up).toEqual([...ZOOMS])
  const down = [...ZOOMS].reverse().map((zoom) => nextZoom(zoom, -1))
  expect(down).toEqual([...ZOOMS.slice(0, -1).reverse(), ZOOMS[0]])
})
