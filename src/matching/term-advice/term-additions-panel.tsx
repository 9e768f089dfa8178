import { useMutation, useQuery } from '@tanstack/react-query'
import { ListPlus } from 'lucide-react'
import {
  type KeywordTermAddition as Addition,
  KEYWORD_TERM_ADVICE_PERIOD_DAYS,
} from '#contract/matching/term-advice.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'
import { formatErrorMessage } from '#src/lib/problem-error.ts'
import { changeKeywordTerms, keywordTermsQuery } from '#src/matching/api/keyword-terms.ts'
import { keywordTermAdviceQuery } from '#src/matching/api/term-advice.ts'
import { findEquivalentKeywordTerm } from '#src/matching/keyword-terms/term-text.ts'
import { Button } from '#src/ui/button.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'
import { HighlightedText } from '#src/ui/project/highlighted-text.tsx'
import { useAdviceDismissal } from './use-advice-dismissal.ts'
import { useFocusAfterRemoval } from './use-focus-after-removal.ts'

/** Returns the additions that wait for an answer; one that was just added is gone before the server confirms it. */
export function useOpenTermAdditions(): readonly Addition[] {
  const { data } = useQuery(useOptimisticQueryOptions(keywordTermAdviceQuery))
  const hasAdditions = (data?.additions.length ?? 0) > 0
  const keywords = useQuery({ ...useOptimisticQueryOptions(keywordTermsQuery), enabled: hasAdditions }).data?.keywords
  const termOf = ({ keyword_id, term }: Addition) =>
    findEquivalentKeywordTerm(term, keywords?.find((keyword) => keyword.keyword_id === keyword_id)?.terms ?? [])
  return data?.additions.filter((addition) => (termOf(addition)?.state ?? 'suggested') === 'suggested') ?? []
}

/**
 * Lists terms of wanted projects that an AI word misses, each with evidence and one button that adds it. Renders nothing
 * if there are none; `KeywordTermAdvicePanel` reports a failed load.
 */
export function KeywordTermAdditionsPanel({ isLocked }: { isLocked: boolean }) {
  const open = useOpenTermAdditions()
  const dismiss = useAdviceDismissal()
  const { mutate: accept } = useAddition()
  const { section, onPress } = useFocusAfterRemoval(open.length)
  if (open.length === 0) return null
  return (
    <section ref={section} tabIndex={-1} aria-labelledby="term-additions-title" className="outline-none">
      <h3 id="term-additions-title" className="flex items-start gap-2 font-semibold">
        <ListPlus aria-hidden className="mt-1 size-4 shrink-0 text-ink-muted" />
        คำที่น่าเพิ่ม จากโครงการที่คุณสนใจ
      </h3>
      <p className="mt-0.5 text-sm text-ink-muted">
        ดูจากโครงการที่คุณติดดาว ตอบว่าเกี่ยว หรือทีมตัดสินใจยื่น ใน {KEYWORD_TERM_ADVICE_PERIOD_DAYS} วันที่ผ่านมา แต่คำในรายการยังหาไม่พบ
        ไม่มีอะไรเปลี่ยนจนกว่าคุณจะกด
      </p>
      <ul className="mt-3 divide-y divide-line border-t border-line">
        {open.map((addition) => (
          <AdditionRow
            key={`${addition.keyword_id} ${addition.term}`}
            addition={addition}
            isLocked={isLocked}
            onAccept={() => {
              onPress()
              accept(addition)
            }}
            onRefuse={() => {
              onPress()
              dismiss({ advice: addition, isDismissed: true })
            }}
          />
        ))}
      </ul>
    </section>
  )
}

type AdditionRowProps = { addition: Addition; isLocked: boolean; onAccept: () => void; onRefuse: () => void }

function AdditionRow({ addition, isLocked, onAccept, onRefuse }: AdditionRowProps) {
  const { term, word, titles } = addition
  return (
    <li aria-label={term} className="py-3 last:pb-0">
      <p className="wrap-anywhere">
        <span className="font-medium">{term}</span> <span className="text-ink-muted">เพิ่มให้ {word}</span>
      </p>
      <p className="text-xs text-ink-muted tabular-nums">{factsText(addition)}</p>
      <ul aria-label="เช่น" className="mt-1.5 space-y-1 text-sm text-ink-muted">
        {titles.map(({ project_id, name }) => (
          <li key={project_id} className="line-clamp-2 border-l-2 border-line pl-2 wrap-anywhere">
            <HighlightedText text={name} words={[term]} />
          </li>
        ))}
      </ul>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button size="sm" disabled={isLocked} onClick={onAccept} aria-label={`เพิ่ม ${term} ให้ ${word}`}>
          เพิ่มคำนี้
        </Button>
        <Button size="sm" variant="quiet" onClick={onRefuse} aria-label={`ไม่ต้องเสนอเรื่อง ${term} อีก`}>
          ไม่ต้องเสนออีก
        </Button>
      </div>
    </li>
  )
}

function factsText({ wanted, monthly, likely_right: likelyRight }: Addition): string {
  const seen = `อยู่ในโครงการที่คุณสนใจ ${formatCount(wanted)} โครงการ`
  const rounded = Math.round(monthly)
  const added = rounded < 1 ? 'เพิ่มไม่ถึง 1 โครงการต่อเดือน' : `เพิ่มราว ${formatCount(rounded)} โครงการต่อเดือน`
  return `${seen} ${added} คาดว่าตรงราว ${Math.round(likelyRight * 100)}%`
}

function useAddition() {
  const { mutate: undo } = useMutation({
    mutationFn: ({ keyword_id: id, term }: Addition) => changeKeywordTerms(id, { reject: [term] }),
    onError: (error, { term }) =>
      showToast({ tone: 'error', text: `เลิกใช้ “${term}” ไม่สำเร็จ ${formatErrorMessage(error)}` }),
  })
  const addition = useMutation({
    // Ticks the term if the word already suggests it.
    mutationFn: ({ keyword_id: id, term }: Addition) => changeKeywordTerms(id, { add: [term] }),
    onSuccess: (_, added) =>
      showToast({
        tone: 'done',
        text: `เพิ่ม “${added.term}” ให้ “${added.word}” แล้ว`,
        action: { label: 'เลิกทำ', run: () => undo(added) },
      }),
    onError: (error, refused) =>
      showToast({
        tone: 'error',
        text: `เพิ่ม “${refused.term}” ไม่สำเร็จ ${formatErrorMessage(error)}`,
        action: { label: 'ลองใหม่', run: () => addition.mutate(refused) },
      }),
  })
  return addition
}
