import { findMatches, type TextRange } from '#contract/search/search-highlight.ts'

type HighlightedProps = {
  text: string
  words: readonly string[]
  /** Watch-list words: underlined, also below the yellow. */
  watched?: readonly string[] | undefined
  /** Reasons for exclusion: marked in the warning colour, which wins over the others. */
  against?: readonly string[] | undefined
}

const NONE: readonly TextRange[] = []
const rangesOf = (words: readonly string[], text: string) => (words.length === 0 ? NONE : findMatches(words, text))
const covers = (ranges: readonly TextRange[], at: number) => ranges.some(({ start, end }) => start <= at && at < end)

export function Highlighted({ text, words, watched = [], against = [] }: HighlightedProps) {
  const guilty = rangesOf(against, text)
  const found = rangesOf(words, text)
  const known = rangesOf(watched, text)
  if (guilty.length + found.length + known.length === 0) return text
  return partsOf(text, { guilty, found, known }).map(({ start, end, kind }) => {
    const part = text.slice(start, end)
    if (kind === 'guilty')
      return (
        <mark key={start} data-against className="bg-urgent-soft text-urgent line-through decoration-1">
          {part}
        </mark>
      )
    if (kind === 'found' || kind === 'both')
      return (
        <mark key={start} className={kind === 'both' ? UNDERLINED : undefined}>
          {part}
        </mark>
      )
    return kind === 'known' ? (
      <u key={start} className={UNDERLINED}>
        {part}
      </u>
    ) : (
      part
    )
  })
}

type Kind = 'guilty' | 'found' | 'both' | 'known' | 'plain'
type Part = TextRange & { readonly kind: Kind }

function partsOf(text: string, ranges: Readonly<Record<'guilty' | 'found' | 'known', readonly TextRange[]>>): Part[] {
  const kindAt = (at: number): Kind => {
    if (covers(ranges.guilty, at)) return 'guilty'
    const isKnown = covers(ranges.known, at)
    if (covers(ranges.found, at)) return isKnown ? 'both' : 'found'
    return isKnown ? 'known' : 'plain'
  }
  const borders = Object.values(ranges).flatMap((some) => some.flatMap(({ start, end }) => [start, end]))
  const cuts = [...new Set([0, ...borders, text.length])].sort((a, b) => a - b)
  const parts: Part[] = []
  for (const [index, start] of cuts.slice(0, -1).entries()) {
    const kind = kindAt(start)
    const end = cuts[index + 1]!
    const last = parts.at(-1)
    if (last?.kind === kind) parts[parts.length - 1] = { ...last, end }
    else parts.push({ start, end, kind })
  }
  return parts
}

/** Offset below Thai vowels that hang under the letters. */
const UNDERLINED = 'underline decoration-watched decoration-2 underline-offset-[0.3em]'
