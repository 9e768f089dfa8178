import { findHighlightRanges, type TextRange } from '#contract/search/search-highlight.ts'

type HighlightedProps = {
  text: string
  words: readonly string[]
  /** Watch-list words are underlined, even inside a yellow highlight. */
  watched?: readonly string[] | undefined
  /** Words that are reasons for exclusion. They are marked in the warning colour, which takes precedence. */
  against?: readonly string[] | undefined
}

const NO_RANGES: readonly TextRange[] = []
const rangesOf = (words: readonly string[], text: string) =>
  words.length === 0 ? NO_RANGES : findHighlightRanges(words, text)
const covers = (ranges: readonly TextRange[], at: number) => ranges.some(({ start, end }) => start <= at && at < end)

export function HighlightedText({ text, words, watched = [], against = [] }: HighlightedProps) {
  const againstRanges = rangesOf(against, text)
  const wordRanges = rangesOf(words, text)
  const watchedRanges = rangesOf(watched, text)
  if (againstRanges.length + wordRanges.length + watchedRanges.length === 0) return text
  return splitByKind(text, { guilty: againstRanges, found: wordRanges, known: watchedRanges }).map(
    ({ start, end, kind }) => {
      const segment = text.slice(start, end)
      if (kind === 'guilty')
        return (
          <mark key={start} data-against className="bg-urgent-soft text-urgent line-through decoration-1">
            {segment}
          </mark>
        )
      if (kind === 'found' || kind === 'both')
        return (
          <mark key={start} className={kind === 'both' ? UNDERLINE_CLASSES : undefined}>
            {segment}
          </mark>
        )
      return kind === 'known' ? (
        <u key={start} className={UNDERLINE_CLASSES}>
          {segment}
        </u>
      ) : (
        segment
      )
    },
  )
}

type Kind = 'guilty' | 'found' | 'both' | 'known' | 'plain'
type TextSegment = TextRange & { readonly kind: Kind }

function splitByKind(
  text: string,
  ranges: Readonly<Record<'guilty' | 'found' | 'known', readonly TextRange[]>>,
): TextSegment[] {
  const kindAt = (at: number): Kind => {
    if (covers(ranges.guilty, at)) return 'guilty'
    const isWatched = covers(ranges.known, at)
    if (covers(ranges.found, at)) return isWatched ? 'both' : 'found'
    return isWatched ? 'known' : 'plain'
  }
  const borders = Object.values(ranges).flatMap((rangeList) => rangeList.flatMap(({ start, end }) => [start, end]))
  const cuts = [...new Set([0, ...borders, text.length])].sort((a, b) => a - b)
  const segments: TextSegment[] = []
  for (const [index, start] of cuts.slice(0, -1).entries()) {
    const kind = kindAt(start)
    const end = cuts[index + 1]!
    const lastSegment = segments.at(-1)
    if (lastSegment?.kind === kind) segments[segments.length - 1] = { ...lastSegment, end }
    else segments.push({ start, end, kind })
  }
  return segments
}

/** The underline is offset so that it is below Thai vowels that hang under the letters. */
const UNDERLINE_CLASSES = 'underline decoration-watched decoration-2 underline-offset-[0.3em]'
