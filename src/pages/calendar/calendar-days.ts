import type { CalendarEvent } from '#contract/project/calendar.ts'
import { daysAndWorkingDaysLeftText } from '#contract/project/time-left.ts'
import { FIXED_HOLIDAYS, PUBLIC_HOLIDAYS } from '#contract/thai/public-holiday.ts'
import { addDays, addMonths, daysBetween, THAI_MONTHS } from '#contract/thai/thai-date.ts'
import { countWorkingDays, isWorkingDay } from '#contract/thai/working-day.ts'

/** Days of the calendar as ISO dates; weeks begin on Monday. */

export const WEEKDAYS = [
  { short: 'จ', full: 'จันทร์' },
  { short: 'อ', full: 'อังคาร' },
  { short: 'พ', full: 'พุธ' },
  { short: 'พฤ', full: 'พฤหัสบดี' },
  { short: 'ศ', full: 'ศุกร์' },
  { short: 'ส', full: 'เสาร์' },
  { short: 'อา', full: 'อาทิตย์' },
] as const

/** A Monday. */
const DAY_ZERO = '1970-01-05'
const BUDDHIST_YEARS = 543
/** From so many deadlines on a day is too full to be prepared for like any other. */
export const OVERLOADED_FROM = 5
/** Weeks that one question covers: a month's six, and a month ahead of its last day for the list. */
const WEEKS_ASKED = 11

/** 0 = Monday. */
export const weekdayOf = (iso: string): number => ((daysBetween(DAY_ZERO, iso) % 7) + 7) % 7
export const mondayOf = (iso: string): string => addDays(iso, -weekdayOf(iso))
export const firstOfMonth = (iso: string): string => `${iso.slice(0, 8)}01`
const lastOfMonth = (iso: string): string => addDays(addMonths(firstOfMonth(iso), 1), -1)
export const isSameMonth = (one: string, other: string): boolean => one.slice(0, 7) === other.slice(0, 7)

export const weekOf = (iso: string): string[] => Array.from({ length: 7 }, (_, day) => addDays(mondayOf(iso), day))

/** The weeks that hold a day of this month. */
export function weeksOfMonth(iso: string): string[][] {
  const weeks: string[][] = []
  for (let monday = mondayOf(firstOfMonth(iso)); monday <= lastOfMonth(iso); monday = addDays(monday, 7))
    weeks.push(weekOf(monday))
  return weeks
}

/** What is asked for when a day is looked at: the same for every day of a month, so that moving in it asks nothing. */
export function rangeAround(iso: string): { readonly from: string; readonly to: string } {
  const from = mondayOf(firstOfMonth(iso))
  return { from, to: addDays(from, WEEKS_ASKED * 7 - 1) }
}

/** Events by day, in their order. */
export const eventsByDay = (events: readonly CalendarEvent[]): ReadonlyMap<string, readonly CalendarEvent[]> =>
  Map.groupBy(events, ({ day }) => day)

/** Deadlines of a day that still hold. */
export const loadOf = (events: readonly CalendarEvent[] | undefined): number =>
  events?.filter(({ is_cancelled }) => !is_cancelled).length ?? 0

export const isOverloaded = (events: readonly CalendarEvent[] | undefined): boolean => loadOf(events) >= OVERLOADED_FROM

const HOLIDAY_NAMES = new Map(PUBLIC_HOLIDAYS.map(({ date, name }) => [date, name]))

/** Why the state's offices are closed; undefined on a plain weekend and on a working day. */
export const holidayName = (iso: string): string | undefined =>
  HOLIDAY_NAMES.get(iso) ?? FIXED_HOLIDAYS.get(iso.slice(5))

export const isClosed = (iso: string): boolean => !isWorkingDay(iso)

const monthOf = (iso: string) => THAI_MONTHS[Number(iso.slice(5, 7)) - 1]!
const yearOf = (iso: string) => Number(iso.slice(0, 4)) + BUDDHIST_YEARS
export const dayNumber = (iso: string): number => Number(iso.slice(8))

/** `ธันวาคม 2569`. */
export const monthText = (iso: string): string => `${monthOf(iso).full} ${yearOf(iso)}`
/** `พุธ 9 ธ.ค.`, and with the year where it is asked for. */
export const dayText = (iso: string, withYear = false): string =>
  `${WEEKDAYS[weekdayOf(iso)]!.full} ${dayNumber(iso)} ${monthOf(iso).short}${withYear ? ` ${yearOf(iso)}` : ''}`
/** `30 พ.ย.` */
export const shortDayText = (iso: string): string => `${dayNumber(iso)} ${monthOf(iso).short}`

/** What is left until a day, in days and working days: `เหลือ 8 วัน (5 วันทำการ)`. */
export function leftText(iso: string, today: string): string {
  const days = daysBetween(today, iso)
  if (days === 0) return 'วันนี้'
  return days < 0 ? `ผ่านมาแล้ว ${-days} วัน` : daysAndWorkingDaysLeftText(iso, today)
}

/** Figures of a month: `42 กำหนด · วันทำการ 20 วัน · แน่น 2 วัน`. */
export function monthFigures(iso: string, byDay: ReadonlyMap<string, readonly CalendarEvent[]>) {
  const days = weeksOfMonth(iso)
    .flat()
    .filter((day) => isSameMonth(day, iso))
  return {
    deadlines: days.reduce((sum, day) => sum + loadOf(byDay.get(day)), 0),
    workingDays: countWorkingDays(firstOfMonth(iso), lastOfMonth(iso)),
    overloaded: days.filter((day) => isOverloaded(byDay.get(day))).length,
  }
}
