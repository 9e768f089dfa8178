import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Check, ChevronDown, ChevronUp, Minus, Sparkles, X } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { isKeywordTermActive, type KeywordTerm } from '#contract/matching/keyword-term.ts'
import type { ChangedKeywordTerm, KeywordTermChanges } from '#contract/matching/term-changes.ts'
import type { KeywordTermEvidence, KeywordTermEvidenceResponse } from '#contract/matching/term-evidence.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'
import { useOnChange } from '#src/lib/use-on-change.ts'
import { keywordTermChangesQuery, keywordTermEvidenceQuery } from '#src/matching/api/keyword-terms.ts'
import { Button } from '#src/ui/button.tsx'
import { combineQueries } from '#src/ui/combine-queries.ts'
import { InlineQueryError } from '#src/ui/inline-query-error.tsx'
import { showDoneToast } from '#src/ui/overlay/outcome-toasts.ts'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'
import { saveKeywordTerms } from './save-keyword-terms.ts'
import { describeTermEvidence, focusSiblingTermRow, KeywordTermRow, TermSampleTitles } from './term-row.tsx'
import { getKeywordConcepts, getTermKey } from './term-text.ts'

type TermChangesPanelProps = {
  keyword: { readonly id: number; readonly word: string }
  terms: readonly KeywordTerm[]
  locked: boolean
}

export function KeywordTermChangesPanel({ keyword, terms, locked }: TermChangesPanelProps) {
  const { data } = useQuery(useOptimisticQueryOptions(keywordTermChangesQuery))
  const [isOpen, setIsOpen] = useState(false)
  const listId = useId()
  const container = useRef<HTMLDivElement>(null)
  const changes = data?.keywords.find(({ keyword_id }) => keyword_id === keyword.id)
  const count = changes ? changes.gained.length + changes.lost.length : 0
  // The pressed button unmounts with its row, so keep the keyboard focus on this panel.
  const [isPressed, setIsPressed] = useState(false)
  useOnChange(isPressed ? count : undefined, (remaining) => {
    if (remaining !== undefined && document.activeElement === document.body) container.current?.focus()
  })
  if (!isPressed && (!changes || count === 0)) return null
  return (
    <div
      ref={container}
      tabIndex={-1}
      role="group"
      aria-label={`คำใหม่ของ ${keyword.word}`}
      className="mb-1.5 outline-none"
    >
      {changes && count > 0 ? (
        <>
          <Button
            variant="link"
            size="sm"
            icon={Sparkles}
            aria-expanded={isOpen}
            aria-controls={isOpen ? listId : undefined}
            onClick={() => setIsOpen(!isOpen)}
          >
            {changesText(changes)}
            {isOpen ? <ChevronUp aria-hidden className="size-4" /> : <ChevronDown aria-hidden className="size-4" />}
          </Button>
          {isOpen && (
            <KeywordTermChangesList
              id={listId}
              keyword={keyword}
              terms={terms}
              changes={changes}
              locked={locked}
              onAnswer={() => setIsPressed(true)}
            />
          )}
        </>
      ) : (
        <p className="sr-only">ดูคำใหม่ครบแล้ว</p>
      )}
    </div>
  )
}

function changesText({ gained, lost }: KeywordTermChanges): string {
  if (lost.length === 0) return `มีคำใกล้เคียงใหม่ ${gained.length} คำ`
  if (gained.length === 0) return `มี ${lost.length} คำที่ระบบไม่แนะนำแล้ว`
  return `มีคำใกล้เคียงใหม่ ${gained.length} คำ และ ${lost.length} คำที่ไม่แนะนำแล้ว`
}

type KeywordTermChangesListProps = {
  id: string
  keyword: { readonly id: number; readonly word: string }
  terms: readonly KeywordTerm[]
  changes: KeywordTermChanges
  locked: boolean
  onAnswer: () => void
}

type Kind = 'gained' | 'lost'

function KeywordTermChangesList({ id, keyword, terms, changes, locked, onAnswer }: KeywordTermChangesListProps) {
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
  const ofSide = new Map(getKeywordConcepts(terms).map(({ facet, of }) => [facet, of]))
  const answer = (kind: Kind | 'all', accepts: boolean, only?: ChangedKeywordTerm) => {
    if (locked) return
    onAnswer()
    // The row unmounts, so move the keyboard focus to the next one.
    const row = [...(rows.current?.children ?? [])].find((element) => element.contains(document.activeElement))
    const options = { preventScroll: true }
    if (row && only && !focusSiblingTermRow(row, 1, options)) focusSiblingTermRow(row, -1, options)
    const chosen = only ? [only] : [...changes.gained, ...changes.lost]
    const edited = { keywordId: keyword.id, gained: kind === 'lost' ? [] : chosen }
    const termRefs = chosen.map(({ term, facet }) => ({ term, facet }))
    const renew = accepts ? { take: termRefs } : { leave: termRefs }
    saveKeywordTerms({ ...edited, change: { renew }, failed: `บันทึกคำใกล้เคียงของ ${keyword.word} ไม่สำเร็จ` })
    showDoneToast(doneText(keyword.word, accepts, chosen, kind), () =>
      saveKeywordTerms({ ...edited, change: { renew: { back: termRefs } }, failed: 'เลิกทำไม่สำเร็จ' }),
    )
  }
  const items = [
    ...sortByAdds('gained', changes.gained, gainedEvidence),
    ...sortByAdds('lost', changes.lost, lostEvidence),
  ]
  return (
    <div id={id} className="mt-1 mb-3 border-y border-line py-2">
      <p className="mb-2 text-xs text-ink-muted">
        ระบบรู้จักคำเพิ่มหลังจากวันที่บันทึกคำนี้ สิ่งที่คุณเลือกไว้อยู่ครบ{' '}
        <span className="touch:hidden">แป้นพิมพ์: J K เลื่อน, Y ใช้, N ไม่ใช้</span>
      </p>
      <InlineQueryError
        query={combineQueries({ gainedEvidence, lostEvidence })}
        title="ดูชื่อโครงการไม่สำเร็จ"
        className="mb-2 text-sm text-urgent"
      />
      <ul ref={rows} aria-label={`คำใหม่ของ ${keyword.word}`} className="divide-y divide-line">
        {items.map(({ term, facts, kind, isCounted }, index) => (
          <KeywordTermRow
            key={getTermKey(term)}
            term={term}
            side={ofSide.get(term.facet)}
            facts={`${kind === 'gained' ? 'คำใหม่' : 'ระบบไม่แนะนำแล้ว'} · ${factsText(facts, kind)}`}
            isFirst={index === 0}
            onAnswerKey={(key) => key !== 'hide' && answer(kind, (key === 'yes') === (kind === 'gained'), term)}
            answers={<RowAnswers kind={kind} locked={locked} onAnswer={(accepts) => answer(kind, accepts, term)} />}
          >
            {isCounted ? (
              <TermSampleTitles term={term.term} titles={facts?.samples} />
            ) : (
              <SkeletonGroup label="กำลังดูชื่อโครงการของปีที่ผ่านมา" className="mt-1.5" bars={['h-5']} />
            )}
          </KeywordTermRow>
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

type RowAnswersProps = { kind: Kind; locked: boolean; onAnswer: (accepts: boolean) => void }

function RowAnswers({ kind, locked, onAnswer }: RowAnswersProps) {
  const isGained = kind === 'gained'
  return (
    <>
      <Button size="sm" icon={isGained ? Check : Minus} disabled={locked} onClick={() => onAnswer(true)}>
        {isGained ? 'ใช้คำนี้' : 'เลิกใช้'}
      </Button>
      <Button size="sm" variant="quiet" icon={isGained ? X : Check} disabled={locked} onClick={() => onAnswer(false)}>
        {isGained ? 'ไม่ใช้' : 'ใช้ต่อ'}
      </Button>
    </>
  )
}

function evidenceTerms(terms: readonly KeywordTerm[], { gained, lost }: KeywordTermChanges, areGainedActive: boolean) {
  const [gainedKeys, lostKeys, existingKeys] = [gained, lost, terms].map((list) => new Set(list.map(getTermKey)))
  const existing = terms.map((term) => {
    const acts = gainedKeys!.has(getTermKey(term))
      ? areGainedActive
      : isKeywordTermActive('ai_include', term) && !lostKeys!.has(getTermKey(term))
    return { term: term.term, facet: term.facet, acts }
  })
  const addedTerms = gained.filter((term) => !existingKeys!.has(getTermKey(term)))
  return [...existing, ...addedTerms.map(({ term, facet }) => ({ term, facet, acts: areGainedActive }))]
}

type Evidence = Pick<UseQueryResult<KeywordTermEvidenceResponse>, 'data' | 'isPending'>

function sortByAdds(kind: Kind, terms: readonly ChangedKeywordTerm[], { data, isPending }: Evidence) {
  const factsByKey = new Map(data?.terms.map((fact) => [getTermKey(fact), fact]))
  return terms
    .map((term) => ({ term, kind, facts: factsByKey.get(getTermKey(term)), isCounted: !isPending }))
    .toSorted((a, b) => (b.facts?.adds ?? 0) - (a.facts?.adds ?? 0))
}

function factsText(facts: KeywordTermEvidence | undefined, kind: Kind): string {
  const verb = kind === 'gained' ? 'จะพบเพิ่ม' : 'จะไม่พบอีก'
  return describeTermEvidence(facts, (added) => `${verb} ${formatCount(added)} ชื่อ`)
}

function doneText(word: string, accepts: boolean, terms: readonly ChangedKeywordTerm[], kind: Kind | 'all'): string {
  if (kind === 'all') return accepts ? `ปรับคำใกล้เคียงของ ${word} แล้ว` : `คงคำใกล้เคียงของ ${word} ไว้ตามเดิม`
  const verb = (kind === 'gained') === accepts ? 'ใช้' : 'ไม่ใช้'
  return `${verb} “${terms[0]!.term}” ของ ${word} แล้ว`
}
