/**
 * Functions for Gregorian calendar dates as `YYYY-MM-DD` text, and for their Thai formats. The results are independent
 * of the device's time zone: a day is a number of days since 1970-01-01, and "now" is converted once to a Bangkok day
 * (UTC+7, no daylight saving time).
 */

const FIRST_YEAR = 1900
const LAST_YEAR = 2399
const BUDDHIST_OFFSET = 543
const DAY_MS = 86_400_000
const BANGKOK_MS = 7 * 3_600_000

export const THAI_MONTHS = [
  { short: 'ม.ค.', full: 'มกราคม' },
  { short: 'ก.พ.', full: 'กุมภาพันธ์' },
  { short: 'มี.ค.', full: 'มีนาคม' },
  { short: 'เม.ย.', full: 'เมษายน' },
  { short: 'พ.ค.', full: 'พฤษภาคม' },
  { short: 'มิ.ย.', full: 'มิถุนายน' },
  { short: 'ก.ค.', full: 'กรกฎาคม' },
  { short: 'ส.ค.', full: 'สิงหาคม' },
  { short: 'ก.ย.', full: 'กันยายน' },
  { short: 'ต.ค.', full: 'ตุลาคม' },
  { short: 'พ.ย.', full: 'พฤศจิกายน' },
  { short: 'ธ.ค.', full: 'ธันวาคม' },
] as const

/** Indexed like `Date.getDay()`, from Sunday; `short` lacks the final dot, which narrow calendars omit. */
export const THAI_WEEKDAYS = [
  { short: 'อา', full: 'อาทิตย์' },
  { short: 'จ', full: 'จันทร์' },
  { short: 'อ', full: 'อังคาร' },
  { short: 'พ', full: 'พุธ' },
  { short: 'พฤ', full: 'พฤหัสบดี' },
  { short: 'ศ', full: 'ศุกร์' },
  { short: 'ส', full: 'เสาร์' },
] as const

export function getDaysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}

const pad = (value: number, width: number) => String(value).padStart(width, '0')
const isoOf = (year: number, month: number, day: number) => `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`
const dayNumber = (iso: string) => Date.parse(`${iso}T00:00:00Z`) / DAY_MS

/** Returns the parts of an ISO date; undefined for other text, a nonexistent day, or a year outside 1900–2399. */
export function parseIsoDate(iso: string): { year: number; month: number; day: number } | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(iso)
  if (!match) return undefined
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number]
  const exists = month >= 1 && month <= 12 && day >= 1 && day <= getDaysInMonth(year, month)
  return exists && year >= FIRST_YEAR && year <= LAST_YEAR ? { year, month, day } : undefined
}

export function toIsoDate(year: number, month: number, day: number): string | undefined {
  const iso = isoOf(year, month, day)
  return parseIsoDate(iso) && iso
}

export function getBangkokToday(now: Date): string {
  return new Date(now.getTime() + BANGKOK_MS).toISOString().slice(0, 10)
}

export function addDays(iso: string, days: number): string {
  return new Date((dayNumber(iso) + days) * DAY_MS).toISOString().slice(0, 10)
}

/** Returns the same day `months` later, or the last day of a shorter month (31 ม.ค. + 1 = 28/29 ก.พ.). */
export function addMonths(iso: string, months: number): string {
  const [year, month, day] = iso.split('-').map(Number) as [number, number, number]
  const index = year * 12 + (month - 1) + months
  const [toYear, toMonth] = [Math.floor(index / 12), (index % 12) + 1]
  return isoOf(toYear, toMonth, Math.min(day, getDaysInMonth(toYear, toMonth)))
}

export function countDaysBetween(from: string, to: string): number {
  return dayNumber(to) - dayNumber(from)
}

/** Returns the fiscal year of a date. Year N runs from 1 October N−1 to 30 September N (D15). */
export function getFiscalYear(iso: string): number {
  const [year, month] = iso.split('-').map(Number) as [number, number]
  return month >= 10 ? year + BUDDHIST_OFFSET + 1 : year + BUDDHIST_OFFSET
}

export function getFiscalYearRange(year: number): { from: string; to: string } {
  const ends = year - BUDDHIST_OFFSET
  return { from: isoOf(ends - 1, 10, 1), to: isoOf(ends, 9, 30) }
}

/** Formats a Buddhist fiscal year as `1 ต.ค. 2567 – 30 ก.ย. 2568`. It begins in the calendar year before its number. */
export function formatFiscalYearSpan(year: number): string {
  const { from, to } = getFiscalYearRange(year)
  return `${formatThaiDateShort(from)} – ${formatThaiDateShort(to)}`
}

/** Resolves a `DateRange` bound, an ISO date or `@n` (n days from today), to an ISO date. Undefined for other text. */
export function resolveDateBound(bound: string, today: string): string | undefined {
  const relative = /^@(-?\d{1,4})$/.exec(bound)
  if (relative) return addDays(today, Number(relative[1]))
  return parseIsoDate(bound) && bound
}

/** Formats an ISO date as `29/02/2567`; returns `–` for null or an invalid date. */
export function formatThaiDate(iso: string | null): string {
  const date = iso === null ? undefined : parseIsoDate(iso)
  return date ? `${pad(date.day, 2)}/${pad(date.month, 2)}/${date.year + BUDDHIST_OFFSET}` : '–'
}

export function formatThaiDateShort(iso: string | null): string {
  const date = iso === null ? undefined : parseIsoDate(iso)
  return date ? `${date.day} ${THAI_MONTHS[date.month - 1]!.short} ${date.year + BUDDHIST_OFFSET}` : '–'
}

/** Formats an ISO date as `21 พฤศจิกายน พ.ศ. 2569`, for letters; returns `–` for null or an invalid date. */
export function formatThaiDateLong(iso: string | null): string {
  const date = iso === null ? undefined : parseIsoDate(iso)
  return date ? `${date.day} ${THAI_MONTHS[date.month - 1]!.full} พ.ศ. ${date.year + BUDDHIST_OFFSET}` : '–'
}

/**
 * Formats an ISO date like `formatThaiDateShort`; returns other text unchanged, because feed values are shown as
 * received.
 */
export function formatThaiDateShortOrOriginal(iso: string): string {
  const text = formatThaiDateShort(iso)
  return text === '–' ? iso : text
}

export const formatMovementDay = (iso: string, isUndated: boolean | undefined): string =>
  isUndated ? `ไม่เกิน ${formatThaiDateShortOrOriginal(iso)}` : formatThaiDateShortOrOriginal(iso)

/** Formats a point in time in Bangkok time, as `21/11/2569 09:05`. */
export function formatBangkokTime(instant: Date): string {
  const shifted = new Date(instant.getTime() + BANGKOK_MS).toISOString()
  return `${formatThaiDate(shifted.slice(0, 10))} ${shifted.slice(11, 16)}`
}
