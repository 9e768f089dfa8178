import { describe, expect, test } from 'vitest'
import {
  countWorkingDaysLeft,
  formatDaysAndWorkingDaysLeft,
  formatDaysLeft,
  getDeadlineTimeLeft,
  getDeadlineUrgency,
} from './time-left.ts'

const at = (bangkok: string) => new Date(`${bangkok}+07:00`)

test.each([
  [-1, 'ปิดรับแล้ว', 'past'],
  [0, 'วันนี้วันสุดท้าย', 'urgent'],
  [2, 'เหลือ 2 วัน', 'urgent'],
  [3, 'เหลือ 3 วัน', 'soon'],
  [7, 'เหลือ 7 วัน', 'soon'],
  [8, 'เหลือ 8 วัน', 'plain'],
] as const)('%i days left reads %s (%s)', (days, text, urgency) => {
  expect([formatDaysLeft(days), getDeadlineUrgency(days)]).toEqual([text, urgency])
})

test.each([
  ['2026-11-28', 5, 'from a Saturday over one working week'],
  ['2026-11-23', 1, 'the Monday itself'],
  ['2026-11-22', 0, 'a Sunday'],
  ['2026-11-21', 0, 'today'],
  ['2026-12-08', 11, 'over 7 December, a day in lieu'],
])('until %s there are %i working days: %s', (day, days) => {
  expect(countWorkingDaysLeft(day, '2026-11-21')).toBe(days)
})

test('adds working days only to deadlines after today', () => {
  expect(
    ['2026-11-28', '2026-11-22', '2026-11-21', '2026-11-20'].map((day) =>
      formatDaysAndWorkingDaysLeft(day, '2026-11-21'),
    ),
  ).toEqual(['เหลือ 7 วัน (5 วันทำการ)', 'เหลือ 1 วัน (0 วันทำการ)', 'วันนี้วันสุดท้าย', 'ปิดรับแล้ว'])
})

describe('with the time of day', () => {
  test.each([
    ['2026-11-27T23:59', 'เหลือ 1 วัน', 'urgent'],
    ['2026-11-28T00:00', 'วันนี้ถึง 12:00 น.', 'urgent'],
    ['2026-11-28T11:59:59', 'วันนี้ถึง 12:00 น.', 'urgent'],
    ['2026-11-28T12:00', 'ปิดรับแล้ว 12:00 น.', 'past'],
    ['2026-11-29T00:00', 'ปิดรับแล้ว', 'past'],
  ])('at %s a deadline at noon on the 28th reads %s', (now, text, urgency) => {
    expect(getDeadlineTimeLeft('2026-11-28', '12:00', at(now))).toMatchObject({ text, urgency })
  })

  test('a deadline without a time lasts until the end of its day', () => {
    expect(getDeadlineTimeLeft('2026-11-28', undefined, at('2026-11-28T23:59')).text).toBe('วันนี้วันสุดท้าย')
  })
})
