import { useQuery } from '@tanstack/react-query'
import { EyeOff, ListPlus } from 'lucide-react'
import { isKeywordTermActive } from '#contract/matching/keyword-term.ts'
import {
  type KeywordTermAddition as Addition,
  type KeywordTermAdvice as Advice,
  KEYWORD_TERM_ADVICE_PERIOD_DAYS,
} from '#contract/matching/term-advice.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'
import { keywordTermsQuery } from '#src/matching/api/keyword-terms.ts'
import { keywordTermAdviceQuery } from '#src/matching/api/term-advice.ts'
import { saveKeywordTerms } from '#src/matching/keyword-terms/save-keyword-terms.ts'
import { findEquivalentKeywordTerm, getTermKey } from '#src/matching/keyword-terms/term-text.ts'
import { InlineQueryError } from '#src/ui/inline-query-error.tsx'
import { TermAdviceList } from './term-advice-list.tsx'

export type TermAdviceProps = {
  isLocked: boolean
  exclude: (term: string) => Promise<boolean>
}

/** A term that was just changed is gone before the server confirms it. */
export function useOpenTermAdvice(): { readonly advice: readonly Advice[]; readonly additions: readonly Addition[] } {
  const { data: { advice, additions } = { advice: [], additions: [] } } = useQuery(
    useOptimisticQueryOptions(keywordTermAdviceQuery),
  )
  const hasAny = advice.length + additions.length > 0
  const keywords = useQuery({ ...useOptimisticQueryOptions(keywordTermsQuery), enabled: hasAny }).data?.keywords
  const termsOf = ({ keyword_id }: Advice | Addition) =>
    keywords?.find((keyword) => keyword.keyword_id === keyword_id)?.terms
  const isStillActive = (item: Advice) =>
    termsOf(item)?.some((term) => getTermKey(term) === getTermKey(item) && isKeywordTermActive('ai_include', term)) ??
    true
  const isStillMissing = (addition: Addition) =>
    (findEquivalentKeywordTerm(addition.term, termsOf(addition) ?? [])?.state ?? 'suggested') === 'suggested'
  return { advice: advice.filter(isStillActive), additions: additions.filter(isStillMissing) }
}

export function KeywordTermAdvicePanel({ isLocked, exclude }: TermAdviceProps) {
  const query = useQuery(useOptimisticQueryOptions(keywordTermAdviceQuery))
  const { advice } = useOpenTermAdvice()
  if (!query.data)
    return <InlineQueryError query={query} title="ดูคำที่นำมาแต่สิ่งที่คุณซ่อนไม่สำเร็จ" className="text-sm text-ink-muted" />
  return (
    <TermAdviceList
      icon={EyeOff}
      title="คำเหล่านี้นำมาแต่สิ่งที่คุณซ่อน"
      explanation={`ดูจากที่คุณซ่อนใน ${KEYWORD_TERM_ADVICE_PERIOD_DAYS} วันที่ผ่านมา คนอื่นในทีมไม่เห็นรายการนี้`}
      items={advice}
      isLocked={isLocked}
      describe={(item) => ({
        relation: `คำใกล้เคียงของ ${item.word}`,
        facts: adviceText(item),
        actions: [
          {
            label: 'เลิกใช้คำนี้',
            name: `เลิกใช้ ${item.term}`,
            run: () => untick(item, `เลิกใช้ “${item.term}” ของ “${item.word}” แล้ว`),
          },
          {
            label: 'ทำเป็นคำไม่รวม',
            name: `ทำ ${item.term} เป็นคำไม่รวม`,
            run: async () => {
              if (await exclude(item.term)) untick(item)
            },
          },
        ],
      })}
    />
  )
}

/** Lists terms of wanted projects that an AI word misses. `KeywordTermAdvicePanel` reports a failed load. */
export function KeywordTermAdditionsPanel({ isLocked }: Pick<TermAdviceProps, 'isLocked'>) {
  const { additions } = useOpenTermAdvice()
  return (
    <TermAdviceList
      icon={ListPlus}
      title="คำที่น่าเพิ่ม จากโครงการที่คุณสนใจ"
      explanation={`ดูจากโครงการที่คุณติดดาว ตอบว่าเกี่ยว หรือทีมตัดสินใจยื่น ใน ${KEYWORD_TERM_ADVICE_PERIOD_DAYS} วันที่ผ่านมา แต่คำในรายการยังหาไม่พบ`}
      items={additions}
      isLocked={isLocked}
      describe={(item) => ({
        relation: `เพิ่มให้ ${item.word}`,
        facts: additionText(item),
        actions: [{ label: 'เพิ่มคำนี้', name: `เพิ่ม ${item.term} ให้ ${item.word}`, run: () => accept(item) }],
      })}
    />
  )
}

function adviceText({ shown: shownCount, hidden, excluded }: Advice): string {
  const summary = `คุณซ่อน ${formatCount(hidden)} จาก ${formatCount(shownCount - excluded)} ชื่อที่คำนี้คำเดียวนำมา`
  return excluded > 0 ? `${summary} อีก ${formatCount(excluded)} ชื่อถูกคำไม่รวมตัดอยู่แล้ว` : summary
}

function additionText({ wanted, monthly, likely_right: likelyRight }: Addition): string {
  const seen = `อยู่ในโครงการที่คุณสนใจ ${formatCount(wanted)} โครงการ`
  const rounded = Math.round(monthly)
  const added = rounded < 1 ? 'เพิ่มไม่ถึง 1 โครงการต่อเดือน' : `เพิ่มราว ${formatCount(rounded)} โครงการต่อเดือน`
  return `${seen} ${added} คาดว่าตรงราว ${Math.round(likelyRight * 100)}%`
}

/** Adds the term, or ticks it if the word already suggests it. */
function accept({ keyword_id: keywordId, term, word }: Addition): void {
  saveKeywordTerms({
    keywordId,
    change: { add: [term] },
    failed: `เพิ่ม “${term}” ไม่สำเร็จ`,
    done: `เพิ่ม “${term}” ให้ “${word}” แล้ว`,
    undo: { keywordId, change: { reject: [term] }, failed: `เลิกใช้ “${term}” ไม่สำเร็จ` },
  })
}

/** Call without `done` if a toast about the same action is already visible. */
function untick({ keyword_id: keywordId, term }: Advice, done?: string): void {
  saveKeywordTerms({
    keywordId,
    change: { reject: [term] },
    failed: `เลิกใช้ “${term}” ไม่สำเร็จ`,
    done,
    undo: { keywordId, change: { approve: [term] }, failed: `ใช้ “${term}” อีกครั้งไม่สำเร็จ` },
  })
}
