import { expect, test } from 'vitest'
import { countWorkingDays, isWorkingDay } from './working-day.ts'

test.each([
  ['2026-11-20', true, 'a Friday'],
  ['2026-11-21', false, 'a Saturday'],
  ['2026-11-22', false, 'a Sunday'],
  ['2026-11-23', true, 'a Monday'],
  ['2026-12-10', false, 'Constitution Day, a Thursday'],
  ['1969-12-31', false, 'a holiday before 1970'],
  ['1969-12-30', true, 'a Tuesday before 1970'],
])('%s: %s, %s', (iso, open) => {
  expect(isWorkingDay(iso)).toBe(open)
})

test('holidays announced for a year count as such', () => {
  expect(isWorkingDay('2026-03-03')).toBe(true)
  expect(isWorkingDay('2026-03-03', new Set(['2026-03-03']))).toBe(false)
})

test('counts both ends', () => {
  expect(countWorkingDays('2026-11-16', '2026-11-22')).toBe(5)
  expect(countWorkingDays('2026-11-21', '2026-11-22')).toBe(0)
  expect(countWorkingDays('2026-11-23', '2026-11-20')).toBe(0)
  // 30 days with 5 and 10 December and New Year's Eve: 22 weekdays but two of these on weekdays (10th, 31st).
  expect(countWorkingDays('2026-12-02', '2026-12-31')).toBe(20)
})
