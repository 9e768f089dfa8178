import { hidePersonIds } from '#contract/catalogue/natural-person.ts'
import { joinSaraAm } from '#contract/thai/thai-letters.ts'

/**
 * Text as it may be stored: whitespace collapsed, sara am whole, invisible characters gone. PostgreSQL text and jsonb
 * hold neither NUL nor half a surrogate pair, so a text with one is refused by `storable` before it comes here.
 */
export function cleanText(text: string): string {
  // Nearly every cell is clean already; looking is three times cheaper than replacing.
  if (!UNCLEAN.test(text)) return text
  return joinSaraAm(text).replace(INVISIBLE, '').replace(/\s+/g, ' ').trim()
}

/** Zero-width blanks, joiners and byte order marks; direction marks turn the rest of a line around. */
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\u00ad]/g
const UNCLEAN = /\s\s|[^\S ]|^\s|\s$|[\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\u00ad\u0e4d]/
const UNSTORABLE = /[\0\p{Surrogate}]/u

/** False when the text holds what no database column can: NUL or half a surrogate pair. */
export function storable(text: string): boolean {
  return !UNSTORABLE.test(text)
}

/** Longest raw row that quarantine keeps; a title is at most 583 characters and a whole row about 1,500 (docs/data.md). */
const MAX_RAW = 20_000

/** A rejected row as quarantine stores it: ids of people hidden, unstorable characters replaced by signs, cut at 20,000 characters. */
export function rawForQuarantine(text: string): string {
  const shown = hidePersonIds(text.slice(0, MAX_RAW + 20), { isStrict: true })
  const cut = text.length > MAX_RAW ? `${shown.slice(0, MAX_RAW)}…` : shown
  return cut.replaceAll('\0', '␀').replace(/\p{Surrogate}/gu, '\ufffd')
}
