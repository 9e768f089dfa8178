import { expect, test } from 'vitest'
import { getNextZoomLevel, ZOOM_LEVELS } from './zoom-levels.ts'

test('steps through the zoom levels in both directions and stops at the ends', () => {
  const up: number[] = [ZOOM_LEVELS[0]]
  while (getNextZoomLevel(up.at(-1)!, 1) !== up.at(-1)) up.push(getNextZoomLevel(up.at(-1)!, 1))
  expect(up).toEqual([...ZOOM_LEVELS])
  const down = [...ZOOM_LEVELS].reverse().map((zoom) => getNextZoomLevel(zoom, -1))
  expect(down).toEqual([...ZOOM_LEVELS.slice(0, -1).reverse(), ZOOM_LEVELS[0]])
})
