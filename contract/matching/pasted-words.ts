import type { KeywordList } from '../account/organisation.ts'
import { unescapeCell } from '../spreadsheet-formula.ts'
import { arabicDigits } from '../thai/thai-letters.ts'
import { GROUPED_NUMBER } from '../thai/thai-text.ts'

/** Line and cell breaks, and bullets from documents and chats; one line may contain several. */
const ITEM_BREAKS = /[\r\n\t\v\u2028\u2029]+|[•●◦‣▪▫■□○∙◆◇►▶➢➤✓✔☑☐]/u
/** List markers: `- `, `* `, `1. `, `๒)`, `(3)`, `ก)`. `1.5` and `-ยา` are words. */
const LIST_MARKER =
  /^(?:[-–—*·+]\s+|[([]?\p{Nd}{1,3}[.)\]]{1,2}(?:\s+|(?=[\u0e01-\u0e2e\u0e40-\u0e44a-z"'“‘]))|[([]?[ก-ฮa-z]\)\s*|ข้อ(?:ที่)?\s*\p{Nd}{1,3}[.):]?\s+)/iu
const TRAILING_SEPARATORS = /(?<![,;，、；])[,;，、；]+$/u
const SINGLE_QUOTES = /^(?:'([^']*)'|‘([^‘’]*)’|`([^`]*)`)$/
const DOUBLE_QUOTES = /^(?:"([^"]*)"|“([^“”]*)”|„([^„“”]*)[“”]|«([^«»]*)»)$/
/** A quote whose partner was cut off when part of a list was copied. */
const UNPAIRED_QUOTE = /^["“„«'‘](?=[^"“”„«»'‘’]*$)|["”»'’](?<=^[^"“”„«»'‘’]*\p{L}\s*.)$/u

/**
 * Removes the bullet or number, trailing separators and surrounding quotes from a pasted word. In name lists double
 * quotes have a meaning, so they stay.
 */
export function tidyWord(list: KeywordList, pasted: string): string {
  const isPhrase = list === 'include' || list === 'exclude'
  const word = pasted.trim().replace(LIST_MARKER, '').trim().replace(TRAILING_SEPARATORS, '').trim()
  const quoted = SINGLE_QUOTES.exec(word) ?? (isPhrase ? null : DOUBLE_QUOTES.exec(word))
  const inner = quoted?.slice(1).find((text) => text !== undefined) ?? word
  return inner.replace(UNPAIRED_QUOTE, '').trim()
}

/** Ignores separators inside numbers and double quotes. */
function splitAtCommas(line: string): string[] {
  const latin = arabicDigits(line)
  const numbers = [...latin.matchAll(GROUPED_NUMBER)].map(
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

/** One word per line or table cell. Department names may contain commas. */
export function splitPastedWords(list: KeywordList, text: string): string[] {
  const lines = text.split(ITEM_BREAKS)
  const parts = list === 'deptsub_include' ? lines : lines.flatMap(splitAtCommas)
  // Our export prefixes an apostrophe to cells that look like a formula (spreadsheet-formula.ts).
  return parts.map((part) => tidyWord(list, unescapeCell(part.trim()))).filter((part) => part !== '')
}
