import type { ReactNode } from 'react'
import { DISCOUNT_TEXTS } from '#contract/catalogue/discount.ts'
import { getChoiceLabel, PROCUREMENT_METHODS } from '#contract/catalogue/project.ts'
import { type CompanyRow, MIN_BIDS_FOR_WIN_RATE, MIN_DISCOUNTS_TO_RANK } from '#contract/market/company.ts'
import type { COMPANY_SORT_FIELDS } from '#contract/market/company-params.ts'
import { formatThaiDate } from '#contract/thai/thai-date.ts'
import { formatBaht, formatBahtCompact, formatCount } from '#contract/thai/thai-number.ts'
import { formatPercent } from '#src/lib/figure-text.ts'
import { StatisticsCoverageBadge } from '#src/market/statistics-scope/statistics-coverage-badge.tsx'
import { formatDiscountFigure } from '#src/report/similar-prices/similar-prices-discount-bins.ts'
import { formatOrUnknown, UnknownValue } from '#src/ui/unknown-value.tsx'

type CompanySortField = (typeof COMPANY_SORT_FIELDS)[number]

export type CompanyColumn = {
  readonly header: string
  readonly title?: string
  readonly means?: string
  readonly sort?: CompanySortField
  readonly isText?: boolean
  /** Projects of the figure, which a link opens on the company's page. */
  readonly rows?: string
  readonly cell: (row: CompanyRow) => ReactNode
}

const FROM_HOW_MANY = 'เลขเล็กใต้ส่วนลดบอกว่าคิดจากกี่งาน'

/** Columns of figures; the first column of the table is the company. */
export const COMPANY_FIGURE_COLUMNS: readonly CompanyColumn[] = [
  { header: 'ชนะ (โครงการ)', sort: 'wins', rows: 'wins', cell: ({ wins }) => formatCount(wins) },
  { header: 'มูลค่า (บาท)', sort: 'value', rows: 'wins', cell: ({ value }) => formatOrUnknown(value, formatBaht) },
  {
    header: 'ยื่น',
    title: 'จำนวนครั้งที่ยื่นเสนอราคาและรู้ผล เฉพาะโครงการที่รู้รายชื่อผู้ยื่น',
    sort: 'bids',
    rows: 'all',
    cell: ({ bids }) => formatOrUnknown(bids?.bids, formatCount),
  },
  {
    header: 'อัตราชนะ',
    title: 'ชนะ ÷ ครั้งที่ยื่นและรู้ผล เลขเล็กคือจากกี่ครั้ง',
    sort: 'win_rate',
    cell: (row) => <WinRate row={row} />,
  },
  {
    header: DISCOUNT_TEXTS.weighted.th,
    means: `${DISCOUNT_TEXTS.weighted.means} ${FROM_HOW_MANY}`,
    sort: 'weighted_discount',
    cell: (row) => <WeightedDiscount row={row} />,
  },
  {
    header: DISCOUNT_TEXTS.median.th,
    means: `${DISCOUNT_TEXTS.median.means} ${FROM_HOW_MANY}`,
    sort: 'median_discount',
    cell: ({ discount }) => <Discount rate={discount.median} n={discount.n} />,
  },
  { header: 'หน่วยงาน', sort: 'departments', cell: ({ departments }) => formatCount(departments) },
  {
    header: 'วิธีที่ชนะมากสุด',
    isText: true,
    cell: ({ top_method }) => formatOrUnknown(top_method, (method) => getChoiceLabel(PROCUREMENT_METHODS, method)),
  },
  {
    header: 'ชนะล่าสุด',
    sort: 'last_win',
    isText: true,
    cell: ({ last_win_date }) => formatOrUnknown(last_win_date, formatThaiDate),
  },
  {
    header: 'ข้อมูลผู้ยื่น',
    title: 'รู้รายชื่อผู้ยื่นกี่โครงการ จากที่นับทั้งหมด',
    isText: true,
    cell: ({ coverage }) => <StatisticsCoverageBadge coverage={coverage} />,
  },
]

export function formatCompactBahtWithUnit(baht: number): string {
  const text = formatBahtCompact(baht)
  return text.endsWith('ล้าน') ? `${text}บาท` : `${text} บาท`
}

type FigureProps = { row: CompanyRow }

/** Shows no rate below five known bids (D21), because it would mean little. */
function WinRate({ row: { bids } }: FigureProps) {
  if (bids === null) return <UnknownValue />
  const isFew = bids.win_rate === null
  return (
    <span title={isFew ? `บอกอัตราชนะเมื่อรู้ผลอย่างน้อย ${MIN_BIDS_FOR_WIN_RATE} ครั้ง` : undefined}>
      {bids.win_rate === null ? <span className="text-ink-faint">น้อยไป</span> : formatPercent(bids.win_rate)}
      <span className="block text-xs text-ink-faint">{formatCount(bids.bids)} ครั้ง</span>
    </span>
  )
}

function Discount({ rate, n }: { rate: number | null; n: number }) {
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
function WeightedDiscount({ row: { discount } }: FigureProps) {
  const { against_budget: budgetDiscount } = discount
  return (
    <>
      <Discount rate={discount.weighted} n={discount.n} />
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

export const COMPANY_SORT_LABELS: readonly { readonly field: CompanySortField; readonly th: string }[] = [
  { field: 'name', th: 'บริษัท' },
  ...COMPANY_FIGURE_COLUMNS.flatMap(({ sort, header }) => (sort === undefined ? [] : [{ field: sort, th: header }])),
]

const DEFAULT_ORDERING = '-value'

/** True for orders that rank companies with too few projects last (`MIN_DISCOUNTS_TO_RANK`). */
export const isDiscountSorting = ({ field }: CompanySorting) =>
  field === 'weighted_discount' || field === 'median_discount'

export type CompanySorting = { readonly field: CompanySortField; readonly isDescending: boolean }

export function parseCompanySorting(ordering: string = DEFAULT_ORDERING): CompanySorting {
  const isDescending = ordering.startsWith('-')
  return { field: (isDescending ? ordering.slice(1) : ordering) as CompanySortField, isDescending }
}

export function formatCompanyOrdering({ field, isDescending }: CompanySorting): string | undefined {
  const ordering = `${isDescending ? '-' : ''}${field}`
  return ordering === DEFAULT_ORDERING ? undefined : ordering
}

/** Returns the order after clicking a heading: figures start descending, names ascending; a second click reverses. */
export function getNextCompanySorting(now: CompanySorting, field: CompanySortField): CompanySorting {
  if (now.field === field) return { field, isDescending: !now.isDescending }
  return { field, isDescending: field !== 'name' }
}
