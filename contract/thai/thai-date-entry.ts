import { addDays, addMonths, getDaysInMonth, parseIsoDate, THAI_MONTHS, toIsoDate } from './thai-date.ts'
import { normaliseThai } from './thai-text.ts'

type ThaiDateErrorCode = 'E_EMPTY' | 'E_FORMAT' | 'E_MONTH' | 'E_DAY' | 'E_YEAR'
/**
 * `bound` is the `DateRange` value: `@7` for a date relative to today, else the date itself. `message` is Thai, for the
 * user.
 */
type ThaiDateParseResult =
  | { readonly ok: true; readonly iso: string; readonly bound: string }
  | { readonly ok: false; readonly code: ThaiDateErrorCode; readonly message: string }

const MAX_LENGTH = 60
const EXAMPLE = 'เช่น 15/3/2569, 15 มี.ค. 69 หรือ อีก 7 วัน'

const refuse = (code: ThaiDateErrorCode, message: string): ThaiDateParseResult => ({ ok: false, code, message })

/** Normalised month names without dots, including colloquial forms without endings (`กุมภา`, `มีนา`). */
const MONTH_BY_NAME: ReadonlyMap<string, number> = new Map(
  THAI_MONTHS.flatMap(({ short, full }, index) =>
    [short, full, full.replace(/(คม|ยน|พันธ์)$/, '')].map(
      (name) => [normaliseThai(name).replaceAll('.', ''), index + 1] as const,
    ),
  ),
)

const RELATIVE_WORDS: ReadonlyMap<string, number> = new Map([
  ['วันนี้', 0],
  ['พรุ่งนี้', 1],
  ['มะรืน', 2],
  ['มะรืนนี้', 2],
  ['เมื่อวาน', -1],
  ['เมื่อวานนี้', -1],
  ['เมื่อวานซืน', -2],
])

type Era = 'พ.ศ.' | 'ค.ศ.' | undefined

/**
 * Converts a typed year. Without a written era, two digits mean Buddhist 25yy, years from 2400 are Buddhist, and lower
 * ones Gregorian.
 */
function gregorianYear(text: string, era: Era): number {
  const year = text.length === 2 ? 2500 + Number(text) : Number(text)
  const buddhist = era === undefined ? text.length === 2 || year >= 2400 : era === 'พ.ศ.'
  return buddhist ? year - 543 : year
}

function calendarDate(day: number, month: number, yearText: string, era: Era): ThaiDateParseResult {
  const year = gregorianYear(yearText, era)
  if (month < 1 || month > 12) return refuse('E_MONTH', `ไม่มีเดือนที่ ${month}`)
  if (year < 1900 || year > 2399) return refuse('E_YEAR', `ปี ${yearText} ไม่อยู่ในช่วงที่ใช้ได้ ใส่ปี พ.ศ. ${EXAMPLE}`)
  const iso = toIsoDate(year, month, day)
  if (iso) return { ok: true, iso, bound: iso }
  const { full } = THAI_MONTHS[month - 1]!
  return refuse('E_DAY', `ไม่มีวันที่ ${day}: ${full} ${year + 543} มี ${getDaysInMonth(year, month)} วัน`)
}

function fromDaysAway(days: number, today: string): ThaiDateParseResult {
  return { ok: true, iso: addDays(today, days), bound: `@${days}` }
}

function relativeDate(compact: string, today: string): ThaiDateParseResult | undefined {
  const daysAway = RELATIVE_WORDS.get(compact)
  if (daysAway !== undefined) return fromDaysAway(daysAway, today)
  const ahead = /^อีก(\d{1,4})(วัน|สัปดาห์|อาทิตย์|เดือน|ปี)$/.exec(compact)
  const ago = /^(\d{1,4})(วัน|สัปดาห์|อาทิตย์|เดือน|ปี)(?:ที่แล้ว|ก่อน|ที่ผ่านมา)$/.exec(compact)
  const match = ahead ?? ago
  if (!match) return undefined
  const count = Number(match[1]) * (ahead ? 1 : -1)
  const unit = match[2]
  const days = unit === 'วัน' ? count : unit === 'สัปดาห์' || unit === 'อาทิตย์' ? count * 7 : undefined
  const iso = days === undefined ? addMonths(today, unit === 'ปี' ? count * 12 : count) : addDays(today, days)
  if (!parseIsoDate(iso)) return refuse('E_YEAR', `ไกลเกินไป ${EXAMPLE}`)
  return days === undefined || Math.abs(days) > 9999 ? { ok: true, iso, bound: iso } : fromDaysAway(days, today)
}

/**
 * Parses a date as people type it: `15/3/2569`, `15/3/69`, `15-3-2026`, `2026-03-15`, `15 มี.ค. 69`, `วันที่ ๑๕ มีนาคม
 * พ.ศ. ๒๕๖๙`, `วันนี้`, `อีก 7 วัน`, `7 วันที่แล้ว`. `today` is the ISO date in Bangkok. Never throws.
 */
export function parseThaiDate(text: string, today: string): ThaiDateParseResult {
  if (text.length > MAX_LENGTH) return refuse('E_FORMAT', `อ่านวันที่ไม่ออก ${EXAMPLE}`)
  const typed = normaliseThai(text).replace(/^วันที่/, '').trim()
  if (typed === '') return refuse('E_EMPTY', 'กรอกวันที่')
  const relative = relativeDate(typed.replaceAll(' ', ''), today)
  if (relative) return relative

  const era = typed.includes('พ.ศ.') ? 'พ.ศ.' : typed.includes('ค.ศ.') ? 'ค.ศ.' : undefined
  const plain = era ? typed.replace(era, ' ').trim() : typed
  const dayMonthYear = /^(\d{1,2}) ?([^\d]{2,14}?) ?(\d{2}|\d{4})$/.exec(plain)
  const month = dayMonthYear && MONTH_BY_NAME.get(dayMonthYear[2]!.replace(/[. ]/g, ''))
  if (dayMonthYear && month) return calendarDate(Number(dayMonthYear[1]), month, dayMonthYear[3]!, era)

  const parts = plain.split(/ ?[/.-] ?| /)
  const isNumeric = parts.length === 3 && parts.every((part) => /^\d{1,4}$/.test(part))
  if (!isNumeric) return refuse('E_FORMAT', `อ่านวันที่ไม่ออก ${EXAMPLE}`)
  const [first, second, third] = parts as [string, string, string]
  if (first.length === 4 && third.length <= 2) return calendarDate(Number(third), Number(second), first, era)
  if (first.length <= 2 && second.length <= 2 && (third.length === 2 || third.length === 4)) {
    return calendarDate(Number(first), Number(second), third, era)
  }
  return refuse('E_FORMAT', `อ่านวันที่ไม่ออก ${EXAMPLE}`)
}
