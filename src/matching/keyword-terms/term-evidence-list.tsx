import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useRef, useState } from 'react'
import { isKeywordTermActive, type KeywordTerm } from '#contract/matching/keyword-term.ts'
import type { KeywordTermEvidence as Facts, KeywordTermEvidenceResponse } from '#contract/matching/term-evidence.ts'
import { formatThaiDateShort } from '#contract/thai/thai-date.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { formatErrorMessage } from '#src/lib/problem-error.ts'
import { keywordTermEvidenceQuery } from '#src/matching/api/term-evidence.ts'
import { Button } from '#src/ui/button.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'
import { KeywordTermEvidenceRow } from './term-evidence-row.tsx'
import {
  findSiblingKeywordTermRow,
  type KeywordTermReviewAnswer,
  resolveKeywordTermRowKeyPress,
} from './term-row-keys.ts'
import { type AiTermListCode, getKeywordConcepts, selectKeywordTermsToReview } from './term-text.ts'

type TermEvidenceProps = {
  id: string
  word: string
  list: AiTermListCode
  terms: readonly KeywordTerm[]
  locked: boolean
  onTurn: (term: KeywordTerm, on: boolean) => void
  onHide?: ((term: KeywordTerm) => void) | undefined
}

const keyOf = ({ term, facet }: Pick<Facts, 'term' | 'facet'>) => `${facet} ${term}`

export function KeywordTermEvidenceList({ id, word, list, terms, locked, onTurn, onHide }: TermEvidenceProps) {
  const requestTerms = terms.map((term) => ({
    term: term.term,
    facet: term.facet,
    acts: isKeywordTermActive(list, term),
  }))
  const { data, error, isFetching, refetch } = useQuery(keywordTermEvidenceQuery(requestTerms))
  const [order, setOrder] = useState<readonly string[]>()
  const rows = useRef<HTMLUListElement>(null)
  const judged = selectKeywordTermsToReview(terms)
  if (data && !order) setOrder(sortedKeys(judged, data))
  if (!data) {
    if (!error)
      return <SkeletonGroup label="กำลังดูชื่อโครงการของปีที่ผ่านมา" className="flex flex-col gap-2" bars={['h-16', 'h-16']} />
    return (
      <p role="alert" className="text-sm text-urgent">
        ดูชื่อโครงการไม่สำเร็จ {formatErrorMessage(error)}{' '}
        <Button variant="link" size="sm" pending={isFetching} onClick={() => void refetch()}>
          ลองใหม่
        </Button>
      </p>
    )
  }
  const facts = new Map(data.terms.map((item) => [keyOf(item), item]))
  const ofSide = new Map(getKeywordConcepts(terms).map(({ facet, of }) => [facet, of]))
  // Terms typed meanwhile come last; the order of the others is fixed.
  const positions = new Map((order ?? []).map((key, position) => [key, position]))
  const ordered = judged.toSorted(
    (a, b) => (positions.get(keyOf(a)) ?? Infinity) - (positions.get(keyOf(b)) ?? Infinity) || 0,
  )
  const answer = (term: KeywordTerm, choice: KeywordTermReviewAnswer) => {
    if (locked || (choice === 'hide' && !onHide)) return false
    if (choice === 'hide') onHide?.(term)
    else onTurn(term, choice === 'yes')
    return true
  }
  const onKey = (event: KeyboardEvent<HTMLLIElement>, term: KeywordTerm) => {
    const row = event.currentTarget
    const { isStep, element, answer: choice } = resolveKeywordTermRowKeyPress(event, rows.current)
    if (!isStep && choice === undefined) return
    event.preventDefault()
    event.stopPropagation()
    if (isStep) element?.focus()
    else if (choice && answer(term, choice)) findSiblingKeywordTermRow(row, rows.current, 1)?.focus()
  }
  return (
    <div id={id} className="border-t border-line pt-2">
      <p className="mb-2 text-xs text-ink-muted">
        {rangeText(data)} <span className="touch:hidden">แป้นพิมพ์: J K เลื่อน, Y ใช่, N ไม่{onHide && ', X ซ่อน'}</span>
      </p>
      <ul
        ref={rows}
        aria-label={`ตรวจคำของ ${word} ด้วยชื่อโครงการ`}
        aria-busy={isFetching}
        className="divide-y divide-line"
      >
        {ordered.map((term, index) => (
          <KeywordTermEvidenceRow
            key={keyOf(term)}
            term={term}
            list={list}
            facts={facts.get(keyOf(term))}
            side={ofSide.get(term.facet)}
            locked={locked}
            isFirst={index === 0}
            onKeyDown={(event) => onKey(event, term)}
            onAnswer={(choice) => answer(term, choice)}
            canHide={onHide !== undefined}
          />
        ))}
      </ul>
    </div>
  )
}

function sortedKeys(terms: readonly KeywordTerm[], { terms: facts }: KeywordTermEvidenceResponse): string[] {
  const adds = new Map(facts.map((fact) => [keyOf(fact), fact.adds]))
  const rank = (term: KeywordTerm) => {
    const isOpen = term.state === 'auto' || term.state === 'suggested'
    return (isOpen ? 1e9 : 0) + (adds.get(keyOf(term)) ?? 0)
  }
  return terms.toSorted((a, b) => rank(b) - rank(a) || b.similarity - a.similarity).map(keyOf)
}

function rangeText({ from, titles, share }: KeywordTermEvidenceResponse): string {
  if (from === null || titles === 0) return 'ยังไม่มีโครงการให้ดู'
  const estimateText = share < 1 ? ` ตัวเลขประมาณจาก ${Math.max(1, Math.round(share * 100))}% ของชื่อทั้งปี` : ''
  return `จากชื่อโครงการ ${formatCount(titles)} ชื่อ ตั้งแต่ ${formatThaiDateShort(from)}${estimateText}`
}
