import type { KeywordList } from '../account/organisation.ts'
import { unguardedCell } from '../spreadsheet-formula.ts'
import { arabicDigits } from '../thai/thai-letters.ts'
import { GROUPED_NUMBER } from '../thai/thai-text.ts'

/** Breaks of lines and cells, and the bullets that documents and chats set before an item, also several on a line. */
const BREAKS = /[\r\n\t\v\u2028\u2029]+|[•●◦‣▪▫■□○∙◆◇►▶➢➤✓✔☑☐]/u
/** `- `, `* `, `1. `, `๒)`, `(3)`, `ก)`: what an item of a list begins with. `1.5` and `-ยา` begin so too, and are words. */
const ITEM_MARK =
  /^(?:[-–—*·+]\s+|[([]?\p{Nd}{1,3}[.)\]]{1,2}(?:\s+|(?=[\u0e01-\u0e2e\u0e40-\u0e44a-z"'“‘]))|[([]?[ก-ฮa-z]\)\s*|ข้อ(?:ที่)?\s*\p{Nd}{1,3}[.):]?\s+)/iu
const SEPARATORS_AT_END = /(?<![,;，、；])[,;，、；]+$/u
const SINGLE_QUOTES = /^(?:'([^']*)'|‘([^‘’]*)’|`([^`]*)`)$/
const DOUBLE_QUOTES = /^(?:"([^"]*)"|“([^“”]*)”|„([^„“”]*)[“”]|«([^«»]*)»)$/
/** The other half was left behind when the list was cut. */
const HALF_QUOTE = /^["“„«'‘](?=[^"“”„«»'‘’]*$)|["”»'’](?<=^[^"“”„«»'‘’]*\p{L}\s*.)$/u

/**
 * A word of a pasted list without what belongs to the list: its bullet or number, separators behind it, quotes around it. Double quotes mean something in
 * name lists and stay there.
 */
export function tidyWord(list: KeywordList, pasted: string): string {
  const isPhrase = list === 'include' || list === 'exclude'
  const bare = pasted.trim().replace(ITEM_MARK, '').trim().replace(SEPARATORS_AT_END, '').trim()
  const quoted = SINGLE_QUOTES.exec(bare) ?? (isPhrase ? null : DOUBLE_QUOTES.exec(bare))
  const inner = quoted?.slice(1).find((text) => text !== undefined) ?? bare
  return inner.replace(HALF_QUOTE, '').trim()
}

/** A comma or semicolon ends a word, except inside a number and inside double quotes. */
function splitAtCommas(line: string): string[] {
  const latin = arabicDigits(line)
  const numbers = [...latin.matchAll(GROUPED_NUMBER)].map(
    ({ 0: number, index }) => [index, index + number.length] as const,
  )
  const isInNumber = (at: number) => numbers.some(([start, end]) => at > start && at < end)
  const parts: string[] = []
  let begin = 0
  let quotesAhead = line.split('"').length - 1
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === '"') quotesAhead -= 1
    if (!/[,;，、；]/.test(line[at]!) || quotesAhead % 2 === 1 || isInNumber(at)) continue
    parts.push(line.slice(begin, at))
    begin = at + 1
  }
  return [...parts, line.slice(begin)]
}

/** Words out of a pasted text: one on a line, or the cells of a table. Names of departments may hold commas. */
export function splitPastedWords(list: KeywordList, text: string): string[] {
  const lines = text.split(BREAKS)
  const parts = list === 'deptsub_include' ? lines : lines.flatMap(splitAtCommas)
  // Our own file writes an apostrophe before what a spreadsheet would take for a formula (list-export.ts).
  return parts.map((part) => tidyWord(list, unguardedCell(part.trim()))).filter((part) => part !== '')
}
