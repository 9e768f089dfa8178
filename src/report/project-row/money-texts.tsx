import { isBudgetInDoubt, isEstimateInDoubt } from '#contract/catalogue/data-issue.ts'
import { calculateDiscount } from '#contract/catalogue/discount.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { formatBaht } from '#contract/thai/thai-number.ts'
import { formatPercent } from '#src/lib/figure-text.ts'
import { formatOrUnknown } from '#src/ui/unknown-value.tsx'

export function MoneyText({ baht }: { baht: number | null }) {
  return formatOrUnknown(baht, formatBaht)
}

/** An amount that the import left out as doubtful, which must not look like one that was never announced. */
const DoubtfulMoneyText = () => <span className="text-updated">น่าสงสัย</span>

export function BudgetMoneyText({ row }: { row: Pick<ReportRow, 'budget' | 'doubts'> }) {
  return isBudgetInDoubt(row) ? <DoubtfulMoneyText /> : <MoneyText baht={row.budget} />
}

export function EstimateMoneyText({ row }: { row: Pick<ReportRow, 'budget' | 'estimate_budget' | 'doubts'> }) {
  if (isEstimateInDoubt(row)) return <DoubtfulMoneyText />
  const { budget, estimate_budget: estimate } = row
  const discount = budget && estimate !== null ? (budget - estimate) / budget : 0
  return (
    <>
      <MoneyText baht={estimate} />
      {Math.abs(discount) >= 0.0005 && (
        <DiscountShare share={discount} title={discount > 0 ? 'ต่ำกว่างบประมาณ' : 'สูงกว่างบประมาณ'} />
      )}
    </>
  )
}

type WonRow = Pick<ReportRow, 'budget' | 'estimate_budget' | 'winner_budget' | 'doubts'>

/** Winning price with the discount (D20). The text names the budget if the discount is measured against it. */
export function WinnerMoneyText({ row }: { row: WonRow }) {
  const discount = calculateDiscount(row)
  return (
    <>
      <MoneyText baht={row.winner_budget} />
      {discount && (
        <DiscountShare
          share={discount.rate}
          title={`${discount.rate >= 0 ? 'ลดจาก' : 'เกิน'}${discount.against === 'reference' ? 'ราคากลาง' : isEstimateInDoubt(row) ? 'งบประมาณ เพราะราคากลางน่าสงสัย' : 'งบประมาณ'}`}
          note={discount.against === 'budget' ? 'เทียบงบ' : undefined}
        />
      )}
    </>
  )
}

function DiscountShare({ share, title, note }: { share: number; title: string; note?: string | undefined }) {
  const text = formatPercent(Math.abs(share))
  return (
    <span className="block text-xs text-ink-faint" title={`${title} ${text}`}>
      <span aria-hidden>{share >= 0 ? '▼' : '▲'} </span>
      <span className="sr-only">{title} </span>
      {text}
      {note && ` ${note}`}
    </span>
  )
}
