import { useState } from 'react'
import { BUDGET_PARAMS, type IgnoredBudgetParam } from '#contract/budget-params.ts'
import { IgnoredParams } from '#src/features/ignored-params/ignored-params.tsx'
import { Notice } from '#src/ui/notice.tsx'

type BudgetNoticesProps = {
  /** A year that the link asked for and the package does not have, and the one shown instead. */
  replaced: { readonly asked: number; readonly shown: number } | undefined
  ignored: readonly IgnoredBudgetParam[]
}

/** What a reader must know about the page before trusting it. */
export function BudgetNotices({ replaced, ignored }: BudgetNoticesProps) {
  const [closedYear, setClosedYear] = useState<number>()
  return (
    <>
      {replaced && replaced.asked !== closedYear && (
        <div role="status">
          <Notice warns onClose={() => setClosedYear(replaced.asked)}>
            ปี {replaced.asked} ไม่อยู่ในแพ็กเกจขององค์กร จึงแสดงปี {replaced.shown} แทน
          </Notice>
        </div>
      )}
      <IgnoredParams params={BUDGET_PARAMS} ignored={ignored} />
    </>
  )
}
