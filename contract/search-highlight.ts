import { readFormMap } from './search-form-map.ts'
import type { SearchNode } from './search-grammar.ts'
import type { TermForm } from './search-term.ts'
import { findTerm, termForm } from './search-term.ts'
import { THAI_AND_ASCII } from './thai-text.ts'

/** Offsets in UTF-16 units of the text as it was given; `end` is exclusive. */
export type TextRange = { readonly start: number; readonly end: number }

/** A term as highlighting takes it: quoted terms in their quotes, others bare. */
export function highlightWord(term: { readonly text: string; readonly quoted: boolean }): string {
  return term.quoted ? `"${term.text}"` : term.text
}

/** The words of a search that its results contain, in order and once: not those after `<<`. */
export function highlightWords(node: SearchNode): string[] {
  const words = (part: SearchNode | null): string[] => {
    if (part === null) return []
    if (part.kind === 'term') return [highlightWord(part)]
    return part.kind === 'not' ? words(part.keep) : part.parts.flatMap(words)
  }
  return [...new Set(words(node))]
}

function readWord(word: string): TermForm {
  const quoted = word.length > 2 && word.startsWith('"') && word.endsWith('"')
  return termForm({ text: quoted ? word.slice(1, -1) : word, quoted })
}

function occurrences(term: TermForm, form: string): TextRange[] {
  const ranges: TextRange[] = []
  for (let at = findTerm(term, form); at !== -1; at = findTerm(term, form, at + term.form.length)) {
    ranges.push({ start: at, end: at + term.form.length })
  }
  return ranges
}

function merge(ranges: TextRange[]): TextRange[] {
  const merged: TextRange[] = []
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    if (last && range.start <= last.end)
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, range.end) }
    else merged.push(range)
  }
  return merged
}

/** Marks above and below, and sara am, which belong to the character before them. */
const JOINS = /[\u0e31\u0e33-\u0e3a\u0e47-\u0e4e]/

let segmenter: Intl.Segmenter | undefined

/** Says whether a whole written character begins at an offset of the text, so that no mark is cut from its base consonant. */
function borderTest(text: string): (offset: number) => boolean {
  // `Intl.Segmenter` is 20 times slower.
  if (THAI_AND_ASCII.test(text)) return (offset) => offset === 0 || offset === text.length || !JOINS.test(text[offset]!)
  segmenter ??= new Intl.Segmenter('th', { granularity: 'grapheme' })
  const borders = new Set<number>([text.length])
  for (const { index } of segmenter.segment(text)) borders.add(index)
  return (offset) => borders.has(offset)
}

function widen(range: TextRange, isBorder: (offset: number) => boolean): TextRange {
  let { start, end } = range
  while (!isBorder(start)) start -= 1
  while (!isBorder(end)) end += 1
  return { start, end }
}

/**
 * Where the words stand in the original text, for highlighting: sorted, not touching each other, on borders of whole
 * written characters. A word in double quotes is compared with its blanks, as in a search. Never throws.
 */
export function findMatches(words: readonly string[], text: string): TextRange[] {
  const terms = words.map(readWord)
  const found = [false, true].flatMap((quoted) => {
    const wanted = terms.filter((term) => term.quoted === quoted)
    if (wanted.length === 0) return []
    const map = readFormMap(text, quoted ? 'spaced' : 'compact')
    return wanted.flatMap((term) => occurrences(term, map.form)).map((range) => map.toOriginal(range.start, range.end))
  })
  if (found.length === 0) return found
  const isBorder = borderTest(text)
  return merge(merge(found).map((range) => widen(range, isBorder)))
}
