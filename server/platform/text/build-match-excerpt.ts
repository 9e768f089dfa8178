import type { DocumentExcerpt } from '#contract/documents/document-search.ts'
import { findPhraseInFoldedText, foldDocumentText } from '#contract/thai/fold-document-text.ts'

const BEFORE = 40
const AFTER = 100

/** Returns a one-line excerpt around the first match, and the number of matches. `phrases` must be folded. */
export function buildMatchExcerpt(
  text: string,
  phrases: readonly string[],
): { count: number; excerpt: DocumentExcerpt } {
  const folded = foldDocumentText(text)
  const matches = phrases
    .flatMap((phrase) => findPhraseInFoldedText(folded, phrase))
    .toSorted((a, b) => a.from - b.from)
  const from = Math.max(0, (matches[0]?.from ?? 0) - BEFORE)
  const to = Math.min(text.length, from + BEFORE + AFTER)
  const marks = matches.flatMap((match) => (match.to <= to ? [{ from: match.from - from, to: match.to - from }] : []))
  // Each character is replaced by one character, so that match positions remain valid.
  return { count: matches.length, excerpt: { text: text.slice(from, to).replace(/\s/g, ' '), marks } }
}
