import { findHighlightRanges, type TextRange } from '#contract/search/search-highlight.ts'

type HighlightedTextProps = {
  text: string
  words: readonly string[]
  /** Watch-list words are underlined, even inside a yellow highlight. */
  watched?: readonly string[] | undefined
  /** Words that are reasons for exclusion. They are marked in the warning colour, which takes precedence. */
  against?: readonly string[] | undefined
}

/** The underline is offset so that it is below Thai vowels that hang under the letters. */
const UNDERLINE_CLASSES = 'underline decoration-watched decoration-2 underline-offset-[0.3em]'

export function HighlightedText({ text, words, watched = [], against = [] }: HighlightedTextProps) {
  const [againstRanges = [], foundRanges = [], watchedRanges = []] = [against, words, watched].map((list) =>
    list.length === 0 ? [] : findHighlightRanges(list, text),
  )
  const kindAt = (at: number) => {
    const isIn = (ranges: readonly TextRange[]) => ranges.some(({ start, end }) => start <= at && at < end)
    if (isIn(againstRanges)) return 'against'
    if (isIn(foundRanges)) return isIn(watchedRanges) ? 'both' : 'found'
    return isIn(watchedRanges) ? 'watched' : 'plain'
  }
  const borders = [...againstRanges, ...foundRanges, ...watchedRanges].flatMap(({ start, end }) => [start, end])
  if (borders.length === 0) return text
  const starts = [...new Set([0, ...borders])]
    .filter((at) => at < text.length)
    .sort((a, b) => a - b)
    // Adjacent ranges of one kind are one mark.
    .filter((at, index, all) => index === 0 || kindAt(at) !== kindAt(all[index - 1]!))
  return starts.map((start, index) => {
    const segment = text.slice(start, starts[index + 1])
    const kind = kindAt(start)
    if (kind === 'plain') return segment
    if (kind === 'against')
      return (
        <mark key={start} data-against className="bg-urgent-soft text-urgent line-through decoration-1">
          {segment}
        </mark>
      )
    const Mark = kind === 'watched' ? 'u' : 'mark'
    return (
      <Mark key={start} className={kind === 'found' ? undefined : UNDERLINE_CLASSES}>
        {segment}
      </Mark>
    )
  })
}
