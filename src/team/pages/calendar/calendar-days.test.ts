import { expect, test } from 'vitest'
import type { CalendarEvent } from '#contract/team/calendar.ts'
import {
  formatCalendarDay,
  formatCalendarTimeLeft,
  getCalendarRangeAround,
  getHolidayName,
  groupEventsByDay,
  isOverloadedDay,
  listWeeksOfMonth,
  summarizeCalendarMonth,
} from './calendar-days.ts'

const event = (day: string, id: number, is_cancelled = false): CalendarEvent => ({
  id: `${id}-submission`,
  project_id: String(id),
  kind: 'submission',
  day,
  time: null,
  is_estimate: false,
  basis: 'ตามประกาศของหน่วยงาน',
  is_cancelled,
})

test.each([
  ['2026-12-09', '2026-11-30', 5],
  ['2027-02-15', '2027-02-01', 4],
  ['2026-08-31', '2026-07-27', 6],
])('the month of %s begins on Monday %s and has %i weeks', (day, monday, weeks) => {
  const monthWeeks = listWeeksOfMonth(day)
  expect([monthWeeks[0]![0], monthWeeks.length]).toEqual([monday, weeks])
  expect(monthWeeks.every((week) => week.length === 7)).toBe(true)
})

test('requests the same days for every day of a month, within the response limit', () => {
  expect(getCalendarRangeAround('2026-12-31')).toEqual(getCalendarRangeAround('2026-12-01'))
  expect(getCalendarRangeAround('2026-12-01')).toEqual({ from: '2026-11-30', to: '2027-02-14' })
})

test('formats days in words, and holidays by name', () => {
  expect(formatCalendarDay('2026-12-09', true)).toBe('พุธ 9 ธ.ค. 2569')
  expect([getHolidayName('2026-12-07'), getHolidayName('2026-12-08')]).toEqual(['ชดเชยวันพ่อแห่งชาติ', undefined])
})

test.each([
  ['2026-12-01', 'วันนี้'],
  ['2026-12-02', 'เหลือ 1 วัน (1 วันทำการ)'],
  ['2026-12-09', 'เหลือ 8 วัน (5 วันทำการ)'],
  ['2026-11-30', 'ผ่านมาแล้ว 1 วัน'],
])('on 1 December %s is %s', (day, text) => {
  expect(formatCalendarTimeLeft(day, '2026-12-01')).toBe(text)
})

test('marks a day as overloaded from the fifth deadline on, ignoring cancelled ones', () => {
  const days = groupEventsByDay([
    ...[1, 2, 3, 4].map((id) => event('2026-12-09', id)),
    event('2026-12-09', 5, true),
    ...[1, 2, 3, 4, 5].map((id) => event('2026-12-15', id)),
    event('2027-01-04', 9),
  ])
  expect([isOverloadedDay(days.get('2026-12-09')), isOverloadedDay(days.get('2026-12-15'))]).toEqual([false, true])
  expect(summarizeCalendarMonth('2026-12-20', days)).toEqual({ deadlines: 9, workingDays: 20, overloaded: 1 })
})
