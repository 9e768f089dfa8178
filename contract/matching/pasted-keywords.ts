import type { KeywordListCode } from '../account/organisation.ts'
import { unescapeSpreadsheetCell } from '../spreadsheet-formula.ts'
import { removeInvisibleCharacters, toArabicDigits } from '../thai/thai-letters.ts'
import { GROUPED_NUMBER_PATTERN } from '../thai/thai-text.ts'

/**
 * Line breaks, cell breaks, and bullets from documents and chats: geometric shapes, dingbats (except ✕ and ✖, which are
 * times signs), emoji, and Word's bullets in the private use area. One pasted line may contain several bullets.
 */
const ITEM_BREAKS =
  /[\r\n\t\v\u0085\u2028\u2029]+|[•‣◦∙\u25a0-\u2714\u2717-\u27bf\u2b00-\u2bff\u{1f000}-\u{1faff}\p{Co}]/u
/**
 * Matches list markers: `- `, `* `, `→ `, `1. `, `๒)`, `(3)`, `1.2.3 `, `ก)`, `①`, `1️⃣`, `[ ]`, and the `o` and § of
 * Word's second level. Does not match `1.5` and `-ยา`, which are words.
 */
const LIST_MARKER =
  /^(?:[-–—*·⁃+~>]\s+|[\u2190-\u21ff»›๏§]\s*|o\s+(?=[\u0e01-\u0e5b])|\[[ x]?\]\s*|[\u2460-\u24ff]\s*|\p{Nd}{1,3}\u20e3\s*|[([（]?\p{Nd}{1,3}[.)\]．）]{1,2}(?:\s+|(?=[\u0e01-\u0e2e\u0e40-\u0e44a-z"'“‘]))|\p{Nd}{1,3}(?:(?:\.\p{Nd}{1,3}){2,}\.?|:)\s+|[([]?[ก-ฮa-z]\)\s*|(?:ข้อ|ลำดับ|รายการ)(?:ที่)?\s*\p{Nd}{1,3}[.):]?\s+)/iu
/** Word puts a tab between the marker of a list and its text; elsewhere a tab separates cells. */
const MARKER_BEFORE_TAB = /^[ ]*(?:[([]?\p{Nd}{1,3}[.)\]]{1,2}|[-–—*·o§]|[ก-ฮ][.)])\t/gmu
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
  const word = pasted
    .trim()
    .replace(LIST_MARKER, '')
    .replace(LIST_MARKER, '')
    .trim()
    .replace(TRAILING_SEPARATORS, '')
    .trim()
  const quoted = SINGLE_QUOTES.exec(word) ?? (isPhrase ? null : DOUBLE_QUOTES.exec(word))
  const inner = quoted?.slice(1).find((text) => text !== undefined) ?? word
  return inner.replace(UNPAIRED_QUOTE, '').trim()
}

/** Matches the second and later markers of a list that a chat joined into one line: `1) กล้อง 2) จอ`. */
const INLINE_MARKER = /\s(\p{Nd}{1,2})[.)]\s?(?=\D)/gu

/** Splits a line before markers that count on from 1; others, as in `ข้อ 3. ก`, belong to a word. */
function splitAtInlineMarkers(line: string): string[] {
  if (!/^\s*[1๑][.)]/.test(line)) return [line]
  const parts: string[] = []
  let partStart = 0
  let next = 2
  for (const { 1: number, index } of line.matchAll(INLINE_MARKER)) {
    if (Number(toArabicDigits(number!)) !== next) continue
    parts.push(line.slice(partStart, index))
    partStart = index
    next += 1
  }
  return [...parts, line.slice(partStart)]
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
  const lines = removeInvisibleCharacters(text)
    .replace(MARKER_BEFORE_TAB, '')
    .split(ITEM_BREAKS)
    .flatMap(splitAtInlineMarkers)
  const parts = list === 'deptsub_include' ? lines : lines.flatMap(splitAtCommas)
  // Our export prefixes an apostrophe to cells that look like a formula (spreadsheet-formula.ts).
  return parts
    .map((part) => cleanPastedKeyword(list, unescapeSpreadsheetCell(part.trim())))
    .filter((part) => part !== '')
}
