import { findMatches } from '#contract/search-highlight.ts'

/** The text with the places where the words stand marked. */
export function Highlighted({ text, words }: { text: string; words: readonly string[] }) {
  const ranges = words.length === 0 ? [] : findMatches(words, text)
  if (ranges.length === 0) return text
  const parts = ranges.flatMap(({ start, end }, index) => [
    text.slice(index === 0 ? 0 : ranges[index - 1]!.end, start),
    <mark key={start}>{text.slice(start, end)}</mark>,
  ])
  return [...parts, text.slice(ranges.at(-1)!.end)]
}
