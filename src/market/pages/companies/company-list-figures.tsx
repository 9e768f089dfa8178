import { getChoiceLabel, PROCUREMENT_METHODS } from '#contract/catalogue/project.ts'
import { type CompanyRow, MIN_BIDS_FOR_WIN_RATE, MIN_DISCOUNTS_TO_RANK } from '#contract/market/company.ts'
import { formatThaiDate } from '#contract/thai/thai-date.ts'
import { formatBaht, formatBahtCompact, formatCount } from '#contract/thai/thai-number.ts'
import { formatPercent } from '#src/lib/figure-text.ts'
import { StatisticsCoverageBadge } from '#src/market/statistics-scope/coverage-badge.tsx'
import { formatDiscountFigure } from '#src/report/similar-prices/similar-prices-discount-bins.ts'
import { Badge } from '#src/ui/badge.tsx'
import { UnknownValue } from '#src/ui/unknown-value.tsx'

export function formatCompactBahtWithUnit(baht: number): string {
  const text = formatBahtCompact(baht)
  return text.endsWith('ล้าน') ? `${text}บาท` : `${text} บาท`
}

type Figure = { row: CompanyRow }

function SampleSize({ n }: { n: number }) {
  return <span className="block text-xs text-ink-faint">{formatCount(n)} ครั้ง</span>
}

export function CompanyValueFigure({ row: { value } }: Figure) {
  return value === null ? <UnknownValue /> : formatBaht(value)
}

export function CompanyBidsFigure({ row: { bids } }: Figure) {
  return bids === null ? <UnknownValue /> : formatCount(bids.bids)
}

/** Shows no rate below five known bids (D21), because it would mean little. */
export function CompanyWinRateFigure({ row: { bids } }: Figure) {
  if (bids === null) return <UnknownValue />
  if (bids.win_rate === null)
    return (
      <span title={`บอกอัตราชนะเมื่อรู้ผลอย่างน้อย ${MIN_BIDS_FOR_WIN_RATE} ครั้ง`}>
        <span className="text-ink-faint">น้อยไป</span>
        <SampleSize n={bids.bids} />
      </span>
    )
  return (
    <>
      {formatPercent(bids.win_rate)}
      <SampleSize n={bids.bids} />
    </>
  )
}

function DiscountOf({ rate, n }: { rate: number | null; n: number }) {
  if (rate === null) return <UnknownValue />
  const isFew = n < MIN_DISCOUNTS_TO_RANK
  return (
    <>
      <span className={isFew ? 'text-ink-faint' : undefined}>{formatDiscountFigure(rate)}</span>
      <span className="block text-xs text-ink-faint">
        {formatCount(n)} งาน
        {isFew && ' น้อยไป'}
      </span>
    </>
  )
}

/** Shows the discount against the reference price; discounts against the budget are counted separately (D20). */
export function CompanyWeightedDiscountFigure({ row: { discount } }: Figure) {
  const { against_budget: budgetDiscount } = discount
  return (
    <>
      <DiscountOf rate={discount.weighted} n={discount.n} />
      {discount.n === 0 && budgetDiscount.n > 0 && budgetDiscount.weighted !== null && (
        <span
          className="block text-xs text-ink-faint"
          title="ไม่มีราคากลางหรือราคากลางน่าสงสัย จึงเทียบกับงบประมาณ ไม่รวมกับส่วนลดจากราคากลาง"
        >
          เทียบงบ {formatDiscountFigure(budgetDiscount.weighted)} ({formatCount(budgetDiscount.n)} งาน)
        </span>
      )}
    </>
  )
}

export function CompanyMedianDiscountFigure({ row: { discount } }: Figure) {
  return <DiscountOf rate={discount.median} n={discount.n} />
}

export function CompanyTopMethodFigure({ row: { top_method: method } }: Figure) {
  return method === null ? <UnknownValue /> : getChoiceLabel(PROCUREMENT_METHODS, method)
}

export function CompanyLastWinFigure({ row: { last_win_date: date } }: Figure) {
  return date === null ? <UnknownValue /> : formatThaiDate(date)
}

/** Shows whether the company is an SME; null means unknown, not "no". */
export function CompanySmeFigure({ row: { is_sme: isSme } }: Figure) {
  if (isSme === null) return <UnknownValue />
  return isSme ? <Badge tone="accent">SME</Badge> : <span className="text-ink-muted">ไม่ใช่</span>
}

export function CompanyCoverageFigure({ row: { coverage } }: Figure) {
  return <StatisticsCoverageBadge coverage={coverage} />
}
