import { foldThaiText } from './folded-document.ts'

const DIGITS: readonly (readonly [string, number])[] = (
  [
    ['หนึ่ง', 1],
    ['เอ็ด', 1],
    ['สอง', 2],
    ['ยี่', 2],
    ['สาม', 3],
    ['สี่', 4],
    ['ห้า', 5],
    ['หก', 6],
    ['เจ็ด', 7],
    ['แปด', 8],
    ['เก้า', 9],
    ['ศูนย์', 0],
  ] as const
).map(([word, value]) => [foldThaiText(word), value])
const UNITS: readonly (readonly [string, number])[] = (
  [
    ['สิบ', 10],
    ['ร้อย', 100],
    ['พัน', 1_000],
    ['หมื่น', 10_000],
    ['แสน', 100_000],
  ] as const
).map(([word, value]) => [foldThaiText(word), value])
const MILLION = foldThaiText('ล้าน')

/**
 * Parses a whole number in folded Thai words (`หาลานเจดแสน` = 5,700,000). Undefined for anything else, or if the units
 * do not descend.
 */
function parseCount(words: string): number | undefined {
  let at = 0
  let millions = 0
  let section = 0
  let digit: number | undefined
  let lastUnit = Number.POSITIVE_INFINITY
  while (at < words.length) {
    const number = DIGITS.find(([word]) => words.startsWith(word, at))
    if (number) {
      if (digit !== undefined) return undefined
      digit = number[1]
      at += number[0].length
      continue
    }
    const unit = UNITS.find(([word]) => words.startsWith(word, at))
    if (unit) {
      // Only the unit ten may lack a digit before it, as in สิบห้า.
      if (unit[1] >= lastUnit || (digit === undefined && unit[1] !== 10)) return undefined
      section += (digit ?? 1) * unit[1]
      digit = undefined
      lastUnit = unit[1]
      at += unit[0].length
      continue
    }
    if (!words.startsWith(MILLION, at)) return undefined
    const above = section + (digit ?? 0)
    if (above === 0 && millions === 0) return undefined
    millions = (millions + above) * 1_000_000
    section = 0
    digit = undefined
    lastUnit = Number.POSITIVE_INFINITY
    at += MILLION.length
  }
  return words === '' ? undefined : millions + section + (digit ?? 0)
}

const BAHT = foldThaiText('บาท')
const WHOLE = foldThaiText('ถ้วน')
const SATANG = foldThaiText('สตางค์')

/**
 * Parses a folded amount in Thai words as baht: `หารอยบาทถวน` = 500, `สองบาทสีสิบหาสตางค` = 2.45. Undefined if it
 * cannot be parsed completely. Callers trust an amount in digits only when its words agree.
 */
export function parseThaiMoneyInWords(words: string): number | undefined {
  const split = words.indexOf(BAHT)
  if (split === -1) return undefined
  const baht = parseCount(words.slice(0, split))
  if (baht === undefined || !Number.isSafeInteger(baht * 100)) return undefined
  const remainder = words.slice(split + BAHT.length)
  if (remainder === '' || remainder === WHOLE) return baht
  if (!remainder.endsWith(SATANG)) return undefined
  const satang = parseCount(remainder.slice(0, -SATANG.length))
  return satang === undefined || satang > 99 ? undefined : (baht * 100 + satang) / 100
}
