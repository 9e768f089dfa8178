import { addDays, addMonths, daysInMonth, makeIsoDate, readIsoDate } from '#contract/thai-date.ts'

/** Days as a calendar shows them: weeks from Sunday, as Thai calendars are printed. ISO dates throughout, so no zone can shift a day. */
const WEEK = 7
/** A Sunday: 31 December 1899, the day before the first that a filter can hold. */
const FIRST_SUNDAY = Date.UTC(1899, 11, 31)
const DAY_MS = 86_400_000

export const WEEKDAYS = [
  { short: 'อา.', full: 'วันอาทิตย์' },
  { short: 'จ.', full: 'วันจันทร์' },
  { short: 'อ.', full: 'วันอังคาร' },
  { short: 'พ.', full: 'วันพุธ' },
  { short: 'พฤ.', full: 'วันพฤหัสบดี' },
  { short: 'ศ.', full: 'วันศุกร์' },
  { short: 'ส.', full: 'วันเสาร์' },
] as const

/** Place of a day in its week, 0 for Sunday. */
export function weekdayOf(iso: string): number {
  const days = (Date.parse(`${iso}T00:00:00Z`) - FIRST_SUNDAY) / DAY_MS
  return ((days % WEEK) + WEEK) % WEEK
}

/** The weeks that a month touches, Sunday to Saturday; days of the months beside it are left empty. */
export function weeksOf(year: number, month: number): (string | undefined)[][] {
  const first = makeIsoDate(year, month, 1)
  if (!first) return []
  const cells: (string | undefined)[] = new Array<undefined>(weekdayOf(first)).fill(undefined)
  for (let day = 0; day < daysInMonth(year, month); day += 1) cells.push(addDays(first, day))
  while (cells.length % WEEK !== 0) cells.push(undefined)
  return Array.from({ length: cells.length / WEEK }, (_, week) => cells.slice(week * WEEK, (week + 1) * WEEK))
}

/** The day that a key of the date grid leads to (WAI-ARIA authoring practices), or undefined for other keys and days out of the calendar. */
export function dayAfterKey(iso: string, key: string, withShift: boolean): string | undefined {
  const weekday = weekdayOf(iso)
  const moves: Readonly<Record<string, () => string>> = {
    ArrowLeft: () => addDays(iso, -1),
    ArrowRight: () => addDays(iso, 1),
    ArrowUp: () => addDays(iso, -WEEK),
    ArrowDown: () => addDays(iso, WEEK),
    Home: () => addDays(iso, -weekday),
    End: () => addDays(iso, WEEK - 1 - weekday),
    PageUp: () => addMonths(iso, withShift ? -12 : -1),
    PageDown: () => addMonths(iso, withShift ? 12 : 1),
  }
  const to = Object.hasOwn(moves, key) ? moves[key]?.() : undefined
  return to !== undefined && readIsoDate(to) ? to : undefined
}

/** The same day in another month, or the last day of a shorter one. */
export function dayInMonth(iso: string, year: number, month: number): string {
  const day = readIsoDate(iso)?.day ?? 1
  return makeIsoDate(year, month, Math.min(day, daysInMonth(year, month))) ?? iso
}
