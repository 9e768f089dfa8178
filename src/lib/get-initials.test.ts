import { expect, test } from 'vitest'
import { getInitials } from './get-initials.ts'

test.each([
  ['พิมพ์ชนก', 'วงศ์สวัสดิ์', 'พว'],
  ['เอกชัย', 'ไชยวงศ์', 'อช'],
  ['anna', 'de Boer', 'AD'],
  [null, 'แก้ว', 'ก'],
  ['', null, '?'],
  ['1', '-', '?'],
])('the initials of %s %s are %s', (first, last, initials) => {
  expect(getInitials(first, last)).toBe(initials)
})
