import { normaliseThai } from './thai-text.ts'

type ThaiMoneyErrorCode = 'E_EMPTY' | 'E_FORMAT' | 'E_PRECISION' | 'E_RANGE'
type ThaiMoneyParseResult =
  | { readonly ok: true; readonly baht: number }
  | { readonly ok: false; readonly code: ThaiMoneyErrorCode; readonly message: string }

/** Same limit as the money parameters in URLs: ten ล้านล้าน baht. */
const MAX_SATANG = 10_000_000_000_000n * 100n
const MAX_LENGTH = 60
const EXAMPLE = 'เช่น 500,000 หรือ 5 ล้าน หรือ 1.2 พันล้าน'

const UNITS: readonly (readonly [string, bigint])[] = [
  ['ร้อย', 100n],
  ['พัน', 1_000n],
  ['หมื่น', 10_000n],
  ['แสน', 100_000n],
  ['ล้าน', 1_000_000n],
]

const refuse = (code: ThaiMoneyErrorCode, message: string): ThaiMoneyParseResult => ({ ok: false, code, message })
const UNREADABLE = refuse('E_FORMAT', `อ่านจำนวนเงินไม่ออก ${EXAMPLE}`)

/** Returns the product of consecutive units (`พันล้าน` = 10⁹, `ล้านล้าน` = 10¹²); undefined for other text. */
function unitFactor(text: string): bigint | undefined {
  let factor = 1n
  let remainder = text
  while (remainder !== '') {
    const unit = UNITS.find(([name]) => remainder.startsWith(name))
    if (!unit) return undefined
    factor *= unit[1]
    remainder = remainder.slice(unit[0].length)
  }
  return factor
}

function satangOf(number: string, factor: bigint): bigint | 'precision' {
  const [integer, fraction = ''] = number.replaceAll(',', '').split('.') as [string, string?]
  const scaled = BigInt(integer + fraction) * factor * 100n
  const divisor = 10n ** BigInt(fraction.length)
  return scaled % divisor === 0n ? scaled / divisor : 'precision'
}

const NUMBER = /^(?:\d{1,16}|\d{1,3}(?:,\d{3}){1,5})(?:\.\d{1,9})?$/

/**
 * Parses an amount as people type it: `1,000,000`, `5 ล้าน`, `1.2 พันล้าน`, `1 ล้าน 5 แสน`, `๕ แสนบาท`, `5,000.-`.
 * Units in a sum must decrease (`5 แสน 1 ล้าน` is rejected). Never throws.
 */
export function parseThaiMoney(text: string): ThaiMoneyParseResult {
  if (text.length > MAX_LENGTH) return UNREADABLE
  const typed = normaliseThai(text)
    .replaceAll(' ', '')
    .replace(/\.-$/, '')
    .replace(/^฿/, '')
    .replace(/บาท(ถ้วน)?$/, '')
  if (typed === '') return refuse('E_EMPTY', 'กรอกจำนวนเงิน')
  let satang = 0n
  let lastFactor: bigint | undefined
  for (const [, number, unit] of typed.replace(/ลบ\.?$/, 'ล้าน').matchAll(/([\d.,]*)([^\d.,]*)/g)) {
    if (number === '' && unit === '') continue
    const factor = unitFactor(unit!)
    if (factor === undefined || !NUMBER.test(number!)) return UNREADABLE
    if (lastFactor !== undefined && factor >= lastFactor) return UNREADABLE
    const part = satangOf(number!, factor)
    if (part === 'precision') return refuse('E_PRECISION', 'ใส่ทศนิยมได้ไม่เกิน 2 ตำแหน่ง (สตางค์)')
    satang += part
    lastFactor = factor
  }
  if (satang > MAX_SATANG) return refuse('E_RANGE', 'จำนวนเงินสูงเกินไป ใส่ได้ไม่เกิน 10 ล้านล้านบาท')
  return { ok: true, baht: Number(satang) / 100 }
}

/**
 * Shifts the decimal point in the number's decimal text, because a multiplication can land on the wrong side of a half.
 * Returns 0 below a millionth.
 */
export function shiftDecimalPoint(value: number, places: number): number {
  return Math.abs(value) < 1e-6 ? 0 : Number(`${value}e${places}`)
}

/**
 * Formats a number with thousands separators and `minDecimals` to `maxDecimals` decimals, rounded like
 * `Intl.NumberFormat`: `1,234.5`. Implemented by hand because the first formatter of a page takes 20 ms in a browser
 * and 100 ms on a phone, during the report's first second.
 */
export function groupDigits(value: number, minDecimals = 0, maxDecimals = minDecimals): string {
  const units = String(Math.round(shiftDecimalPoint(Math.abs(value), maxDecimals))).padStart(maxDecimals + 1, '0')
  const point = units.length - maxDecimals
  let text = units.slice(0, point)
  for (let at = point - 3; at > 0; at -= 3) text = `${text.slice(0, at)},${text.slice(at)}`
  let end = units.length
  while (end > point + minDecimals && units[end - 1] === '0') end -= 1
  if (end > point) text += `.${units.slice(point, end)}`
  return value < 0 ? `-${text}` : text
}

/** Formats a count, or an average of counts with up to three decimals: 1234.5 → `1,234.5`. */
export function formatCount(count: number): string {
  return groupDigits(count, 0, 3)
}

/** Formats baht as `12,500,000.00`; returns `–` for null (D23). */
export function formatBaht(baht: number | null): string {
  return baht === null ? '–' : groupDigits(baht, 2)
}

/**
 * Formats baht as `12.50 ล้าน`, `1.20 ล้านล้าน`, or below a million `850,000`; returns `–` for null. Uses only these
 * two units, as people read them aloud (D23).
 */
export function formatBahtCompact(baht: number | null): string {
  if (baht === null) return '–'
  const size = Math.abs(baht)
  // The unit is chosen after rounding, so that "1,000,000.00 ล้าน" becomes "1.00 ล้านล้าน".
  if (size >= 999_999_995_000) return `${groupDigits(baht / 1e12, 2)} ล้านล้าน`
  if (size >= 999_999.5) return `${groupDigits(baht / 1e6, 2)} ล้าน`
  return groupDigits(baht)
}
