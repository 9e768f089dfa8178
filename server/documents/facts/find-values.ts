import { THAI_MONTHS, toIsoDate } from '#contract/thai/thai-date.ts'
import { foldThaiText } from './folded-document.ts'
import { parseThaiMoneyInWords } from './money-words.ts'

/**
 * Value found in folded text (see folded-document.ts: no tone marks, no spaces between Thai letters, Arabic digits). A
 * value is matched by its format first; rules then check the words before it. This keeps patterns short and scanning
 * linear.
 */
export interface FoldedValueMatch<Value> {
  readonly value: Value
  readonly from: number
  readonly to: number
}

/** Amount in baht. `agrees` is true if the words in brackets after the digits state the same amount. */
export interface MatchedAmount {
  readonly baht: number
  readonly agrees: boolean
}

const AMOUNT = /(\d[\d,]{0,20})(\.\d{1,2}|\.-)?บาท/g
const GROUPED_DIGITS = /^(?:\d{1,15}|\d{1,3}(?:,\d{3}){1,5})$/
/** Matches an amount in words: "(หารอยบาทถวน)", also after "บาทถ้วน". */
const IN_WORDS = /(?:ถวน)?\(([ก-ฺเ-ๆ]{3,150})\)/y

export function findAmountsInText(text: string): FoldedValueMatch<MatchedAmount>[] {
  const amounts: FoldedValueMatch<MatchedAmount>[] = []
  for (const match of text.matchAll(AMOUNT)) {
    const [matchedText, digits, decimals] = match as unknown as [string, string, string | undefined]
    if (!GROUPED_DIGITS.test(digits) || /[\d.,]/.test(text[match.index - 1] ?? '')) continue
    const baht = Number(digits.replaceAll(',', '') + (decimals === '.-' ? '' : (decimals ?? '')))
    IN_WORDS.lastIndex = match.index + matchedText.length
    const words = IN_WORDS.exec(text)
    amounts.push({
      value: { baht, agrees: words !== null && parseThaiMoneyInWords(words[1]!) === baht },
      from: match.index,
      to: words ? IN_WORDS.lastIndex : match.index + matchedText.length,
    })
  }
  return amounts
}

const PERCENT = /รอยละ(\d{1,3}(?:\.\d{1,3})?)|(\d{1,3}(?:\.\d{1,3})?)%/g

export function findPercentagesInText(text: string): FoldedValueMatch<number>[] {
  return [...text.matchAll(PERCENT)]
    .map((match) => ({ value: Number(match[1] ?? match[2]), from: match.index, to: match.index + match[0].length }))
    .filter(({ value, from }) => value <= 100 && (text[from] === 'ร' || !/[\d.,]/.test(text[from - 1] ?? '')))
}

export interface MatchedDuration {
  readonly count: number
  readonly unit: 'day' | 'month' | 'year'
}
const DURATION = /(\d{1,4})(?:\([ก-ฺเ-ๆ]{2,40}\))?(วัน|เดือน|ปี)/g
const DURATION_UNITS: Readonly<Record<string, MatchedDuration['unit']>> = { วัน: 'day', เดือน: 'month', ปี: 'year' }

export function findDurationsInText(text: string): FoldedValueMatch<MatchedDuration>[] {
  return [...text.matchAll(DURATION)]
    .map((match) => ({
      value: { count: Number(match[1]), unit: DURATION_UNITS[match[2]!]! },
      from: match.index,
      to: match.index + match[0].length,
    }))
    .filter(({ value, from }) => value.count > 0 && !/[\d.,/]/.test(text[from - 1] ?? ''))
}

const MONTHS = new Map(THAI_MONTHS.map(({ full }, index) => [foldThaiText(full), index + 1]))
const DATE = /(\d{1,2})(?:เดือน)?([ก-ฮะ-ฺเ-ไ]{5,10})(?:พ\.ศ\. ?|พุทธศักราช)?(\d{4})/g

export function findDatesInText(text: string): FoldedValueMatch<string | undefined>[] {
  return [...text.matchAll(DATE)].flatMap((match) => {
    const month = MONTHS.get(match[2]!)
    const year = Number(match[3])
    if (month === undefined || /\d/.test(text[match.index - 1] ?? '')) return []
    const isYear = year >= 2540 && year <= 2640
    const value = isYear ? toIsoDate(year - 543, month, Number(match[1])) : undefined
    return [{ value, from: match.index, to: match.index + match[0].length }]
  })
}

/**
 * Returns where the last of `anchors` begins within `reach` characters before `at`, or -1. No digit may be in between,
 * because words before another value belong to that value.
 */
export function findAnchorWordBefore(text: string, at: number, anchors: readonly string[], reach: number): number {
  const start = Math.max(0, at - reach)
  const before = text.slice(start, at)
  let best = -1
  let length = 0
  for (const anchor of anchors) {
    const position = before.lastIndexOf(anchor)
    if (position > best) {
      best = position
      length = anchor.length
    }
  }
  if (best === -1 || /\d/.test(before.slice(best + length))) return -1
  return start + best
}
