import { useMutation, useQuery } from '@tanstack/react-query'
import { Check, Minus, X } from 'lucide-react'
import { type KeyboardEvent, useRef } from 'react'
import {
  isKeywordTermActive,
  type KeywordTerm,
  type KeywordTermChangeDecisions,
} from '#contract/matching/keyword-term.ts'
import type { ChangedKeywordTerm, KeywordTermChanges } from '#contract/matching/term-changes.ts'
import type { KeywordTermEvidence } from '#contract/matching/term-evidence.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { formatErrorMessage } from '#src/lib/problem-error.ts'
import { changeKeywordTerms } from '#src/matching/api/keyword-terms.ts'
import { keywordTermEvidenceQuery } from '#src/matching/api/term-evidence.ts'
import { Button } from '#src/ui/button.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'
import { HighlightedText } from '#src/ui/project/highlighted-text.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'
import { findSiblingKeywordTermRow, resolveKeywordTermRowKeyPress } from './term-row-keys.ts'
import { getKeywordConcepts, KEYWORD_TERM_SOURCE_LABELS } from './term-text.ts'

type KeywordTermChangesListProps = {
  id: string
  keyword: { readonly id: number; readonly word: string }
  terms: readonly KeywordTerm[]
  changes: KeywordTermChanges
  locked: boolean
  onAnswer: () => void
}

type Kind = 'gained' | 'lost'
type RenewVariables = {
  readonly renewal: KeywordTermChangeDecisions
  readonly gained: readonly ChangedKeywordTerm[]
  readonly failed: string
}
const keyOf = ({ term, facet }: Pick<ChangedKeywordTerm, 'term' | 'facet'>) => `${facet} ${term}`

export function KeywordTermChangesList({ id, keyword, terms, changes, locked, onAnswer }: KeywordTermChangesListProps) {
  const rows = useRef<HTMLUListElement>(null)
  // Lost terms are compared with the gained ones, which often match the same titles.
  const gainedEvidence = useQuery({
    ...keywordTermEvidenceQuery(evidenceTerms(terms, changes, false)),
    enabled: changes.gained.length > 0,
  })
  const lostEvidence = useQuery({
    ...keywordTermEvidenceQuery(evidenceTerms(terms, changes, true)),
    enabled: changes.lost.length > 0,
  })
  const { mutate: renew } = useMutation({
    mutationFn: ({ renewal, gained }: RenewVariables) => changeKeywordTerms(keyword.id, { renew: renewal }, gained),
    onError: (error, variables) =>
      showToast({
        tone: 'error',
        text: `${variables.failed} ${formatErrorMessage(error)}`,
        action: { label: 'ลองใหม่', run: () => renew(variables) },
      }),
  })
  const ofSide = new Map(getKeywordConcepts(terms).map(({ facet, of }) => [facet, of]))
  const answer = (kind: Kind | 'all', accepts: boolean, only?: ChangedKeywordTerm) => {
    if (locked) return
    onAnswer()
    // The row unmounts, so move the keyboard focus to the next one.
    const row = [...(rows.current?.children ?? [])].find((element) => element.contains(document.activeElement))
    if (row && only)
      (findSiblingKeywordTermRow(row, rows.current, 1) ?? findSiblingKeywordTermRow(row, rows.current, -1))?.focus({
        preventScroll: true,
      })
    const chosen = only ? [only] : [...changes.gained, ...changes.lost]
    const gained = kind === 'lost' ? [] : chosen
    const termRefs = chosen.map(({ term, facet }) => ({ term, facet }))
    renew({
      renewal: accepts ? { take: termRefs } : { leave: termRefs },
      gained,
      failed: `บันทึกคำใกล้เคียงของ ${keyword.word} ไม่สำเร็จ`,
    })
    showToast({
      tone: 'done',
      text: doneText(keyword.word, accepts, chosen, kind),
      action: { label: 'เลิกทำ', run: () => renew({ renewal: { back: termRefs }, gained, failed: 'เลิกทำไม่สำเร็จ' }) },
    })
  }
  const onKey = (event: KeyboardEvent<HTMLLIElement>, kind: Kind, term: ChangedKeywordTerm) => {
    const { isStep, element, answer: choice } = resolveKeywordTermRowKeyPress(event, rows.current)
    if (!isStep && choice === undefined) return
    event.preventDefault()
    event.stopPropagation()
    element?.focus()
    if (choice === 'yes' || choice === 'no') answer(kind, (choice === 'yes') === (kind === 'gained'), term)
  }
  const failed = gainedEvidence.error ?? lostEvidence.error
  const items = [
    ...sortByAdds(changes.gained, gainedEvidence.data?.terms).map((row) => ({
      ...row,
      kind: 'gained' as const,
      isCounted: !gainedEvidence.isPending,
    })),
    ...sortByAdds(changes.lost, lostEvidence.data?.terms).map((row) => ({
      ...row,
      kind: 'lost' as const,
      isCounted: !lostEvidence.isPending,
    })),
  ]
  return (
    <div id={id} className="mt-1 mb-3 border-y border-line py-2">
      <p className="mb-2 text-xs text-ink-muted">
        ระบบรู้จักคำเพิ่มหลังจากวันที่บันทึกคำนี้ สิ่งที่คุณเลือกไว้อยู่ครบ{' '}
        <span className="touch:hidden">แป้นพิมพ์: J K เลื่อน, Y ใช้, N ไม่ใช้</span>
      </p>
      {failed && (
        <p role="alert" className="mb-2 text-sm text-urgent">
          ดูชื่อโครงการไม่สำเร็จ {formatErrorMessage(failed)}{' '}
          <Button
            variant="link"
            size="sm"
            onClick={() =>
              void Promise.all([
                gainedEvidence.error && gainedEvidence.refetch(),
                lostEvidence.error && lostEvidence.refetch(),
              ])
            }
          >
            ลองใหม่
          </Button>
        </p>
      )}
      <ul ref={rows} aria-label={`คำใหม่ของ ${keyword.word}`} className="divide-y divide-line">
        {items.map(({ term, facts, kind, isCounted }, index) => (
          <li
            key={keyOf(term)}
            aria-label={term.term}
            tabIndex={index === 0 ? 0 : -1}
            onKeyDown={(event) => onKey(event, kind, term)}
            className="py-2.5 first:pt-0 focus-visible:outline-2 focus-visible:outline-offset-2"
          >
            <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5">
              <div className="min-w-0 flex-1 basis-48">
                <p className="font-medium wrap-anywhere">
                  {term.term}
                  {ofSide.has(term.facet) && (
                    <span className="font-normal text-ink-muted"> แทน {ofSide.get(term.facet)}</span>
                  )}
                </p>
                <p className="text-xs text-ink-muted">
                  {kind === 'gained' ? 'คำใหม่' : 'ระบบไม่แนะนำแล้ว'} · {factsText(facts, kind)} ·{' '}
                  {KEYWORD_TERM_SOURCE_LABELS[term.source]}
                </p>
              </div>
              <RowAnswers kind={kind} term={term} locked={locked} onAnswer={(accepts) => answer(kind, accepts, term)} />
            </div>
            <Samples term={term} facts={facts} isCounted={isCounted} />
          </li>
        ))}
      </ul>
      {items.length > 1 && (
        <div className="mt-2 flex flex-wrap gap-2">
          <Button size="sm" disabled={locked} onClick={() => answer('all', true)}>
            ปรับตามนี้ทั้งหมด
          </Button>
          <Button size="sm" variant="quiet" disabled={locked} onClick={() => answer('all', false)}>
            คงเดิมทั้งหมด
          </Button>
        </div>
      )}
    </div>
  )
}

type RowAnswersProps = { kind: Kind; term: ChangedKeywordTerm; locked: boolean; onAnswer: (accepts: boolean) => void }

function RowAnswers({ kind, term: { term }, locked, onAnswer }: RowAnswersProps) {
  const isGained = kind === 'gained'
  return (
    <div role="group" aria-label={`ใช้ ${term} หรือไม่`} className="flex gap-1.5">
      <Button size="sm" icon={isGained ? Check : Minus} disabled={locked} onClick={() => onAnswer(true)}>
        {isGained ? 'ใช้คำนี้' : 'เลิกใช้'}
      </Button>
      <Button size="sm" variant="quiet" icon={isGained ? X : Check} disabled={locked} onClick={() => onAnswer(false)}>
        {isGained ? 'ไม่ใช้' : 'ใช้ต่อ'}
      </Button>
    </div>
  )
}

function Samples({
  term,
  facts,
  isCounted,
}: {
  term: ChangedKeywordTerm
  facts: KeywordTermEvidence | undefined
  isCounted: boolean
}) {
  if (!isCounted) return <SkeletonGroup label="กำลังดูชื่อโครงการของปีที่ผ่านมา" className="mt-1.5" bars={['h-5']} />
  if (!facts || facts.samples.length === 0) return null
  return (
    <ul aria-label="เช่น" className="mt-1.5 space-y-1 text-sm text-ink-muted">
      {facts.samples.map(({ project_id, name }) => (
        <li key={project_id} className="line-clamp-2 border-l-2 border-line pl-2 wrap-anywhere">
          <HighlightedText text={name} words={[term.term]} />
        </li>
      ))}
    </ul>
  )
}

function evidenceTerms(terms: readonly KeywordTerm[], { gained, lost }: KeywordTermChanges, areGainedActive: boolean) {
  const [gainedKeys, lostKeys, existingKeys] = [gained, lost, terms].map((list) => new Set(list.map(keyOf)))
  const existing = terms.map((term) => {
    const acts = gainedKeys!.has(keyOf(term))
      ? areGainedActive
      : isKeywordTermActive('ai_include', term) && !lostKeys!.has(keyOf(term))
    return { term: term.term, facet: term.facet, acts }
  })
  const addedTerms = gained.filter((term) => !existingKeys!.has(keyOf(term)))
  return [...existing, ...addedTerms.map(({ term, facet }) => ({ term, facet, acts: areGainedActive }))]
}

function sortByAdds(terms: readonly ChangedKeywordTerm[], facts: readonly KeywordTermEvidence[] | undefined) {
  const factsByKey = new Map(facts?.map((fact) => [keyOf(fact), fact]))
  return terms
    .map((term) => ({ term, facts: factsByKey.get(keyOf(term)) }))
    .toSorted((a, b) => (b.facts?.adds ?? 0) - (a.facts?.adds ?? 0))
}

function factsText(facts: KeywordTermEvidence | undefined, kind: Kind): string {
  if (!facts) return 'ยังไม่ได้นับ'
  if (facts.holds === 0) return 'ไม่พบในปีที่ผ่านมา'
  if (facts.adds === 0) return `พบใน ${formatCount(facts.holds)} ชื่อ คำอื่นพบอยู่แล้วทั้งหมด`
  return kind === 'gained' ? `จะพบเพิ่ม ${formatCount(facts.adds)} ชื่อ` : `จะไม่พบอีก ${formatCount(facts.adds)} ชื่อ`
}

function doneText(word: string, accepts: boolean, terms: readonly ChangedKeywordTerm[], kind: Kind | 'all'): string {
  if (kind === 'all') return accepts ? `ปรับคำใกล้เคียงของ ${word} แล้ว` : `คงคำใกล้เคียงของ ${word} ไว้ตามเดิม`
  const verb = (kind === 'gained') === accepts ? 'ใช้' : 'ไม่ใช้'
  return `${verb} “${terms[0]!.term}” ของ ${word} แล้ว`
}
