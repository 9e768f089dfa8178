import { useQuery } from '@tanstack/react-query'
import { Check, EyeOff, X } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { isKeywordTermActive, type KeywordTerm } from '#contract/matching/keyword-term.ts'
import type { KeywordTermEvidence, KeywordTermEvidenceResponse } from '#contract/matching/term-evidence.ts'
import { formatThaiDateShort } from '#contract/thai/thai-date.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { keywordTermEvidenceQuery } from '#src/matching/api/keyword-terms.ts'
import { Button } from '#src/ui/button.tsx'
import { InlineQueryError } from '#src/ui/inline-query-error.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'
import {
  describeTermEvidence,
  focusSiblingTermRow,
  type KeywordTermReviewAnswer,
  KeywordTermRow,
  TermSampleTitles,
} from './term-row.tsx'
import { type AiTermListCode, getKeywordConcepts, getTermKey, selectKeywordTermsToReview } from './term-text.ts'

type TermEvidenceProps = {
  id: string
  word: string
  list: AiTermListCode
  terms: readonly KeywordTerm[]
  locked: boolean
  onTurn: (term: KeywordTerm, on: boolean) => void
  onHide?: ((term: KeywordTerm) => void) | undefined
}

export function KeywordTermEvidenceList({ id, word, list, terms, locked, onTurn, onHide }: TermEvidenceProps) {
  const requestTerms = terms.map((term) => ({
    term: term.term,
    facet: term.facet,
    acts: isKeywordTermActive(list, term),
  }))
  const evidence = useQuery(keywordTermEvidenceQuery(requestTerms))
  const { data } = evidence
  const [order, setOrder] = useState<readonly string[]>()
  const judged = selectKeywordTermsToReview(terms)
  if (data && !order) setOrder(sortedKeys(judged, data))
  if (!data) {
    return evidence.error ? (
      <InlineQueryError query={evidence} title="ดูชื่อโครงการไม่สำเร็จ" />
    ) : (
      <SkeletonGroup label="กำลังดูชื่อโครงการของปีที่ผ่านมา" className="flex flex-col gap-2" bars={['h-16', 'h-16']} />
    )
  }
  const facts = new Map(data.terms.map((item) => [getTermKey(item), item]))
  const ofSide = new Map(getKeywordConcepts(terms).map(({ facet, of }) => [facet, of]))
  // Terms typed meanwhile come last; the order of the others is fixed.
  const positions = new Map((order ?? []).map((key, position) => [key, position]))
  const ordered = judged.toSorted(
    (a, b) => (positions.get(getTermKey(a)) ?? Infinity) - (positions.get(getTermKey(b)) ?? Infinity) || 0,
  )
  const answer = (term: KeywordTerm, choice: KeywordTermReviewAnswer) => {
    if (locked || (choice === 'hide' && !onHide)) return false
    if (choice === 'hide') onHide?.(term)
    else onTurn(term, choice === 'yes')
    return true
  }
  return (
    <div id={id} className="border-t border-line pt-2">
      <p className="mb-2 text-xs text-ink-muted">
        {rangeText(data)} <span className="touch:hidden">แป้นพิมพ์: J K เลื่อน, Y ใช่, N ไม่{onHide && ', X ซ่อน'}</span>
      </p>
      <ul
        aria-label={`ตรวจคำของ ${word} ด้วยชื่อโครงการ`}
        aria-busy={evidence.isFetching}
        className="divide-y divide-line"
      >
        {ordered.map((term, index) => (
          <KeywordTermRow
            key={getTermKey(term)}
            term={term}
            side={ofSide.get(term.facet)}
            facts={factsText(facts.get(getTermKey(term)), list, term)}
            isFirst={index === 0}
            onAnswerKey={(choice, row) => answer(term, choice) && focusSiblingTermRow(row, 1)}
            answers={
              <>
                <Answer
                  icon={Check}
                  isOn={isKeywordTermActive(list, term)}
                  disabled={locked}
                  onClick={() => answer(term, 'yes')}
                >
                  ใช่
                </Answer>
                <Answer icon={X} isOn={term.state === 'rejected'} disabled={locked} onClick={() => answer(term, 'no')}>
                  ไม่
                </Answer>
                {onHide && (
                  <Button
                    size="sm"
                    variant="quiet"
                    icon={EyeOff}
                    disabled={locked}
                    onClick={() => answer(term, 'hide')}
                    aria-label={`ซ่อนทุกชื่อที่มี ${term.term}`}
                  >
                    ซ่อน
                  </Button>
                )}
              </>
            }
          >
            <TermSampleTitles term={term.term} titles={facts.get(getTermKey(term))?.samples} />
          </KeywordTermRow>
        ))}
      </ul>
    </div>
  )
}

function sortedKeys(terms: readonly KeywordTerm[], { terms: facts }: KeywordTermEvidenceResponse): string[] {
  const adds = new Map(facts.map((fact) => [getTermKey(fact), fact.adds]))
  const rank = (term: KeywordTerm) => {
    const isOpen = term.state === 'auto' || term.state === 'suggested'
    return (isOpen ? 1e9 : 0) + (adds.get(getTermKey(term)) ?? 0)
  }
  return terms.toSorted((a, b) => rank(b) - rank(a) || b.similarity - a.similarity).map(getTermKey)
}

function rangeText({ from, titles, share }: KeywordTermEvidenceResponse): string {
  if (from === null || titles === 0) return 'ยังไม่มีโครงการให้ดู'
  const estimateText = share < 1 ? ` ตัวเลขประมาณจาก ${Math.max(1, Math.round(share * 100))}% ของชื่อทั้งปี` : ''
  return `จากชื่อโครงการ ${formatCount(titles)} ชื่อ ตั้งแต่ ${formatThaiDateShort(from)}${estimateText}`
}

function Answer({ isOn, ...button }: ComponentProps<typeof Button> & { isOn: boolean }) {
  const look = classNames(isOn && 'border-accent-line! bg-accent-soft! text-accent-ink!')
  return <Button {...button} size="sm" aria-pressed={isOn} className={look} />
}

/** For an active term, returns how many titles would be lost without it. */
function factsText(facts: KeywordTermEvidence | undefined, list: AiTermListCode, term: KeywordTerm): string {
  const verb = list === 'ai_exclude' ? 'ซ่อน' : 'พบ'
  return describeTermEvidence(facts, (added) =>
    isKeywordTermActive(list, term)
      ? `${verb}เพราะคำนี้คำเดียว ${formatCount(added)} ชื่อ`
      : `จะ${verb}เพิ่ม ${formatCount(added)} ชื่อ`,
  )
}
