import { createColumnHelper, metaHelper, tableFeatures } from '@tanstack/react-table'
import type { ReactNode } from 'react'
import { DISCOUNT_TEXTS } from '#contract/catalogue/discount.ts'
import type { CompanyRow } from '#contract/market/company.ts'
import type { COMPANY_SORT_FIELDS } from '#contract/market/company-params.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import {
  CompanyBidsFigure,
  CompanyCoverageFigure,
  CompanyLastWinFigure,
  CompanyMedianDiscountFigure,
  CompanyTopMethodFigure,
  CompanyValueFigure,
  CompanyWeightedDiscountFigure,
  CompanyWinRateFigure,
} from './company-list-figures.tsx'

export type CompanySortField = (typeof COMPANY_SORT_FIELDS)[number]

type ColumnMeta = {
  readonly alignEnd: boolean
  readonly sort: CompanySortField | undefined
  readonly title: string | undefined
  readonly means: string | undefined
  readonly rows: string | undefined
}

// The server filters, sorts and pages, so no row model is registered; the order is in the URL.
export const companyTableFeatures = tableFeatures({ columnMeta: metaHelper<ColumnMeta>() })
const helper = createColumnHelper<typeof companyTableFeatures, CompanyRow>()

type Column = {
  readonly id: string
  readonly header: string
  readonly title?: string
  readonly means?: string
  readonly sort?: CompanySortField
  readonly isText?: boolean
  readonly rows?: string
  readonly cell: (row: CompanyRow) => ReactNode
}

const FROM_HOW_MANY = 'เลขเล็กใต้ส่วนลดบอกว่าคิดจากกี่งาน'

const COLUMNS: readonly Column[] = [
  { id: 'name', header: 'บริษัท', sort: 'name', isText: true, cell: (row) => row.name },
  {
    id: 'wins',
    header: 'ชนะ (โครงการ)',
    sort: 'wins',
    rows: 'wins',
    cell: ({ wins }) => formatCount(wins),
  },
  { id: 'value', header: 'มูลค่า (บาท)', sort: 'value', rows: 'wins', cell: (row) => <CompanyValueFigure row={row} /> },
  {
    id: 'bids',
    header: 'ยื่น',
    title: 'จำนวนครั้งที่ยื่นเสนอราคาและรู้ผล เฉพาะโครงการที่รู้รายชื่อผู้ยื่น',
    sort: 'bids',
    rows: 'all',
    cell: (row) => <CompanyBidsFigure row={row} />,
  },
  {
    id: 'win_rate',
    header: 'อัตราชนะ',
    title: 'ชนะ ÷ ครั้งที่ยื่นและรู้ผล เลขเล็กคือจากกี่ครั้ง',
    sort: 'win_rate',
    cell: (row) => <CompanyWinRateFigure row={row} />,
  },
  {
    id: 'weighted_discount',
    header: DISCOUNT_TEXTS.weighted.th,
    means: `${DISCOUNT_TEXTS.weighted.means} ${FROM_HOW_MANY}`,
    sort: 'weighted_discount',
    cell: (row) => <CompanyWeightedDiscountFigure row={row} />,
  },
  {
    id: 'median_discount',
    header: DISCOUNT_TEXTS.median.th,
    means: `${DISCOUNT_TEXTS.median.means} ${FROM_HOW_MANY}`,
    sort: 'median_discount',
    cell: (row) => <CompanyMedianDiscountFigure row={row} />,
  },
  {
    id: 'departments',
    header: 'หน่วยงาน',
    sort: 'departments',
    cell: ({ departments }) => formatCount(departments),
  },
  { id: 'top_method', header: 'วิธีที่ชนะมากสุด', isText: true, cell: (row) => <CompanyTopMethodFigure row={row} /> },
  {
    id: 'last_win',
    header: 'ชนะล่าสุด',
    sort: 'last_win',
    isText: true,
    cell: (row) => <CompanyLastWinFigure row={row} />,
  },
  {
    id: 'coverage',
    header: 'ข้อมูลผู้ยื่น',
    title: 'รู้รายชื่อผู้ยื่นกี่โครงการ จากที่นับทั้งหมด',
    isText: true,
    cell: (row) => <CompanyCoverageFigure row={row} />,
  },
]

export const companyColumns = helper.columns(
  COLUMNS.map(({ id, header, title, means, sort, isText = false, rows, cell }) =>
    helper.display({
      id,
      header,
      meta: { alignEnd: !isText, sort, title, means, rows },
      cell: ({ row }) => cell(row.original),
    }),
  ),
)

export const COMPANY_SORT_LABELS: readonly { readonly field: CompanySortField; readonly th: string }[] =
  COLUMNS.flatMap(({ sort, header }) => (sort === undefined ? [] : [{ field: sort, th: header }]))

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
