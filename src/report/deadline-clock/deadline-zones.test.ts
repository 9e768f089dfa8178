import path from 'node:path'
import { expect, test } from 'vitest'
import { runInTimeZones } from '../../../test/run-in-time-zones.ts'

test('gives the same clock and calendar file in every device time zone (R58)', () => {
  const outputs = runInTimeZones(path.join(import.meta.dirname, 'deadline-states-for-tests.ts'))
  expect(JSON.parse(outputs[0]!).map((answer: unknown[]) => answer.slice(0, 4))).toEqual([
    ['counting', 'comment', { text: 'เหลือ 1 วัน', urgency: 'urgent', daysLeft: 1 }, 0],
    ['counting', 'comment', { text: 'วันนี้วันสุดท้าย', urgency: 'urgent', daysLeft: 0 }, 0],
    ['counting', 'comment', { text: 'วันนี้วันสุดท้าย', urgency: 'urgent', daysLeft: 0 }, 0],
    ['counting', 'submission', { text: 'เหลือ 5 วัน', urgency: 'soon', daysLeft: 5 }, 4],
    ['counting', 'submission', { text: 'วันนี้ถึง 12:00 น.', urgency: 'urgent', daysLeft: 0 }, 0],
  ])
  expect(new Set(outputs).size).toBe(1)
})
