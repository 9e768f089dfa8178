import type { ReactNode } from 'react'
import type { BudgetSummary } from '#contract/market/budget.ts'
import { formatBaht } from '#contract/thai/thai-number.ts'
import { DoubtfulAmountsNote } from '#src/catalogue/amounts-in-doubt.tsx'
import { formatCountWithSeparators, formatPercent } from '#src/lib/figure-text.ts'
import {
  computeRelativeChange,
  formatBudgetAmount,
  formatRelativeChange,
} from '#src/market/pages/budget/scope/budget-text.ts'
import { Card } from '#src/ui/card.tsx'
import { UnknownValue } from '#src/ui/unknown-value.tsx'

export function BudgetKeyFigures({ summary }: { summary: BudgetSummary }) {
  const { scope, amount, last_year: last, funnel, discount } = summary
  const change = last && computeRelativeChange(amount, last.amount)
  return (
    <Card as="section" aria-label="ตัวเลขสำคัญ">
      <dl className="grid grid-cols-2 gap-x-4 gap-y-4 p-4 md:grid-cols-3 lg:p-5 xl:grid-cols-6">
        <Figure
          name={scope.universe === 'matched' ? 'รายการที่ตรงคำ' : 'รายการ'}
          note={`จาก ${formatCountWithSeparators(scope.n_year)} รายการ`}
        >
          {formatCountWithSeparators(scope.n)}
        </Figure>
        <Figure name="วงเงินรวม" note={amount === null ? undefined : `${formatBaht(amount)} บาท`}>
          {amount === null ? undefined : formatBudgetAmount(amount)}
        </Figure>
        <Figure
          name="เทียบปีก่อน"
          note={
            last
              ? `ปี ${last.fiscal_year} มี ${formatCountWithSeparators(last.n)} รายการ ${formatBudgetAmount(last.amount)} ด้วยเงื่อนไขเดียวกัน`
              : 'ไม่มีข้อมูลปีก่อนในแพ็กเกจ'
          }
        >
          {change === null ? undefined : formatRelativeChange(change)}
        </Figure>
        <Figure
          name="ประกาศแล้ว"
          note={`${formatCountWithSeparators(funnel.draft.n)} จาก ${formatCountWithSeparators(funnel.budget.n)} รายการ`}
        >
          {shareText(funnel.draft.n, funnel.budget.n)}
        </Figure>
        <Figure
          name="ได้ผู้ชนะแล้ว"
          note={`${formatCountWithSeparators(funnel.awarded.n)} จาก ${formatCountWithSeparators(funnel.budget.n)} รายการ`}
        >
          {shareText(funnel.awarded.n, funnel.budget.n)}
        </Figure>
        <Figure
          name="ส่วนลดเฉลี่ยจากราคากลาง"
          note={
            <>
              {discount.n === 0
                ? 'ยังไม่มีงานที่รู้ทั้งผู้ชนะและราคากลาง'
                : `จาก ${formatCountWithSeparators(discount.n)} โครงการ ถ่วงด้วยวงเงิน`}
              <DoubtfulAmountsNote count={discount.amounts_in_doubt} />
            </>
          }
        >
          {discount.weighted === null ? undefined : formatPercent(discount.weighted)}
        </Figure>
      </dl>
    </Card>
  )
}

function shareText(n: number, of: number): string | undefined {
  return of === 0 ? undefined : formatPercent(n / of)
}

function Figure({ name, note, children }: { name: string; note: ReactNode; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-ink-muted">{name}</dt>
      <dd>
        <span className="block text-xl font-semibold tabular-nums">{children ?? <UnknownValue />}</span>
        {note && <span className="block text-xs text-ink-muted tabular-nums">{note}</span>}
      </dd>
    </div>
  )
}
