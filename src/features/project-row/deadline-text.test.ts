import { expect, test } from 'vitest'
import { deadlineText } from './deadline.tsx'

test.each([
  [-1, 'หมดเขตแล้ว', 'past'],
  [0, 'วันนี้วันสุดท้าย', 'urgent'],
  [2, 'เหลือ 2 วัน', 'urgent'],
  [3, 'เหลือ 3 วัน', 'soon'],
  [7, 'เหลือ 7 วัน', 'soon'],
  [8, 'เหลือ 8 วัน', 'plain'],
] as const)('%i days left is said as %s (%s)', (days, text, tone) => {
  expect(deadlineText(days)).toEqual({ text, tone })
})
