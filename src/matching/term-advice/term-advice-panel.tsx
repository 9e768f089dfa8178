import { useMutation, useQuery } from '@tanstack/react-query'
import { EyeOff } from 'lucide-react'
import { isKeywordTermActive } from '#contract/matching/keyword-term.ts'
import { type KeywordTermAdvice as Advice, KEYWORD_TERM_ADVICE_PERIOD_DAYS } from '#contract/matching/term-advice.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'
import { formatErrorMessage } from '#src/lib/problem-error.ts'
import { changeKeywordTerms, keywordTermsQuery } from '#src/matching/api/keyword-terms.ts'
import { keywordTermAdviceQuery } from '#src/matching/api/term-advice.ts'
import { Button } from '#src/ui/button.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'
import { HighlightedText } from '#src/ui/project/highlighted-text.tsx'
import { useAdviceDismissal } from './use-advice-dismissal.ts'
import { useFocusAfterRemoval } from './use-focus-after-removal.ts'

export type TermAdviceProps = {
  /** True while words cannot be changed; the user can still dismiss advice. */
  isLocked: boolean
  exclude: (term: string) => Promise<boolean>
}

/** Returns the advice that waits for an answer; a term that was just unticked is gone before the server confirms it. */
export function useOpenTermAdvice(): readonly Advice[] {
  const { data } = useQuery(useOptimisticQueryOptions(keywordTermAdviceQuery))
  const hasAdvice = (data?.advice.length ?? 0) > 0
  const terms = useQuery({ ...useOptimisticQueryOptions(keywordTermsQuery), enabled: hasAdvice }).data?.keywords
  const stillActs = ({ keyword_id, facet, term }: Advice) => {
    const currentTerms = terms?.find((keyword) => keyword.keyword_id === keyword_id)?.terms
    return (
      currentTerms === undefined ||
      currentTerms.some((item) => item.facet === facet && item.term === term && isKeywordTermActive('ai_include', item))
    )
  }
  return data?.advice.filter(stillActs) ?? []
}

/** Lists terms whose matches the user always hides, each with evidence. Renders nothing if there are none. */
export function KeywordTermAdvicePanel({ isLocked, exclude }: TermAdviceProps) {
  const { data, error, isFetching, refetch } = useQuery(useOptimisticQueryOptions(keywordTermAdviceQuery))
  const open = useOpenTermAdvice()
  const count = open.length
  const { untick, dismiss } = useAdviceChanges()
  const { section, onPress } = useFocusAfterRemoval(count)
  if (!data && error)
    return (
      <p role="alert" className="text-sm text-ink-muted">
        ดูคำที่นำมาแต่สิ่งที่คุณซ่อนไม่สำเร็จ {formatErrorMessage(error)}{' '}
        <Button variant="link" size="sm" pending={isFetching} onClick={() => void refetch()}>
          ลองใหม่
        </Button>
      </p>
    )
  if (count === 0) return null
  return (
    <section ref={section} tabIndex={-1} aria-labelledby="term-advice-title" className="outline-none">
      <h3 id="term-advice-title" className="flex items-start gap-2 font-semibold">
        <EyeOff aria-hidden className="mt-1 size-4 shrink-0 text-ink-muted" />
        คำเหล่านี้นำมาแต่สิ่งที่คุณซ่อน
      </h3>
      <p className="mt-0.5 text-sm text-ink-muted">
        ดูจากที่คุณซ่อนใน {KEYWORD_TERM_ADVICE_PERIOD_DAYS} วันที่ผ่านมา คนอื่นในทีมไม่เห็นรายการนี้ ไม่มีอะไรเปลี่ยนจนกว่าคุณจะกด
      </p>
      <ul className="mt-3 divide-y divide-line border-t border-line">
        {open.map((advice) => (
          <AdviceRow
            key={`${advice.keyword_id} ${advice.facet} ${advice.term}`}
            advice={advice}
            isLocked={isLocked}
            onUntick={() => {
              onPress()
              untick({ advice })
            }}
            onExclude={async () => {
              onPress()
              if (await exclude(advice.term)) untick({ advice, isAnnounced: true })
            }}
            onRefuse={() => {
              onPress()
              dismiss({ advice, isDismissed: true })
            }}
          />
        ))}
      </ul>
    </section>
  )
}

type AdviceRowProps = {
  advice: Advice
  isLocked: boolean
  onUntick: () => void
  onExclude: () => void
  onRefuse: () => void
}

function AdviceRow({ advice, isLocked, onUntick, onExclude, onRefuse }: AdviceRowProps) {
  const { term, word, titles } = advice
  return (
    <li aria-label={term} className="py-3 last:pb-0">
      <p className="wrap-anywhere">
        <span className="font-medium">{term}</span> <span className="text-ink-muted">คำใกล้เคียงของ {word}</span>
      </p>
      <p className="text-xs text-ink-muted tabular-nums">{factsText(advice)}</p>
      <ul aria-label="เช่น" className="mt-1.5 space-y-1 text-sm text-ink-muted">
        {titles.map(({ project_id, name }) => (
          <li key={project_id} className="line-clamp-2 border-l-2 border-line pl-2 wrap-anywhere">
            <HighlightedText text={name} words={[term]} />
          </li>
        ))}
      </ul>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button size="sm" disabled={isLocked} onClick={onUntick} aria-label={`เลิกใช้ ${term}`}>
          เลิกใช้คำนี้
        </Button>
        <Button size="sm" disabled={isLocked} onClick={onExclude} aria-label={`ทำ ${term} เป็นคำไม่รวม`}>
          ทำเป็นคำไม่รวม
        </Button>
        <Button size="sm" variant="quiet" onClick={onRefuse} aria-label={`ไม่ต้องเสนอเรื่อง ${term} อีก`}>
          ไม่ต้องเสนออีก
        </Button>
      </div>
    </li>
  )
}

function factsText({ shown: shownCount, hidden, excluded }: Advice): string {
  const summary = `คุณซ่อน ${formatCount(hidden)} จาก ${formatCount(shownCount - excluded)} ชื่อที่คำนี้คำเดียวนำมา`
  return excluded > 0 ? `${summary} อีก ${formatCount(excluded)} ชื่อถูกคำไม่รวมตัดอยู่แล้ว` : summary
}

/** `isAnnounced`: another toast about the same action is already visible. */
type UntickVariables = { readonly advice: Advice; readonly isAnnounced?: boolean }

function useAdviceChanges() {
  const { mutate: tickAgain } = useMutation({
    mutationFn: ({ keyword_id: id, term }: Advice) => changeKeywordTerms(id, { approve: [term] }),
    onError: (error, { term }) =>
      showToast({ tone: 'error', text: `ใช้ “${term}” อีกครั้งไม่สำเร็จ ${formatErrorMessage(error)}` }),
  })
  const { mutate: untick } = useMutation({
    mutationFn: ({ advice: { keyword_id: id, term } }: UntickVariables) => changeKeywordTerms(id, { reject: [term] }),
    onSuccess: (_, { advice, isAnnounced = false }) => {
      if (isAnnounced) return
      showToast({
        tone: 'done',
        text: `เลิกใช้ “${advice.term}” ของ “${advice.word}” แล้ว`,
        action: { label: 'เลิกทำ', run: () => tickAgain(advice) },
      })
    },
    onError: (error, variables) =>
      showToast({
        tone: 'error',
        text: `เลิกใช้ “${variables.advice.term}” ไม่สำเร็จ ${formatErrorMessage(error)}`,
        action: { label: 'ลองใหม่', run: () => untick(variables) },
      }),
  })
  const dismiss = useAdviceDismissal()
  return { untick, dismiss }
}
