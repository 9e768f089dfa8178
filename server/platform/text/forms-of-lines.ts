import { compactForm, normaliseThai } from '#contract/thai/thai-text.ts'

/** Both search forms of several texts, one a line. No form of a term has a line break, so a term is never found across two of them. */
export function formsOfLines(lines: string): { readonly spaced: string; readonly compact: string } {
  const spaced = lines.split('\n').map(normaliseThai)
  return { spaced: spaced.join('\n'), compact: spaced.map(compactForm).join('\n') }
}
