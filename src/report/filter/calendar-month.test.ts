import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, getDaysInMonth } from '#contract/thai/thai-date.ts'
import {
  buildCalendarWeeks,
  clampDayToMonth,
  DATE_GRID_WEEKDAYS,
  getWeekdayIndex,
  resolveDateGridKeyPress,
} from './date-grid.tsx'

const names = (iso: string) => DATE_GRID_WEEKDAYS[getWeekdayIndex(iso)]?.full

test.each([
  ['2026-11-21', 'วันเสาร์'],
  ['2024-02-29', 'วันพฤหัสบดี'],
  ['2000-01-01', 'วันเสาร์'],
  ['1900-01-01', 'วันจันทร์'],
  ['2399-12-31', 'วันศุกร์'],
])('%s is a %s', (iso, name) => {
  expect(names(iso)).toBe(name)
})

describe('the weeks of a month', () => {
  test('contain each of its days once, in its weekday column', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1900, max: 2399 }), fc.integer({ min: 1, max: 12 }), (year, month) => {
        const weeks = buildCalendarWeeks(year, month)
        const days = weeks.flat().filter((iso) => iso !== undefined)
        expect(days).toHaveLength(getDaysInMonth(year, month))
        for (const week of weeks) {
          expect(week).toHaveLength(7)
          for (const [column, iso] of week.entries()) if (iso !== undefined) expect(getWeekdayIndex(iso)).toBe(column)
        }
      }),
    )
  })

  test('end February on the 29th in leap years only', () => {
    const last = (year: number) =>
      buildCalendarWeeks(year, 2)
        .flat()
        .findLast((iso) => iso !== undefined)
    expect([last(2024), last(2026), last(2100), last(2000)]).toEqual([
      '2024-02-29',
      '2026-02-28',
      '2100-02-28',
      '2000-02-29',
    ])
  })

  test('do not depend on the device time zone or daylight saving time', () => {
    const zone = process.env.TZ
    try {
      for (const timeZone of ['Pacific/Kiritimati', 'America/Los_Angeles', 'Europe/London']) {
        process.env.TZ = timeZone
        expect(
          buildCalendarWeeks(2026, 3)
            .flat()
            .filter((iso) => iso === '2026-03-29'),
        ).toHaveLength(1)
        expect(names('2026-03-29')).toBe('วันอาทิตย์')
        expect(resolveDateGridKeyPress('2026-03-28', 'ArrowRight', false)).toBe('2026-03-29')
      }
    } finally {
      process.env.TZ = zone
    }
  })
})

describe('a grid key', () => {
  test.each([
    ['ArrowLeft', false, '2026-11-20'],
    ['ArrowRight', false, '2026-11-22'],
    ['ArrowUp', false, '2026-11-14'],
    ['ArrowDown', false, '2026-11-28'],
    ['Home', false, '2026-11-15'],
    ['End', false, '2026-11-21'],
    ['PageUp', false, '2026-10-21'],
    ['PageDown', false, '2026-12-21'],
    ['PageUp', true, '2025-11-21'],
    ['PageDown', true, '2027-11-21'],
    ['Enter', false, undefined],
    ['constructor', false, undefined],
  ])('%s (shift: %s) moves from 21 November 2026 to %s', (key, withShift, to) => {
    expect(resolveDateGridKeyPress('2026-11-21', key, withShift)).toBe(to)
  })

  test('moves to the last day of a shorter month, also of February without a 29th', () => {
    expect(resolveDateGridKeyPress('2026-01-31', 'PageDown', false)).toBe('2026-02-28')
    expect(resolveDateGridKeyPress('2024-02-29', 'PageDown', true)).toBe('2025-02-28')
    expect(clampDayToMonth('2024-02-29', 2023, 2)).toBe('2023-02-28')
    expect(clampDayToMonth('2026-03-31', 2026, 4)).toBe('2026-04-30')
  })

  test('stays within the dates that a filter supports', () => {
    expect(resolveDateGridKeyPress('1900-01-01', 'ArrowLeft', false)).toBeUndefined()
    expect(resolveDateGridKeyPress('2399-12-31', 'PageDown', false)).toBeUndefined()
  })

  test('is reversed by its opposite', () => {
    const day = fc.integer({ min: 0, max: 150_000 }).map((days) => addDays('1950-01-01', days))
    const pair = fc.constantFrom(['ArrowLeft', 'ArrowRight'], ['ArrowUp', 'ArrowDown'])
    fc.assert(
      fc.property(day, pair, (iso, [there = '', back = '']) => {
        expect(resolveDateGridKeyPress(resolveDateGridKeyPress(iso, there, false)!, back, false)).toBe(iso)
      }),
    )
  })
})
