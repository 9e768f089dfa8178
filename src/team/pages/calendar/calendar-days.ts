import {
  addWeeks,
  eachDayOfInterval,
  eachWeekOfInterval,
  endOfISOWeek,
  endOfMonth,
  formatISO,
  parseISO,
  startOfISOWeek,
  startOfMonth,
} from 'date-fns'
import { formatDaysAndWorkingDaysLeft } from '#contract/catalogue/time-left.ts'
import type { CalendarEvent } from '#contract/team/calendar.ts'
import { FIXED_DATE_HOLIDAYS, PUBLIC_HOLIDAYS } from '#contract/thai/public-holiday.ts'
import { countDaysBetween, formatThaiDateShort, THAI_MONTHS, THAI_WEEKDAYS } from '#contract/thai/thai-date.ts'
import { countWorkingDays } from '#contract/thai/working-day.ts'

const [SUNDAY, ...MONDAY_TO_SATURDAY] = THAI_WEEKDAYS
export const TEAM_CALENDAR_WEEKDAYS = [...MONDAY_TO_SATURDAY, SUNDAY] as const

const BUDDHIST_YEARS = 543
const OVERLOADED_DAY_EVENT_COUNT = 5
/** Weeks covered by one query: the six weeks of a month view and, for the agenda, a month after its last day. */
const WEEKS_PER_QUERY = 11

/** Formats a date in the device's time zone. Dates are parsed in the same zone, so no conversion shifts them. */
const isoDate = (date: Date): string => formatISO(date, { representation: 'date' })

export const isSameMonth = (a: string, b: string): boolean => a.slice(0, 7) === b.slice(0, 7)

export const listDaysOfWeek = (iso: string): string[] =>
  eachDayOfInterval({ start: startOfISOWeek(parseISO(iso)), end: endOfISOWeek(parseISO(iso)) }).map(isoDate)

export const listWeeksOfMonth = (iso: string): string[][] =>
  eachWeekOfInterval({ start: startOfMonth(parseISO(iso)), end: endOfMonth(parseISO(iso)) }, { weekStartsOn: 1 }).map(
    (monday) => listDaysOfWeek(isoDate(monday)),
  )

/** Equal for all days of a month, so that moving within the month does not refetch. */
export function getCalendarRangeAround(iso: string): { readonly from: string; readonly to: string } {
  const from = startOfISOWeek(startOfMonth(parseISO(iso)))
  return { from: isoDate(from), to: isoDate(endOfISOWeek(addWeeks(from, WEEKS_PER_QUERY - 1))) }
}

export const groupEventsByDay = (events: readonly CalendarEvent[]): ReadonlyMap<string, readonly CalendarEvent[]> =>
  Map.groupBy(events, ({ day }) => day)

export const groupEventsByKind = (events: readonly CalendarEvent[]) =>
  Map.groupBy(
    events.filter(({ is_cancelled }) => !is_cancelled),
    ({ kind }) => kind,
  )

export const countDeadlines = (events: readonly CalendarEvent[] | undefined): number =>
  events?.filter(({ is_cancelled }) => !is_cancelled).length ?? 0

export const isOverloadedDay = (events: readonly CalendarEvent[] | undefined): boolean =>
  countDeadlines(events) >= OVERLOADED_DAY_EVENT_COUNT

const HOLIDAY_NAMES = new Map(PUBLIC_HOLIDAYS.map(({ date, name }) => [date, name]))

export const getHolidayName = (iso: string): string | undefined =>
  HOLIDAY_NAMES.get(iso) ?? FIXED_DATE_HOLIDAYS.get(iso.slice(5))

const monthOf = (iso: string) => THAI_MONTHS[Number(iso.slice(5, 7)) - 1]!
export const getDayOfMonth = (iso: string): number => Number(iso.slice(8))

export const formatThaiMonthAndYear = (iso: string): string =>
  `${monthOf(iso).full} ${Number(iso.slice(0, 4)) + BUDDHIST_YEARS}`
export const formatShortCalendarDay = (iso: string): string => `${getDayOfMonth(iso)} ${monthOf(iso).short}`
export const formatCalendarDay = (iso: string, withYear = false): string =>
  `${THAI_WEEKDAYS[parseISO(iso).getDay()]!.full} ${withYear ? formatThaiDateShort(iso) : formatShortCalendarDay(iso)}`

export function formatCalendarTimeLeft(iso: string, today: string): string {
  const days = countDaysBetween(today, iso)
  if (days === 0) return 'วันนี้'
  return days < 0 ? `ผ่านมาแล้ว ${-days} วัน` : formatDaysAndWorkingDaysLeft(iso, today)
}

export function summarizeCalendarMonth(iso: string, byDay: ReadonlyMap<string, readonly CalendarEvent[]>) {
  const days = listWeeksOfMonth(iso)
    .flat()
    .filter((day) => isSameMonth(day, iso))
  return {
    deadlines: days.reduce((sum, day) => sum + countDeadlines(byDay.get(day)), 0),
    workingDays: countWorkingDays(days[0]!, days.at(-1)!),
    overloaded: days.filter((day) => isOverloadedDay(byDay.get(day))).length,
  }
}
