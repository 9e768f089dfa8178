import { compactForm, normaliseThai, THAI_AND_ASCII } from './thai-text.ts'

/** A normalised text together with the way back to the text as it was written. */
export type FormMap = {
  readonly form: string
  /** Where the characters `[start, end)` of `form` stand in the original; never empty for a non-empty range. */
  toOriginal(start: number, end: number): { start: number; end: number }
}

/**
 * Pieces that normalise on their own: a character with everything that may melt into it (marks, sara am in one or two
 * characters, the second `เ`, Hangul, half-width voicing marks), or a run of blanks.
 */
const PIECE =
  /(?:เ[\p{Cf}\p{Cs}]*เ|[^\s\p{Cc}\p{Cf}\p{Cs}])(?:[\p{Cf}\p{Cs}]*(?:\u0e4d[\p{Cf}\p{Cs}\u0e48-\u0e4b]*\u0e32|[\p{M}\p{Script=Hangul}\u0e33\u0eb3\uff9e\uff9f]))*|[\s\p{Cc}\p{Cf}\p{Cs}]+/gu

/** The same for text of Thai and ASCII alone, five times faster. */
const PLAIN_PIECE = /(?:เเ|[^ ])(?:\u0e4d[\u0e48-\u0e4b]*\u0e32|[\u0e31\u0e33-\u0e3a\u0e47-\u0e4e])*| +/g

const THAI = /[\u0e00-\u0e7f]/
/** Pieces that are their own form: two thirds of a title, and not worth a normalisation each. */
const OWN_FORM = /^[\u0021-\u0040\u005b-\u007e\u0e01-\u0e30\u0e32\u0e40-\u0e46]$/
/** `\s` less the BOM, which is invisible. */
const VISIBLE_BLANK = /(?!\ufeff)[\s\p{Cc}]/u

const formOf = (piece: string) => (OWN_FORM.test(piece) ? piece : normaliseThai(piece))

/** Normalises as `normaliseThai` (`spaced`) or `searchForm` (`compact`) does and keeps the way back. Linear in the length. */
export function readFormMap(text: string, kind: 'compact' | 'spaced'): FormMap {
  const spaced = normaliseThai(text)
  const form = kind === 'compact' ? compactForm(spaced) : spaced
  const starts: number[] = []
  const ends: number[] = []
  let built = ''
  let blank: { start: number; end: number } | undefined
  for (const match of text.matchAll(THAI_AND_ASCII.test(text) ? PLAIN_PIECE : PIECE)) {
    const piece = match[0] === ' ' ? '' : formOf(match[0])
    const start = match.index
    const end = start + match[0].length
    if (piece === '') {
      // Blanks, or only something invisible.
      if (VISIBLE_BLANK.test(match[0])) blank ??= { start, end }
      continue
    }
    if (blank && built !== '') {
      const dropped = kind === 'compact' && (THAI.test(built.at(-1)!) || THAI.test(piece[0]!))
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
