import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { KeywordPreview } from '#contract/matching/keyword-impact.ts'
import { findHighlightRanges } from '#contract/search/search-highlight.ts'
import { formatCountWithSeparators } from '#src/lib/figure-text.ts'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { HighlightedText } from '#src/ui/project/highlighted-text.tsx'

export type AccidentalKeywordMatch = KeywordPreview['traps'][number]

type TrapBoxProps = {
  traps: readonly AccidentalKeywordMatch[]
  excluded: readonly string[]
  onExcluded: (words: string[]) => void
}

const COLLAPSED_COUNT = 5

export function AccidentalKeywordMatchBox({ traps, excluded, onExcluded }: TrapBoxProps) {
  const [showsAll, setShowsAll] = useState(false)
  if (traps.length === 0) return null
  const words = [...new Set(traps.map(({ of }) => of))]
  const visibleTraps = showsAll
    ? traps
    : traps.filter(({ word }, index) => index < COLLAPSED_COUNT || excluded.includes(word))
  return (
    <section
      aria-label="คำอื่นที่ติดมาด้วย"
      className="rounded-control border border-updated-line bg-updated-soft px-3 py-2.5"
    >
      <p className="flex items-center gap-2 font-medium text-updated">
        <TriangleAlert aria-hidden className="size-4 shrink-0" />
        {words.length === 1 ? 'คำนี้ติดคำอื่นมาด้วย' : `คำ ${words.join(', ')} ติดคำอื่นมาด้วย`}
      </p>
      <ul className="mt-1.5 flex flex-col gap-1">
        {visibleTraps.map(({ word, count, samples }) => (
          <li key={word}>
            <Checkbox
              checked={excluded.includes(word)}
              onChange={(on) => onExcluded(on ? [...excluded, word] : excluded.filter((item) => item !== word))}
              trailing={<span className="text-sm text-updated">−{formatCountWithSeparators(count)}</span>}
            >
              ไม่รวม <span className="font-medium">{word}</span>
              {samples[0] && (
                <span className="block truncate text-xs text-ink-muted" title={samples.join('\n')}>
                  <HighlightedText text={excerptOf(samples[0], word)} words={[]} against={[word]} />
                </span>
              )}
            </Checkbox>
          </li>
        ))}
      </ul>
      {visibleTraps.length < traps.length && (
        <button
          type="button"
          onClick={() => setShowsAll(true)}
          className="mt-1 min-h-6 rounded-control text-sm font-medium text-updated hover:underline touch:min-h-11"
        >
          ดูอีก {traps.length - visibleTraps.length} คำ
        </button>
      )}
    </section>
  )
}

const CHARS_BEFORE = 14

/**
 * Returns an excerpt of a title around the word, on one line. The start of the title is cut if the word would otherwise
 * be truncated.
 */
function excerptOf(title: string, word: string): string {
  const at = findHighlightRanges([word], title)[0]?.start ?? 0
  if (at <= CHARS_BEFORE) return title
  // Remove leading vowel and tone marks, because the text must not be cut between a consonant and its marks.
  const excerpt = title.slice(at - CHARS_BEFORE).replace(/^[\u0e31\u0e33-\u0e3a\u0e47-\u0e4e]+/, '')
  return `…${excerpt}`
}

/**
 * Combines two lists of traps so that ticked suggestions remain visible: first the traps found without exclusions,
 * because the server no longer returns a trap that an exclusion removes, then those found only in the current figures.
 */
export function mergeAccidentalKeywordMatches(
  withoutExclusions: readonly AccidentalKeywordMatch[],
  current: readonly AccidentalKeywordMatch[],
): AccidentalKeywordMatch[] {
  const words = new Set(withoutExclusions.map(({ word }) => word))
  return [...withoutExclusions, ...current.filter(({ word }) => !words.has(word))]
}
