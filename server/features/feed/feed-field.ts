import { cleanText } from './clean-text.ts'

/**
 * Readers of one field of a source. Each answers `undefined` for "not said" (empty), `null` for "said to be empty" ("-"),
 * or throws `FieldError`, whose Thai message becomes the reason in quarantine.
 */
export class FieldError extends Error {
  override readonly name = 'FieldError'
}

export type Cell = string | number | null | undefined

const MONTHS = ['ม.ค.', 'ก.พ.', 'มี.ค.', 'เม.ย.', 'พ.ค.', 'มิ.ย.', 'ก.ค.', 'ส.ค.', 'ก.ย.', 'ต.ค.', 'พ.ย.', 'ธ.ค.']
const FULL_MONTHS = [
  'มกราคม',
  'กุมภาพันธ์',
  'มีนาคม',
  'เมษายน',
  'พฤษภาคม',
  'มิถุนายน',
  'กรกฎาคม',
  'สิงหาคม',
  'กันยายน',
  'ตุลาคม',
  'พฤศจิกายน',
  'ธันวาคม',
]
const withoutDots = (text: string) => text.replace(/[.\s]/g, '')
const MONTH_NUMBERS = new Map([
  ...MONTHS.map((month, index) => [withoutDots(month), index + 1] as const),
  ...FULL_MONTHS.map((month, index) => [month, index + 1] as const),
])
const THAI_ZERO = '๐'.charCodeAt(0)

/** ๐-๙ as 0-9. */
export function arabicDigits(text: string): string {
  if (!/[๐-๙]/.test(text)) return text
  return text.replace(/[๐-๙]/g, (digit) => String(digit.charCodeAt(0) - THAI_ZERO))
}

/** The longest real name, of a whole purchasing plan, runs to pages; a field beyond this is a file gone wrong (R36). */
const MAX_TEXT = 20_000

/** A clean text, or null for "-", or undefined for an empty cell. @throws FieldError for one of more than 20,000 characters. */
export function readText(cell: Cell): string | null | undefined {
  if (cell === null || cell === undefined) return undefined
  const text = cleanText(String(cell))
  if (text.length > MAX_TEXT) throw new FieldError(`ข้อความยาวเกิน ${MAX_TEXT.toLocaleString('en')} ตัวอักษร`)
  return text === '' ? undefined : text === '-' ? null : text
}

/**
 * The size of a year says which calendar it is of: four digits from 2400 on are Buddhist (1857 CE, before any
 * contract here), and two digits are always Buddhist, as e-GP writes them ("7 ก.พ. 68").
 */
function gregorianYear(year: string): number {
  const number = Number(year)
  if (year.length === 2) return number + 2500 - 543
  return number >= 2400 ? number - 543 : number
}

const two = (number: number) => (number < 10 ? `0${number}` : String(number))

function isoDate(year: number, month: number, day: number): string | undefined {
  if (year < 1950 || year > 2150 || month < 1 || month > 12 || day < 1) return undefined
  // Day 0 of the next month is the last one of this.
  if (day > 28 && day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return undefined
  return `${year}-${two(month)}-${two(day)}`
}

/** ISO date of "2025-02-07", "2568-02-07", "7 ก.พ. 68", "7 กุมภาพันธ์ 2568", "07/02/2568" or an ISO date-time (its Bangkok day). Undefined when it is none. */
export function parseFeedDate(text: string): string | undefined {
  const plain = arabicDigits(text)
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ][\d:.]+)?$/.exec(plain)
  if (iso !== null) return isoDate(gregorianYear(iso[1]!), Number(iso[2]), Number(iso[3]))
  const withTime = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)$/.exec(plain)
  if (withTime !== null && Number(plain.slice(0, 4)) < 2400) {
    const instant = Date.parse(plain)
    // Bangkok is UTC+7 the whole year and has been since 1920.
    return Number.isNaN(instant) ? undefined : new Date(instant + 7 * 3_600_000).toISOString().slice(0, 10)
  }
  const slashes = /^(\d{1,2})[/-](\d{1,2})[/-](\d{2}|\d{4})$/.exec(plain)
  if (slashes !== null) return isoDate(gregorianYear(slashes[3]!), Number(slashes[2]), Number(slashes[1]))
  const words = /^(\d{1,2})\s*(?=[^\d\s])([^\d]*)(\d{2}|\d{4})$/.exec(plain)
  const month = words === null ? undefined : MONTH_NUMBERS.get(withoutDots(words[2]!))
  return words === null || month === undefined ? undefined : isoDate(gregorianYear(words[3]!), month, Number(words[1]))
}

/** Same three answers for a date; `label` is the column's name in the message. */
export function readDate(cell: Cell, label: string): string | null | undefined {
  const text = readText(cell)
  if (text === null || text === undefined) return text
  const date = parseFeedDate(text)
  if (date === undefined) throw new FieldError(`${label}: อ่านวันที่ "${text}" ไม่ได้`)
  return date
}

/** Largest amount that is taken for real: 100 trillion baht is twenty times the whole state budget. */
const MAX_BAHT = 1e14

/** Satang of an amount in baht such as "1,308,608.32"; more than two decimals are rounded half up. */
export function readMoney(cell: Cell, label: string): number | null | undefined {
  const text = readText(cell)
  if (text === null || text === undefined) return text
  const plain = arabicDigits(text).replace(/[,\s฿]|บาท$/g, '')
  const parts = /^(\d{1,15})(?:\.(\d*))?$/.exec(plain)
  if (parts === null) throw new FieldError(`${label}: อ่านจำนวนเงิน "${text}" ไม่ได้`)
  // Digits, not floating point: 1308608.32 * 100 is 130860831.99999999.
  const decimals = `${parts[2] ?? ''}000`
  const satang = Number(parts[1]) * 100 + Number(decimals.slice(0, 2)) + (decimals[2]! >= '5' ? 1 : 0)
  if (satang > MAX_BAHT * 100) throw new FieldError(`${label}: จำนวนเงิน "${text}" สูงเกินกว่าจะเป็นจริง`)
  return satang
}

/** Degrees between the limits, else undefined: a wrong position is no reason to refuse a project. */
export function readDegrees(cell: Cell, low: number, high: number): number | null | undefined {
  const text = readText(cell)
  if (text === null || text === undefined) return text
  const degrees = Number(text)
  return Number.isFinite(degrees) && degrees >= low && degrees <= high ? degrees : undefined
}

/** Buddhist fiscal year between 2540 and 2640; a Gregorian year is moved up. */
export function readFiscalYear(cell: Cell): number | null | undefined {
  const text = readText(cell)
  if (text === null || text === undefined) return text
  const number = Number(arabicDigits(text))
  const year = number < 2400 ? number + 543 : number
  if (!Number.isInteger(year) || year < 2540 || year > 2640) throw new FieldError(`ปีงบประมาณ: อ่าน "${text}" ไม่ได้`)
  return year
}
