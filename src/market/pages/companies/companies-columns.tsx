import type { ReactNode } from 'react'
import { DISCOUNT_TEXTS } from '#contract/catalogue/discount.ts'
import { getChoiceLabel, PROCUREMENT_METHODS } from '#contract/catalogue/project.ts'
import { type CompanyRow, MIN_BIDS_FOR_WIN_RATE, MIN_DISCOUNTS_TO_RANK } from '#contract/market/company.ts'
import type { COMPANY_SORT_FIELDS } from '#contract/market/company-params.ts'
import { formatThaiDate } from '#contract/thai/thai-date.ts'
import { formatBaht, formatCount } from '#contract/thai/thai-number.ts'
import { formatPercent } from '#src/lib/figure-text.ts'
import { StatisticsCoverageBadge } from '#src/market/statistics-scope/statistics-coverage-badge.tsx'
import { formatDiscountFigure } from '#src/report/similar-prices/similar-prices-discount-bins.ts'
import type { DataTableColumn } from '#src/ui/data-table.tsx'
import { formatOrUnknown, UnknownValue } from '#src/ui/unknown-value.tsx'

type CompanySortField = (typeof COMPANY_SORT_FIELDS)[number]

export type CompanyColumn = Omit<DataTableColumn<CompanyRow>, 'sorting' | 'cell'> & {
  readonly sort?: CompanySortField
  /** Projects of the figure, which a link opens on the company's page. */
  readonly rows?: string
  readonly cell: (row: CompanyRow) => ReactNode
}

const FROM_HOW_MANY = 'เลขเล็กใต้ส่วนลดบอกว่าคิดจากกี่งาน'

export const COMPANY_FIGURE_COLUMNS: readonly CompanyColumn[] = [
  { head: 'ชนะ (โครงการ)', sort: 'wins', rows: 'wins', isNumeric: true, cell: ({ wins }) => formatCount(wins) },
  {
    head: 'มูลค่า (บาท)',
    sort: 'value',
    rows: 'wins',
    isNumeric: true,
    cell: ({ value }) => formatOrUnknown(value, formatBaht),
  },
  {
    head: 'ยื่น',
    title: 'จำนวนครั้งที่ยื่นเสนอราคาและรู้ผล เฉพาะโครงการที่รู้รายชื่อผู้ยื่น',
    sort: 'bids',
    rows: 'all',
    isNumeric: true,
    cell: ({ bids }) => formatOrUnknown(bids?.bids, formatCount),
  },
  {
    head: 'อัตราชนะ',
    title: 'ชนะ ÷ ครั้งที่ยื่นและรู้ผล เลขเล็กคือจากกี่ครั้ง',
    sort: 'win_rate',
    isNumeric: true,
    cell: ({ bids }) => <WinRate bids={bids} />,
  },
  {
    head: DISCOUNT_TEXTS.weighted.th,
    means: `${DISCOUNT_TEXTS.weighted.means} ${FROM_HOW_MANY}`,
    sort: 'weighted_discount',
    isNumeric: true,
    cell: ({ discount }) => <WeightedDiscount discount={discount} />,
  },
  {
    head: DISCOUNT_TEXTS.median.th,
    means: `${DISCOUNT_TEXTS.median.means} ${FROM_HOW_MANY}`,
    sort: 'median_discount',
    isNumeric: true,
    cell: ({ discount }) => <Discount rate={discount.median} n={discount.n} />,
  },
  {
    head: 'หน่วยงาน',
    sort: 'departments',
    isNumeric: true,
    cell: ({ departments }) => formatCount(departments),
  },
  {
    head: 'วิธีที่ชนะมากสุด',
    cell: ({ top_method }) => formatOrUnknown(top_method, (method) => getChoiceLabel(PROCUREMENT_METHODS, method)),
  },
  {
    head: 'ชนะล่าสุด',
    sort: 'last_win',
    cell: ({ last_win_date }) => formatOrUnknown(last_win_date, formatThaiDate),
  },
  {
    head: 'ข้อมูลผู้ยื่น',
    title: 'รู้รายชื่อผู้ยื่นกี่โครงการ จากที่นับทั้งหมด',
    cell: ({ coverage }) => <StatisticsCoverageBadge coverage={coverage} />,
  },
]

/** Shows no rate below five known bids (D21), because it would mean little. */
function WinRate({ bids }: Pick<CompanyRow, 'bids'>) {
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
function WeightedDiscount({ discount }: Pick<CompanyRow, 'discount'>) {
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

/** Orders by which a column sorts first: figures descending, names ascending. */
export const COMPANY_ORDERINGS: readonly { readonly value: string; readonly th: string }[] = [
  { value: 'name', th: 'บริษัท' },
  ...COMPANY_FIGURE_COLUMNS.flatMap(({ sort, head }) => (sort === undefined ? [] : [{ value: `-${sort}`, th: head }])),
]

const getField = (ordering: string) => ordering.replace(/^-/, '')

/** True for orders that rank companies with too few projects last (`MIN_DISCOUNTS_TO_RANK`). */
export const isDiscountOrdering = (ordering: string) => getField(ordering).endsWith('discount')

export function describeCompanyOrdering(ordering: string): string {
  const column = COMPANY_ORDERINGS.find(({ value }) => getField(value) === getField(ordering))
  return `${column?.th} ${ordering.startsWith('-') ? 'มากไปน้อย' : 'น้อยไปมาก'}`
}
