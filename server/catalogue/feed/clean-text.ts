import { maskPersonIds } from '#contract/catalogue/natural-person.ts'
import { joinSaraAm } from '#contract/thai/thai-letters.ts'

/**
 * Collapses whitespace, joins sara am and removes invisible characters. PostgreSQL text and jsonb reject NUL and lone
 * surrogates; callers filter those out beforehand with `isStorableText`.
 */
export function cleanText(text: string): string {
  if (!UNCLEAN.test(text)) return text
  return joinSaraAm(text).replace(INVISIBLE, '').replace(/\s+/g, ' ').trim()
}

/** Zero-width characters, joiners, byte order marks and direction marks (which would reverse the rest of a line). */
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\u00ad]/g
const UNCLEAN = /\s\s|[^\S ]|^\s|\s$|[\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\u00ad\u0e4d]/
const UNSTORABLE = /[\0\p{Surrogate}]/u

export function isStorableText(text: string): boolean {
  return !UNSTORABLE.test(text)
}

/**
 * Maximum length of a stored raw row. A title has at most 583 characters and a whole row about 1,500 (docs/data.md).
 */
const MAX_RAW_LENGTH = 20_000

/**
 * Prepares a rejected row for quarantine: hides ids of people, replaces unstorable characters and cuts at 20,000
 * characters.
 */
export function toQuarantinedText(text: string): string {
  const masked = maskPersonIds(text.slice(0, MAX_RAW_LENGTH + 20), { isStrict: true })
  const cut = text.length > MAX_RAW_LENGTH ? `${masked.slice(0, MAX_RAW_LENGTH)}…` : masked
  return cut.replaceAll('\0', '␀').replace(/\p{Surrogate}/gu, '\ufffd')
}
