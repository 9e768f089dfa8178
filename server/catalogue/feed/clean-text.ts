import { maskPersonIds } from '#contract/catalogue/natural-person.ts'
import { joinSaraAm, removeInvisibleCharacters } from '#contract/thai/thai-letters.ts'

/**
 * Collapses whitespace, joins sara am and removes invisible characters. PostgreSQL text and jsonb reject NUL and lone
 * surrogates; callers filter those out beforehand with `isStorableText`.
 */
export function cleanFeedText(text: string): string {
  if (!UNCLEAN.test(text)) return text
  return removeInvisibleCharacters(joinSaraAm(text)).replace(/\s+/g, ' ').trim()
}

/** Fast path: 98 % of titles consist of clean Thai and ASCII. U+0E4D may be half of a sara am. */
const UNCLEAN = /\s\s|^\s|\s$|[^\u0020-\u007e\u0e01-\u0e4c\u0e4e-\u0e5b]/
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
