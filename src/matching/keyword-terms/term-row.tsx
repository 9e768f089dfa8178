import type { KeyboardEvent, ReactNode } from 'react'
import type { KeywordTerm } from '#contract/matching/keyword-term.ts'
import type { KeywordTermEvidence } from '#contract/matching/term-evidence.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { HighlightedText } from '#src/ui/project/highlighted-text.tsx'
import { KEYWORD_TERM_SOURCE_LABELS } from './term-text.ts'

type KeywordTermRowProps = {
  term: Pick<KeywordTerm, 'term' | 'source'>
  /** Part of the keyword that the term replaces. */
  side: string | undefined
  facts: string
  isFirst: boolean
  onAnswerKey: (answer: KeywordTermReviewAnswer, row: HTMLElement) => void
  answers: ReactNode
  children: ReactNode
}

export type KeywordTermReviewAnswer = 'yes' | 'no' | 'hide'

/** Physical key codes, because a Thai layout has other letters on these keys. */
const ANSWERS: Readonly<Record<string, KeywordTermReviewAnswer>> = { KeyY: 'yes', KeyN: 'no', KeyX: 'hide' }
const ROW_OFFSETS: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, KeyJ: 1, ArrowUp: -1, KeyK: -1 }

export function focusSiblingTermRow(row: Element, by: 1 | -1, options?: FocusOptions): boolean {
  const sibling = by === 1 ? row.nextElementSibling : row.previousElementSibling
  if (sibling instanceof HTMLElement) sibling.focus(options)
  return sibling !== null
}

export function KeywordTermRow({ term, side, facts, isFirst, onAnswerKey, answers, children }: KeywordTermRowProps) {
  const onKeyDown = (event: KeyboardEvent<HTMLLIElement>) => {
    const by = ROW_OFFSETS[event.code]
    const answer = ANSWERS[event.code]
    if (event.ctrlKey || event.metaKey || event.altKey || (!by && !answer)) return
    event.preventDefault()
    event.stopPropagation()
    if (by) focusSiblingTermRow(event.currentTarget, by)
    else if (answer) onAnswerKey(answer, event.currentTarget)
  }
  return (
    <li
      aria-label={term.term}
      tabIndex={isFirst ? 0 : -1}
      onKeyDown={onKeyDown}
      className="py-2.5 first:pt-0 focus-visible:outline-2 focus-visible:outline-offset-2"
    >
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5">
        <div className="min-w-0 flex-1 basis-48">
          <p className="font-medium wrap-anywhere">
            {term.term}
            {side !== undefined && <span className="font-normal text-ink-muted"> แทน {side}</span>}
          </p>
          <p className="text-xs text-ink-muted">
            {facts} · {KEYWORD_TERM_SOURCE_LABELS[term.source]}
          </p>
        </div>
        <div role="group" aria-label={`ใช้ ${term.term} หรือไม่`} className="flex gap-1.5">
          {answers}
        </div>
      </div>
      {children}
    </li>
  )
}

type TermSampleTitlesProps = { term: string; titles: KeywordTermEvidence['samples'] | undefined }

export function TermSampleTitles({ term, titles }: TermSampleTitlesProps) {
  if (!titles || titles.length === 0) return null
  return (
    <ul aria-label="เช่น" className="mt-1.5 space-y-1 text-sm text-ink-muted">
      {titles.map(({ project_id, name }) => (
        <li key={project_id} className="line-clamp-2 border-l-2 border-line pl-2 wrap-anywhere">
          <HighlightedText text={name} words={[term]} />
        </li>
      ))}
    </ul>
  )
}

/** Describes how many titles a term matches; `describeAdded` formats the number that no other term matches. */
export function describeTermEvidence(
  facts: KeywordTermEvidence | undefined,
  describeAdded: (count: number) => string,
): string {
  if (!facts) return 'ยังไม่ได้นับ'
  if (facts.holds === 0) return 'ไม่พบในปีที่ผ่านมา'
  return facts.adds === 0 ? `พบใน ${formatCount(facts.holds)} ชื่อ คำอื่นพบอยู่แล้วทั้งหมด` : describeAdded(facts.adds)
}
