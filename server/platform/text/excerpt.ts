import type { Excerpt } from '#contract/documents/document-search.ts'
import { findFolded, foldText } from '#contract/thai/fold-text.ts'

const BEFORE = 40
const AFTER = 100

/** Returns a one-line excerpt around the first match, and the number of matches. `phrases`: folded. */
export function excerptOf(text: string, phrases: readonly string[]): { count: number; excerpt: Excerpt } {
  const folded = foldText(text)
  const found = phrases.flatMap((phrase) => findFolded(folded, phrase)).toSorted((a, b) => a.from - b.from)
  const from = Math.max(0, (found[0]?.from ?? 0) - BEFORE)
  const to = Math.min(text.length, from + BEFORE + AFTER)
  const marks = found.flatMap((one) => (one.to <= to ? [{ from: one.from - from, to: one.to - from }] : []))
  // Replaces one character with one, so match positions remain valid.
  return { count: found.length, excerpt: { text: text.slice(from, to).replace(/\s/g, ' '), marks } }
}
