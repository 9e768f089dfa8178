import { normaliseThai, toNormalisedSearchText } from '../thai/thai-text.ts'

export type SearchTerm = { readonly kind: 'term'; readonly text: string; readonly quoted: boolean }

/**
 * A term prepared for matching. `form` is searched in the compact text, or in the spaced one when `quoted`.
 * `guardStart`/`guardEnd`: that end is a Latin letter or digit and must not touch another one (`IT` does not match
 * `capital`).
 */
export type NormalisedSearchTerm = {
  readonly form: string
  readonly quoted: boolean
  readonly guardStart: boolean
  readonly guardEnd: boolean
}

/**
 * Returns true for the characters of the boundary rule in normalised text (a term must not start or end within a run of
 * them): digits, a-z and the Latin letters of U+00DF–U+024F.
 */
export function isLatinOrDigit(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || (code >= 0xdf && code <= 0x24f && code !== 0xf7)
  )
}

export const LATIN_OR_DIGIT_REGEX_CLASS = '0-9a-zß-öø-ɏ'

export function toNormalisedSearchTerm(term: Pick<SearchTerm, 'text' | 'quoted'>): NormalisedSearchTerm {
  const form = term.quoted ? normaliseThai(term.text) : toNormalisedSearchText(term.text)
  return {
    form,
    quoted: term.quoted,
    guardStart: isLatinOrDigit(form.charCodeAt(0)),
    guardEnd: isLatinOrDigit(form.charCodeAt(form.length - 1)),
  }
}

export function fitsSearchTermBoundary(term: NormalisedSearchTerm, text: string, start: number, end: number): boolean {
  if (term.guardStart && start > 0 && isLatinOrDigit(text.charCodeAt(start - 1))) return false
  return !(term.guardEnd && end < text.length && isLatinOrDigit(text.charCodeAt(end)))
}

export function findSearchTerm(term: NormalisedSearchTerm, text: string, from = 0): number {
  const { form } = term
  if (form === '') return -1
  let at = text.indexOf(form, from)
  while (at !== -1 && !fitsSearchTermBoundary(term, text, at, at + form.length)) at = text.indexOf(form, at + 1)
  return at
}
