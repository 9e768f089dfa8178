import { expect, test } from 'vitest'
import { buildPagerItems } from './report-pager.tsx'

test.each([
  [1, 1, [1]],
  [1, 3, [1, 2, 3]],
  [1, 13, [1, 2, 'gap', 13]],
  [3, 13, [1, 2, 3, 4, 'gap', 13]],
  [6, 13, [1, 'gap', 5, 6, 7, 'gap', 13]],
  [13, 13, [1, 'gap', 12, 13]],
])('offers on page %i of %i the pages %j', (page, last, pages) => {
  expect(buildPagerItems(page, last)).toEqual(pages)
})
