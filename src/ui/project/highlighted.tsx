import { findMatches, type TextRange } from '#contract/search/search-highlight.ts'

type HighlightedProps = {
  text: string
  /** Why it was found: marked yellow. */
  words: readonly string[]
  /** Why it is kept out: marked in the colour of a warning, and it wins where both stand. */
  against?: readonly string[] | undefined
}

/** The text with the places where the words stand marked. */
export function Highlighted({ text, words, against = [] }: HighlightedProps) {
  const guilty = against.length === 0 ? [] : findMatches(against, text)
  const found = words.length === 0 ? [] : without(findMatches(words, text), guilty)
  const ranges = [
    ...found.map((range) => ({ ...range, isAgainst: false })),
    ...guilty.map((range) => ({ ...range, isAgainst: true })),
  ].sort((a, b) => a.start - b.start)
  if (ranges.length === 0) return text
  const parts = ranges.flatMap(({ start, end, isAgainst }, index) => [
    text.slice(index === 0 ? 0 : ranges[index - 1]!.end, start),
    isAgainst ? (
      <mark key={start} data-against className="bg-urgent-soft text-urgent line-through decoration-1">
        {text.slice(start, end)}
      </mark>
    ) : (
      <mark key={start}>{text.slice(start, end)}</mark>
    ),
  ])
  return [...parts, text.slice(ranges.at(-1)!.end)]
}

/** The ranges without what the holes cover; both sorted, as `findMatches` returns them. */
function without(ranges: readonly TextRange[], holes: readonly TextRange[]): TextRange[] {
  return ranges.flatMap((range) => {
    const left: TextRange[] = []
    let { start } = range
    for (const hole of holes) {
      if (hole.end <= start || hole.start >= range.end) continue
      if (hole.start > start) left.push({ start, end: hole.start })
      start = hole.end
    }
    return start < range.end ? [...left, { start, end: range.end }] : left
  })
}
