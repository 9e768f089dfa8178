import { getHolidaysBetween, isPublicHoliday } from './public-holiday.ts'
import { addDays, countDaysBetween } from './thai-date.ts'

/**
 * Working days of state offices: no weekends and no public holidays (`public-holiday.ts`). For years without a holiday
 * list only fixed holidays are excluded, so counts are at most a few days too high.
 */

/** Start of the day numbers. It was a Thursday, hence the + 3 in `listDaysOfWeek`. */
const DAY_ZERO = '1970-01-01'

/** Returns the week and weekday (Monday 0), also for dates before DAY_ZERO. */
const weekOf = (iso: string) => {
  const days = countDaysBetween(DAY_ZERO, iso) + 3
  return { weeks: Math.floor(days / 7), weekday: ((days % 7) + 7) % 7 }
}
export const getMondayOfWeek = (iso: string): string => addDays(iso, -weekOf(iso).weekday)
const isWeekday = (iso: string) => weekOf(iso).weekday < 5

export function isWorkingDay(iso: string, announced: ReadonlySet<string> = new Set()): boolean {
  return isWeekday(iso) && !isPublicHoliday(iso) && !announced.has(iso)
}

function weekdaysBefore(iso: string): number {
  const { weeks, weekday } = weekOf(iso)
  return weeks * 5 + Math.min(weekday, 5)
}

/**
 * Returns the number of working days between two dates, both inclusive; 0 when the second is earlier. Does not iterate
 * over days, because a feed may contain a date centuries away and a page computes several counts every minute.
 */
export function countWorkingDays(from: string, to: string, announced: ReadonlySet<string> = new Set()): number {
  if (to < from) return 0
  const holidays = getHolidaysBetween(from, to)
  for (const day of announced) if (day >= from && day <= to) holidays.add(day)
  const weekdays = weekdaysBefore(addDays(to, 1)) - weekdaysBefore(from)
  return weekdays - [...holidays].filter(isWeekday).length
}

/** Returns the date `days` working days later, or earlier when negative; the start date never counts. */
export function addWorkingDays(iso: string, days: number): string {
  const step = days < 0 ? -1 : 1
  let day = iso
  let remaining = Math.abs(days)
  while (remaining > 0) {
    day = addDays(day, step)
    if (isWorkingDay(day)) remaining -= 1
  }
  return day
}
