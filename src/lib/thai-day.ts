import { THAI_MONTHS } from '#contract/thai/thai-date.ts'

const WEEKDAYS = ['อา', 'จ', 'อ', 'พ', 'พฤ', 'ศ', 'ส'] as const
const BUDDHIST_YEARS = 543
/** Thailand has one zone and no summer time. */
const BANGKOK_MS = 7 * 3_600_000

/** The clock of Bangkok as the UTC parts of a date. By hand: the first formatter of a page takes a browser 20 ms, a phone 100 ms. */
const inBangkok = (utcIso: string) => new Date(Date.parse(utcIso) + BANGKOK_MS)
const dayAndMonth = (date: Date) => `${date.getUTCDate()} ${THAI_MONTHS[date.getUTCMonth()]?.short}`
const twoDigits = (value: number) => String(value).padStart(2, '0')

/** A UTC instant as the report's data time: `21 พ.ย. 2569 09:12 น.`, Bangkok time. */
export function thaiInstant(utcIso: string): string {
  const date = inBangkok(utcIso)
  if (Number.isNaN(date.getTime())) return utcIso
  const year = date.getUTCFullYear() + BUDDHIST_YEARS
  return `${dayAndMonth(date)} ${year} ${twoDigits(date.getUTCHours())}:${twoDigits(date.getUTCMinutes())} น.`
}

/** The same without the year where that is the one of `now`: `21 พ.ย. 09:12 น.` */
export function thaiInstantShort(utcIso: string, now: Date): string {
  const full = thaiInstant(utcIso)
  const year = inBangkok(now.toISOString()).getUTCFullYear() + BUDDHIST_YEARS
  return full.replace(` ${year} `, ' ')
}

/** The day of a UTC instant in Bangkok, for days near enough to need no year: `พฤ. 19 พ.ย.` */
export function thaiWeekday(utcIso: string): string {
  const date = inBangkok(utcIso)
  return `${WEEKDAYS[date.getUTCDay()]}. ${dayAndMonth(date)}`
}
