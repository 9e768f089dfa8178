import type { DataIssue, DataIssueKind } from '#contract/catalogue/data-issue.ts'
import { toArabicDigits } from '#contract/thai/thai-letters.ts'
import { cleanFeedText } from './clean-text.ts'
import { type FeedDateRole, type ParsedFeedDate, parseFeedDateForRole } from './feed-date.ts'

/**
 * Readers for single source fields. They return `undefined` for an empty cell, `null` for an explicit "-", or throw
 * `FeedFieldError`, whose Thai message becomes the quarantine reason.
 */
export class FeedFieldError extends Error {
  override readonly name = 'FieldError'
}

export type FeedCell = string | number | null | undefined

/** The longest real name, of a whole purchasing plan, fills pages; a longer field means a broken file (R36). */
const MAX_TEXT_LENGTH = 20_000

/** Matches what programs write for a missing value, and spreadsheets for a failed formula. */
const MISSING = /^(?:[-–—]{1,3}|n\/?a|null|none|#(?:n\/a|ref!|value!|div\/0!|name\?|null!|num!))$/i
/** Spreadsheets protect digits in a CSV file as a formula: `="0105546135262"`. */
const FORMULA_TEXT = /^="([^"]*)"$/

export function parseTextCell(cell: FeedCell): string | null | undefined {
  if (cell === null || cell === undefined) return undefined
  const cleaned = cleanFeedText(String(cell))
  const text = cleaned.startsWith('="') ? cleaned.replace(FORMULA_TEXT, '$1') : cleaned
  if (text.length > MAX_TEXT_LENGTH)
    throw new FeedFieldError(`ข้อความยาวเกิน ${MAX_TEXT_LENGTH.toLocaleString('en')} ตัวอักษร`)
  if (text === '-') return null
  return text === '' || (text.length < 8 && MISSING.test(text)) ? undefined : text
}

/** Matches what people write for a value that is missing or not known yet. */
const PLACEHOLDER =
  /^(?:รอ(?:ผล|ประกาศ|พิจารณา|ลงนาม|ข้อมูล)?|(?:ยัง)?ไม่(?:มี|ระบุ|ทราบ|ปรากฏ|ได้ระบุ)(?:ข้อมูล|ผล|วันที่|ราคา)?|nan|tb[acd]|pending|unknown|\.+|\*+)$/i

/** Returns true for a name that names nothing: without a letter, or a word for a missing value. */
export const isPlaceholderName = (text: string): boolean => !/\p{L}/u.test(text) || PLACEHOLDER.test(text)

const NO_WINNER = /^(?:ไม่มีผู้(?:ชนะ|ยื่น|เสนอ)|ยังไม่(?:ได้|มี)ผู้ชนะ|ยกเลิก(?:ประกาศ|โครงการ|การจัด(?:ซื้อ|จ้าง))?$)/

export function parseTenderPartyNameCell(cell: FeedCell): string | undefined {
  const text = parseTextCell(cell)
  return typeof text !== 'string' || isPlaceholderName(text) || NO_WINNER.test(text) ? undefined : text
}

/** Undoes what spreadsheets do to ids: a leading apostrophe, a trailing .0, Thai or full-width digits, blanks. */
export const removeSpreadsheetArtefacts = (text: string): string =>
  toArabicDigits(text.normalize('NFKC')).replace(/^['‘’"]|[.,]0+$|[\s\u200b-\u200f\u2060]/gu, '')

export function parseDateCell(cell: FeedCell, label: string): string | null | undefined {
  const text = parseTextCell(cell)
  if (text === null || text === undefined) return text
  const date = parseFeedDateForRole(text, 'past')
  if (typeof date === 'string' || date.note === 'repaired') throw new FeedFieldError(`${label}: อ่านวันที่ "${text}" ไม่ได้`)
  return date.day
}

/** Maximum amount: 100 trillion baht is twenty times the national budget. */
const MAX_BAHT = 1e14

/** Matches "1.000.000,50" and "950000,50": a comma before the decimals, which no thousands grouping produces. */
const DECIMAL_COMMA = /^(\d{1,3}(?:\.\d{3}){0,5}|\d{4,15}),(\d{1,2})$/
/** Matches "1.000.000": several dots can only be thousands separators. */
const DOTTED_THOUSANDS = /^\d{1,3}(?:\.\d{3}){2,5}$/
/**
 * Matches "950.000" and "1.500", whose dot may separate thousands or decimals, so such an amount is rejected. With a
 * third digit other than 0, the dot is read as a decimal point.
 */
const AMBIGUOUS_THOUSANDS = /^[1-9]\d{0,2}\.\d{2}0$/

/**
 * Matches the currency and what closes an amount in words: "1,000.- บาทถ้วน", "THB 1,000", "1,000 (หนึ่งพันบาทถ้วน)".
 */
const AROUND_AMOUNT = /^["'“‘’=+]?(?:thb|baht|฿)?|(?:\.?-)?(?:บาท(?:ถ้วน)?|บ\.|thb|baht|฿)?["”*]?$/gi
/** Matches the amount in words, and the remark that VAT is included. An amount without VAT is another amount. */
const REMARK_ON_AMOUNT = /\([ก-๛]+ถ้วน\)$|\(?รวม(?:vat|ภาษี(?:มูลค่าเพิ่ม)?)(?:7%)?(?:แล้ว)?\)?$/i
const THAI_UNIT = /^(\d{1,9}(?:\.\d{1,6})?)(ล้าน|แสน|หมื่น|พัน)$/
const UNIT_DIGITS: Readonly<Record<string, number>> = { ล้าน: 6, แสน: 5, หมื่น: 4, พัน: 3 }

/**
 * Expands a Thai unit: "1.5ล้าน" becomes "1500000.". Shifts the decimal point in the text, because floating point is
 * inexact.
 */
function withoutUnit(text: string): string {
  const match = THAI_UNIT.exec(text.replaceAll(',', ''))
  if (match === null) return text
  const [whole = '', decimals = ''] = match[1]!.split('.')
  const places = UNIT_DIGITS[match[2]!]!
  return `${whole}${decimals.slice(0, places).padEnd(places, '0')}.${decimals.slice(places)}`
}

/** Matches the notation in which the sources write nearly all of the 5.5 million amounts of a year. */
const PLAIN_AMOUNT = /^\d{1,15}(?:\.\d{1,4})?$/

function toPlainAmount(text: string): string {
  if (PLAIN_AMOUNT.test(text)) return text
  const signless = toArabicDigits(text.normalize('NFKC'))
    .replace(/\s/g, '')
    .replace(REMARK_ON_AMOUNT, '')
    .replace(AROUND_AMOUNT, '')
  const compact = withoutUnit(signless.replace(/(?<=\d)['’٬،](?=\d{3})/g, ','))
  const comma = DECIMAL_COMMA.exec(compact)
  if (comma !== null) return `${comma[1]!.replaceAll('.', '')}.${comma[2]}`
  return DOTTED_THOUSANDS.test(compact) ? compact.replaceAll('.', '') : compact.replaceAll(',', '')
}

/** Parses a baht amount such as "1,308,608.32" into satang; more than two decimals round half up. */
export function parseMoneyCell(cell: FeedCell, label: string): number | null | undefined {
  const text = parseTextCell(cell)
  if (text === null || text === undefined) return text
  const plain = toPlainAmount(text)
  const match = AMBIGUOUS_THOUSANDS.test(plain) ? null : /^(\d{1,15})(?:\.(\d*))?$/.exec(plain)
  if (match === null) throw new FeedFieldError(`${label}: อ่านจำนวนเงิน "${text}" ไม่ได้`)
  // Work on digits: in floating point, 1308608.32 * 100 is 130860831.99999999.
  const decimals = `${match[2] ?? ''}000`
  const satang = Number(match[1]) * 100 + Number(decimals.slice(0, 2)) + (decimals[2]! >= '5' ? 1 : 0)
  if (satang > MAX_BAHT * 100) throw new FeedFieldError(`${label}: จำนวนเงิน "${text}" สูงเกินกว่าจะเป็นจริง`)
  return satang
}

/** Returns degrees within the limits, else undefined, because a bad position is not a reason to reject a project. */
export function parseCoordinateCell(cell: FeedCell, low: number, high: number): number | null | undefined {
  const text = parseTextCell(cell)
  if (text === null || text === undefined) return text
  const degrees = Number(text)
  return Number.isFinite(degrees) && degrees >= low && degrees <= high ? degrees : undefined
}

/** Reads a Buddhist fiscal year between 2540 and 2640; a Gregorian year is converted. */
export function parseFiscalYearCell(cell: FeedCell): number | null | undefined {
  const text = parseTextCell(cell)
  if (text === null || text === undefined) return text
  const number = Number(toArabicDigits(text))
  const year = number < 2400 ? number + 543 : number
  if (!Number.isInteger(year) || year < 2540 || year > 2640) throw new FeedFieldError(`ปีงบประมาณ: อ่าน "${text}" ไม่ได้`)
  return year
}

/** Threshold from which unreadable fields in one row mean shifted columns, not typos. */
const MAX_UNREADABLE = 3

/**
 * Reads the optional fields of one row. An unreadable field is omitted and recorded as a doubt; the row is still
 * accepted.
 */
export class LenientFieldReader {
  readonly doubts: DataIssue[] = []
  #unreadable = 0

  add(kind: DataIssueKind, field: string, value: FeedCell): void {
    this.doubts.push({ kind, field, value: cleanFeedText(String(value ?? '')).slice(0, 120) })
  }

  read<T>(kind: DataIssueKind, field: string, cell: FeedCell, read: () => T): T | undefined {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof FeedFieldError)) throw error
      this.fail(kind, field, cell)
      return undefined
    }
  }

  fail(kind: DataIssueKind, field: string, cell: FeedCell): void {
    this.add(kind, field, cell)
    this.#unreadable += 1
    if (this.#unreadable < MAX_UNREADABLE) return
    const fields = this.doubts.map(({ field: name, value }) => `${name} "${value}"`).join(', ')
    throw new FeedFieldError(`อ่านไม่ได้หลายช่อง คอลัมน์น่าจะเลื่อน: ${fields}`)
  }

  money(cell: FeedCell, field: string): number | undefined {
    if (typeof cell === 'string' && !/\d/.test(cell) && PLACEHOLDER.test(parseTextCell(cell) ?? '')) return undefined
    return this.read('amount_unreadable', field, cell, () => parseMoneyCell(cell, field)) ?? undefined
  }

  date(cell: FeedCell, field: string, role: FeedDateRole): ParsedFeedDate | undefined {
    const text = parseTextCell(cell)
    if (text === null || text === undefined) return undefined
    const date = parseFeedDateForRole(text, role)
    if (typeof date === 'string') {
      if (PLACEHOLDER.test(text)) this.add('date_unreadable', field, text)
      else if (date === 'unreadable') this.fail('date_unreadable', field, text)
      else this.add('date_impossible', field, text)
      return undefined
    }
    if (date.note === 'repaired') this.add('date_repaired', field, `${text} → ${date.day}`)
    if (date.note === 'utc') this.add('date_end_of_utc_day', field, text)
    return date
  }
}
