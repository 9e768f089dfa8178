import { differenceInCalendarDays } from 'date-fns'

// Each takes some milliseconds to make, which the first load has no time for.
let clock: Intl.DateTimeFormat | undefined
let weekday: Intl.DateTimeFormat | undefined

/** A UTC instant as the report's data time: `21 พ.ย. 2569 09:12 น.`, Bangkok time. */
export function thaiInstant(utcIso: string): string {
  const date = new Date(utcIso)
  if (Number.isNaN(date.getTime())) return utcIso
  clock ??= new Intl.DateTimeFormat('th-TH-u-ca-buddhist', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'Asia/Bangkok',
  })
  const part = Object.fromEntries(clock.formatToParts(date).map(({ type, value }) => [type, value]))
  return `${part.day} ${part.month} ${part.year} ${part.hour}:${part.minute} น.`
}

/** The day of a UTC instant in Bangkok, for days near enough to need no year: `พฤ. 19 พ.ย.` */
export function thaiWeekday(utcIso: string): string {
  weekday ??= new Intl.DateTimeFormat('th-TH', {
    weekday: 'narrow',
    day: 'numeric',
    month: 'short',
    timeZone: 'Asia/Bangkok',
  })
  const part = Object.fromEntries(weekday.formatToParts(new Date(utcIso)).map(({ type, value }) => [type, value]))
  return `${part.weekday}. ${part.day} ${part.month}`
}

/**
 * Whole calendar days from `today` to `iso` (both `2026-11-21`): 0 today, negative in the past. Both are read as the
 * same hour of the device's zone, so which zone that is does not matter.
 */
export function daysUntil(iso: string, today: string): number {
  return differenceInCalendarDays(`${iso}T00:00`, `${today}T00:00`)
}
