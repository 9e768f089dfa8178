import { normaliseThai, removeSpacesNextToThai, THAI_AND_ASCII_PATTERN } from '../thai/thai-text.ts'
import type { SearchNode } from './search-grammar.ts'
import { findSearchTerm, type NormalisedSearchTerm, toNormalisedSearchTerm } from './search-term.ts'

type FormMap = {
  readonly form: string
  toOriginal(start: number, end: number): { start: number; end: number }
}

type NumberCharacters = {
  readonly digit: string
  readonly dash: string
  readonly comma: string
  readonly apostrophe: string
  readonly narrowBlank?: string
}

/**
 * Returns a pattern for a number with thousands separators, as in `normaliseThai`. All parameters are character classes
 * in brackets.
 */
function groupedNumber({ digit, dash, comma, apostrophe, narrowBlank }: NumberCharacters): string {
  const numberWith = (separator: string) => `[1-9๑-๙]${digit}{0,2}(?:${separator}${digit}{3})+`
  const endWith = (separator: string) => `(?!${digit}|${separator}${digit})`
  const number = numberWith(comma)
  const alternatives = [
    `(?:(?<!${dash})${number}|${number}(?!${dash}${digit}))${endWith(comma)}`,
    `(?<!${apostrophe})${numberWith(apostrophe)}(?!${digit}|${apostrophe})`,
    ...(narrowBlank === undefined ? [] : [`(?<!${narrowBlank})${numberWith(narrowBlank)}${endWith(narrowBlank)}`]),
  ]
  return `(?<!${digit}|${comma}|[./⁄∕⧸¼-¾⅐-⅞↉])(?:${alternatives.join('|')})`
}

/**
 * Matches pieces that can be normalised independently: a number with its commas, a character with everything that may
 * combine with it (marks, sara am in one or two characters, the second `เ`, Hangul, half-width voicing marks, a
 * fraction after a digit), or a run of spaces.
 */
const PIECE = new RegExp(
  String.raw`${groupedNumber({
    digit: String.raw`\p{Nd}`,
    dash: '[-˗‐‑‒–—―⁃−➖﹘﹣－]',
    comma: '[,،٬﹐，]',
    apostrophe: "['´ʹʻʼʽ‘’‚‛′‵‹›❛❜＇]",
    narrowBlank: '[\u2005-\u200a\u202f\u205f]',
  })}|(?:เ[\p{Cf}\p{Cs}]*เ|[^\s\p{Cc}\p{Cf}\p{Cs}])` +
    String.raw`(?:[\p{Cf}\p{Cs}]*(?:\u0e4d[\p{Cf}\p{Cs}\u0e48-\u0e4b]*\u0e32|[\p{M}\p{Script=Hangul}\u0e33\u0eb3\uff9e\uff9f]` +
    String.raw`|[\u00bc-\u00be\u2150-\u215e\u2189](?<=\p{Nd}[\p{Cf}\p{Cs}]*.)))*|[\s\p{Cc}\p{Cf}\p{Cs}]+`,
  'gu',
)

/** Variant of `PIECE` for text with only Thai and ASCII characters; five times faster. */
const PLAIN_PIECE = new RegExp(
  String.raw`${groupedNumber({ digit: String.raw`[\d๐-๙]`, dash: '-', comma: ',', apostrophe: "'" })}|(?:เเ|[^ ])(?:\u0e4d[\u0e48-\u0e4b]*\u0e32|[\u0e31\u0e33-\u0e3a\u0e47-\u0e4e])*| +`,
  'g',
)

const DROPS_BLANKS = /[-\u0e00-\u0e7f]/
/** Matches pieces that normalisation leaves unchanged. These are two thirds of a title, so skipping them saves time. */
const UNCHANGED_PIECE = /^[\u0021-\u0040\u005b-\u007e\u0e01-\u0e30\u0e32\u0e40-\u0e46]$/
/** Blanks that take space on screen: `\s` and control characters, but not the BOM, which is invisible. */
const VISIBLE_BLANK = /(?!\ufeff)[\s\p{Cc}]/u

const formOf = (piece: string) => (UNCHANGED_PIECE.test(piece) ? piece : normaliseThai(piece))

/**
 * Normalises like `normaliseThai` (`spaced`) or `toNormalisedSearchText` (`compact`) and records the mapping of offsets to the
 * original text. Takes time linear in the length.
 */
export function buildNormalisedTextOffsetMap(text: string, kind: 'compact' | 'spaced'): FormMap {
  const spaced = normaliseThai(text)
  const form = kind === 'compact' ? removeSpacesNextToThai(spaced) : spaced
  const starts: number[] = []
  const ends: number[] = []
  let built = ''
  let blank: { start: number; end: number } | undefined
  for (const match of text.matchAll(THAI_AND_ASCII_PATTERN.test(text) ? PLAIN_PIECE : PIECE)) {
    const piece = match[0] === ' ' ? '' : formOf(match[0])
    const start = match.index
    const end = start + match[0].length
    if (piece === '') {
      if (VISIBLE_BLANK.test(match[0])) blank ??= { start, end }
      continue
    }
    if (blank && built !== '') {
      const dropped = kind === 'compact' && (DROPS_BLANKS.test(built.at(-1)!) || DROPS_BLANKS.test(piece[0]!))
      if (!dropped) {
        built += ' '
        starts.push(blank.start)
        ends.push(blank.end)
      }
    }
    blank = undefined
    built += piece
    for (let unit = 0; unit < piece.length; unit += 1) {
      starts.push(start)
      ends.push(end)
    }
  }
  if (built !== form) return { form, toOriginal: () => ({ start: 0, end: text.length }) }
  return { form, toOriginal: (start, end) => ({ start: starts[start]!, end: ends[end - 1]! }) }
}

/** Range of UTF-16 offsets in the original text; `end` is exclusive. */
export type TextRange = { readonly start: number; readonly end: number }

export function getHighlightWord(term: { readonly text: string; readonly quoted: boolean }): string {
  return term.quoted ? `"${term.text}"` : term.text
}

export function getHighlightWords(node: SearchNode): string[] {
  const words = (part: SearchNode | null): string[] => {
    if (part === null) return []
    if (part.kind === 'term') return [getHighlightWord(part)]
    return part.kind === 'not' ? words(part.keep) : part.parts.flatMap(words)
  }
  return [...new Set(words(node))]
}

function readWord(word: string): NormalisedSearchTerm {
  const quoted = word.length > 2 && word.startsWith('"') && word.endsWith('"')
  return toNormalisedSearchTerm({ text: quoted ? word.slice(1, -1) : word, quoted })
}

function findOccurrences(term: NormalisedSearchTerm, form: string): TextRange[] {
  const ranges: TextRange[] = []
  for (let at = findSearchTerm(term, form); at !== -1; at = findSearchTerm(term, form, at + term.form.length)) {
    ranges.push({ start: at, end: at + term.form.length })
  }
  return ranges
}

function mergeRanges(ranges: TextRange[]): TextRange[] {
  const merged: TextRange[] = []
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    if (last && range.start <= last.end)
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, range.end) }
    else merged.push(range)
  }
  return merged
}

const COMBINING_MARK = /[\u0e31\u0e33-\u0e3a\u0e47-\u0e4e]/

let segmenter: Intl.Segmenter | undefined

/** Returns a test for grapheme boundaries, so that a highlight never separates a mark from its base consonant. */
function boundaryTest(text: string): (offset: number) => boolean {
  // Text of only Thai and ASCII characters avoids `Intl.Segmenter`, which is 20 times slower.
  if (THAI_AND_ASCII_PATTERN.test(text))
    return (offset) => offset === 0 || offset === text.length || !COMBINING_MARK.test(text[offset]!)
  segmenter ??= new Intl.Segmenter('th', { granularity: 'grapheme' })
  const borders = new Set<number>([text.length])
  for (const { index } of segmenter.segment(text)) borders.add(index)
  return (offset) => borders.has(offset)
}

function widenToBoundaries(range: TextRange, isBorder: (offset: number) => boolean): TextRange {
  let { start, end } = range
  while (!isBorder(start)) start -= 1
  while (!isBorder(end)) end += 1
  return { start, end }
}

/**
 * Returns the occurrences of the words in the original text for highlighting: sorted, disjoint, on grapheme boundaries.
 * Spaces in a double-quoted word are significant, as in a search. Never throws.
 */
export function findHighlightRanges(words: readonly string[], text: string): TextRange[] {
  const terms = words.map(readWord)
  const ranges = [false, true].flatMap((quoted) => {
    const termsOfKind = terms.filter((term) => term.quoted === quoted)
    if (termsOfKind.length === 0) return []
    const map = buildNormalisedTextOffsetMap(text, quoted ? 'spaced' : 'compact')
    return termsOfKind
      .flatMap((term) => findOccurrences(term, map.form))
      .map((range) => map.toOriginal(range.start, range.end))
  })
  if (ranges.length === 0) return ranges
  const isBorder = boundaryTest(text)
  return mergeRanges(mergeRanges(ranges).map((range) => widenToBoundaries(range, isBorder)))
}
