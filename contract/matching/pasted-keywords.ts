import type { KeywordListCode } from '../account/organisation.ts'
import { unescapeSpreadsheetCell } from '../spreadsheet-formula.ts'
import { toArabicDigits } from '../thai/thai-letters.ts'
import { GROUPED_NUMBER_PATTERN } from '../thai/thai-text.ts'

/** Line breaks, cell breaks, and bullets from documents and chats; one pasted line may contain several bullets. */
const ITEM_BREAKS = /[\r\n\t\v\u2028\u2029]+|[•●◦‣▪▫■□○∙◆◇►▶➢➤✓✔☑☐]/u
/** Matches list markers: `- `, `* `, `1. `, `๒)`, `(3)`, `ก)`. Does not match `1.5` and `-ยา`, which are words. */
const LIST_MARKER =
  /^(?:[-–—*·+]\s+|[([]?\p{Nd}{1,3}[.)\]]{1,2}(?:\s+|(?=[\u0e01-\u0e2e\u0e40-\u0e44a-z"'“‘]))|[([]?[ก-ฮa-z]\)\s*|ข้อ(?:ที่)?\s*\p{Nd}{1,3}[.):]?\s+)/iu
const TRAILING_SEPARATORS = /(?<![,;，、；])[,;，、；]+$/u
const SINGLE_QUOTES = /^(?:'([^']*)'|‘([^‘’]*)’|`([^`]*)`)$/
const DOUBLE_QUOTES = /^(?:"([^"]*)"|“([^“”]*)”|„([^„“”]*)[“”]|«([^«»]*)»)$/
/** Matches a quote whose partner was cut off because only part of a list was copied. */
const UNPAIRED_QUOTE = /^["“„«'‘](?=[^"“”„«»'‘’]*$)|["”»'’](?<=^[^"“”„«»'‘’]*\p{L}\s*.)$/u

/**
 * Removes the bullet or number, trailing separators and surrounding quotes from a pasted word. Keeps double quotes in
 * name lists, where they have a meaning.
 */
export function cleanPastedKeyword(list: KeywordListCode, pasted: string): string {
  const isPhrase = list === 'include' || list === 'exclude'
  const word = pasted.trim().replace(LIST_MARKER, '').trim().replace(TRAILING_SEPARATORS, '').trim()
  const quoted = SINGLE_QUOTES.exec(word) ?? (isPhrase ? null : DOUBLE_QUOTES.exec(word))
  const inner = quoted?.slice(1).find((text) => text !== undefined) ?? word
  return inner.replace(UNPAIRED_QUOTE, '').trim()
}

/** Splits a line at commas, except inside numbers and double quotes. */
function splitAtCommas(line: string): string[] {
  const latin = toArabicDigits(line)
  const numbers = [...latin.matchAll(GROUPED_NUMBER_PATTERN)].map(
    ({ 0: number, index }) => [index, index + number.length] as const,
  )
  const isInNumber = (at: number) => numbers.some(([start, end]) => at > start && at < end)
  const parts: string[] = []
  let partStart = 0
  let quotesRemaining = line.split('"').length - 1
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === '"') quotesRemaining -= 1
    if (!/[,;，、；]/.test(line[at]!) || quotesRemaining % 2 === 1 || isInNumber(at)) continue
    parts.push(line.slice(partStart, at))
    partStart = at + 1
  }
  return [...parts, line.slice(partStart)]
}

/**
 * Splits pasted text into one word per line or table cell. Does not split department names at commas, because they may
 * contain them.
 */
export function splitPastedKeywords(list: KeywordListCode, text: string): string[] {
  const lines = text.split(ITEM_BREAKS)
  const parts = list === 'deptsub_include' ? lines : lines.flatMap(splitAtCommas)
  // Our export prefixes an apostrophe to cells that look like a formula (spreadsheet-formula.ts), so it is removed
  // here.
  return parts
    .map((part) => cleanPastedKeyword(list, unescapeSpreadsheetCell(part.trim())))
    .filter((part) => part !== '')
}
