import { useQuery } from '@tanstack/react-query'
import { formatCount } from '#contract/thai/thai-number.ts'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'
import { keywordTermAdviceQuery } from '#src/matching/api/term-advice.ts'
import { Card } from '#src/ui/card.tsx'
import { Collapsible } from '#src/ui/collapsible.tsx'
import {
  KeywordTermAdditionsPanel,
  KeywordTermAdvicePanel,
  type TermAdviceProps,
  useOpenTermAdvice,
} from './term-advice-panel.tsx'

/** One row that opens the advice on press. Its height never changes, so that late advice does not move the lists below. */
export function KeywordTermAdviceSection(props: TermAdviceProps) {
  const { isPending, isError } = useQuery(useOptimisticQueryOptions(keywordTermAdviceQuery))
  const { advice, additions } = useOpenTermAdvice()
  const count = advice.length + additions.length
  const isEmpty = !isPending && !isError && count === 0
  const state = isPending ? 'กำลังดู' : isEmpty ? 'ยังไม่มี' : count === 0 ? 'โหลดไม่สำเร็จ' : undefined
  return (
    <Card className="px-4">
      <Collapsible
        heading="h2"
        title="คำแนะนำสำหรับคำใกล้เคียง (AI)"
        badge={
          state === undefined ? (
            <span className="rounded-full bg-accent-soft px-2 text-sm font-semibold text-accent-ink tabular-nums">
              {formatCount(count)}
            </span>
          ) : (
            <span className="text-sm font-normal text-ink-muted">{state}</span>
          )
        }
      >
        <div className="space-y-4 pb-1">
          {isEmpty && (
            <p className="text-ink-muted">
              ระบบจะเสนอคำที่น่าเพิ่มหรือเลิกใช้ เมื่อเห็นจากโครงการที่คุณติดดาว ซ่อน หรือตอบว่าเกี่ยว ไม่มีอะไรเปลี่ยนจนกว่าคุณจะกด
            </p>
          )}
          <KeywordTermAdvicePanel {...props} />
          <KeywordTermAdditionsPanel isLocked={props.isLocked} />
        </div>
      </Collapsible>
    </Card>
  )
}
