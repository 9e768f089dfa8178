import { normaliseThai, removeSpacesNextToThai } from '#contract/thai/thai-text.ts'

/**
 * Returns both search forms of several texts, one text per line. Terms never contain a line break, so no match spans
 * two lines.
 */
export function normaliseSearchTextLines(lines: string): { readonly spaced: string; readonly compact: string } {
  const spaced = lines.split('\n').map(normaliseThai)
  return { spaced: spaced.join('\n'), compact: spaced.map(removeSpacesNextToThai).join('\n') }
}
