import type { ReportRow } from '#contract/report.ts'
import { formatBaht } from '#contract/thai-number.ts'
import { percentText } from '#src/lib/money-text.ts'
import { discountOf } from './discount.ts'
import { EmptyValue } from './empty-value.tsx'

/** Baht with two decimals. */
export function Money({ baht }: { baht: number | null }) {
  return baht === null ? <EmptyValue /> : formatBaht(baht)
}

/** Reference price, with how far it lies below the budget. */
export function EstimateMoney({ row }: { row: Pick<ReportRow, 'budget' | 'estimate_budget'> }) {
  const { budget, estimate_budget: estimate } = row
  const share = budget && estimate !== null ? (budget - estimate) / budget : 0
  return (
    <>
      <Money baht={estimate} />
      {Math.abs(share) >= 0.0005 && (
        <span className="block text-xs text-ink-faint">
          {share > 0 ? 'ต่ำกว่างบ' : 'สูงกว่างบ'} {percentText(Math.abs(share))}
        </span>
      )}
    </>
  )
}

/** Winning price with the discount (D20); a discount against the budget says so. */
export function WinnerMoney({ row }: { row: Pick<ReportRow, 'budget' | 'estimate_budget' | 'winner_budget'> }) {
  const discount = discountOf(row)
  return (
    <>
      <Money baht={row.winner_budget} />
      {discount && (
        <span className="block text-xs text-ink-faint">
          {discount.rate >= 0 ? 'ลด' : 'เกิน'} {percentText(Math.abs(discount.rate))}
          {discount.against === 'budget' && ' เทียบงบ'}
        </span>
      )}
    </>
  )
}
