import { Check, Plus } from 'lucide-react'
import { type KeywordTerm, takesPart } from '#contract/keyword-term.ts'
import { classNames } from '#src/lib/class-names.ts'
import { Highlighted } from '#src/ui/highlighted.tsx'
import { Tooltip } from '#src/ui/tooltip.tsx'
import { countWords, SOURCE_WORDS, similarityText, type TermList } from './term-words.ts'

type TermChipProps = {
  term: KeywordTerm
  list: TermList
  locked: boolean
  onTurn: (term: KeywordTerm, on: boolean) => void
}

/** One term, ticked or waiting; a press turns it. Hover and focus show how often it stands in titles, and two of them. */
export function TermChip({ term, list, locked, onTurn }: TermChipProps) {
  const on = takesPart(list, term)
  const Icon = on ? Check : Plus
  const similarity = similarityText(term)
  return (
    <Tooltip content={<TermFacts term={term} />}>
      {(describe) => (
        <button
          type="button"
          role="checkbox"
          aria-checked={on}
          aria-disabled={locked || undefined}
          {...describe}
          onClick={() => locked || onTurn(term, !on)}
          className={classNames(
            'inline-flex min-h-7 max-w-full items-center gap-1.5 rounded-control border px-2 text-sm transition-colors touch:min-h-11',
            on
              ? 'border-transparent bg-accent-soft text-accent-ink'
              : 'border-dashed border-line-strong text-ink-muted',
            !locked && (on ? 'hover:border-accent-line' : 'hover:border-control hover:text-ink'),
          )}
        >
          <Icon aria-hidden className="size-3.5 shrink-0" />
          <span className="min-w-0 truncate">{term.term}</span>{' '}
          {similarity !== '' && (
            <span className={classNames('text-xs tabular-nums', !on && 'text-ink-faint')}>
              <span className="sr-only">ความคล้าย 0</span>
              {similarity}
            </span>
          )}
        </button>
      )}
    </Tooltip>
  )
}

/** What is known about a term: where it comes from, how often it stands in titles, and two of them. */
export function TermFacts({ term }: { term: KeywordTerm }) {
  return (
    <>
      <p>
        {SOURCE_WORDS[term.source]} · {countWords(term)}
      </p>
      {term.samples.map((sample) => (
        <p key={sample} className="mt-0.5 line-clamp-2 text-ink-muted">
          <Highlighted text={sample} words={[term.term]} />
        </p>
      ))}
    </>
  )
}
