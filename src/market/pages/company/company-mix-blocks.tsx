import type { ComponentProps, ReactNode } from 'react'
import { DISCOUNT_TEXTS } from '#contract/catalogue/discount.ts'
import {
  AWARD_CRITERIA,
  getChoiceLabel,
  PROCUREMENT_METHOD_TYPES,
  PROCUREMENT_METHODS,
  SPECIFIC_PROCUREMENT_METHODS,
} from '#contract/catalogue/project.ts'
import type { CompanyDetail } from '#contract/market/company.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatBahtCompact, formatCount } from '#contract/thai/thai-number.ts'
import { formatPercent } from '#src/lib/figure-text.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import { BreakdownChart, type BreakdownRow } from '#src/market/breakdown-chart.tsx'
import { formatStatisticsBlockScope } from '#src/market/statistics-scope/statistics-scope-filters.ts'
import { AgencyIconLink, AgencyLink } from '#src/report/agency-link/agency-link.tsx'
import { formatOrUnknown } from '#src/ui/unknown-value.tsx'
import { useCompanyUrlState } from './use-company-url-state.ts'

type WinsBreakdown = Omit<ComponentProps<typeof BreakdownChart>, 'projects' | 'scope' | 'rows' | 'openRows'> & {
  /** Shown below the scope. */
  readonly note?: (detail: CompanyDetail) => ReactNode
  readonly rowsOf: (detail: CompanyDetail) => readonly BreakdownRow[]
}

function describeSpecificMethod({ by_method, figures }: CompanyDetail): ReactNode {
  const specific = by_method.filter(({ method }) => SPECIFIC_PROCUREMENT_METHODS.includes(method))
  const wins = specific.reduce((sum, slice) => sum + slice.wins, 0)
  const knownValues = specific.flatMap(({ value }) => value ?? [])
  const value = knownValues.reduce((sum, item) => sum + item, 0)
  return (
    <span className="mt-1 block text-sm tabular-nums">
      ชนะโดยวิธีเฉพาะเจาะจง {formatCount(wins)} จาก {formatCount(figures.wins)} งาน ({formatPercent(wins / figures.wins)})
      {knownValues.length > 0 &&
        figures.value !== null &&
        figures.value > 0 &&
        ` มูลค่า ${formatBahtCompact(value)} บาท (${formatPercent(value / figures.value)})`}
      {wins > 0 && ' งานเหล่านี้แทบไม่มีการแข่งขัน'}
    </span>
  )
}

type Slice = { readonly wins: number; readonly value: number | null }

const winsRow = ({ wins, value }: Slice, rows: string, label: string) => ({ n: wins, value, rows, label })

const shareText = (share: number) => (share > 0 && share < 0.0005 ? 'ไม่ถึง 0.1%' : formatPercent(share))

function departmentRow({ department, departments, ...of }: CompanyDetail['by_department'][number]): BreakdownRow {
  const { share, first_win_date: first, last_win_date: last } = of
  const label = department ?? `อื่นๆ อีก ${formatCount(departments)} หน่วยงาน`
  const days = [...new Set([first, last])].filter((day) => day !== null).map(formatThaiDateShortOrOriginal)
  return {
    ...winsRow(of, department === null ? 'other_departments' : `department:${department}`, label),
    name: <AgencyLink name={department ?? ''}>{label}</AgencyLink>,
    note: joinParts(share !== null && `${shareText(share)} ของที่หน่วยงานใช้`, days.length > 0 && days.join(' ถึง ')),
    tone: department === null ? 8 : 1,
    aside: department === null ? undefined : <AgencyIconLink name={department} />,
    cells: [
      formatOrUnknown(share, shareText),
      formatOrUnknown(first, formatThaiDateShortOrOriginal),
      formatOrUnknown(last, formatThaiDateShortOrOriginal),
    ],
  }
}

const BREAKDOWNS = {
  department: {
    title: 'หน่วยงานที่ชนะงาน',
    column: 'หน่วยงาน',
    moreColumns: ['ส่วนแบ่ง', 'ชนะครั้งแรก', 'ล่าสุด'],
    rowsOf: ({ by_department }) => by_department.map(departmentRow),
  },
  method: {
    title: 'วิธีจัดหา',
    column: 'วิธีจัดหา',
    note: describeSpecificMethod,
    rowsOf: ({ by_method }) =>
      by_method.map((of) => winsRow(of, `method:${of.method}`, getChoiceLabel(PROCUREMENT_METHODS, of.method))),
  },
  type: {
    title: 'ประเภทการจัดหา',
    column: 'ประเภท',
    rowsOf: ({ by_type }) =>
      by_type.map((of) =>
        winsRow(of, `type:${of.method_type}`, getChoiceLabel(PROCUREMENT_METHOD_TYPES, of.method_type)),
      ),
  },
  criteria: {
    title: 'เกณฑ์การพิจารณา',
    column: 'เกณฑ์',
    moreColumns: [DISCOUNT_TEXTS.weighted.th, 'n ของส่วนลด'],
    rowsOf: ({ by_criteria }) =>
      by_criteria.map(({ criteria, weighted_discount, n_discount, ...of }) => ({
        ...winsRow(of, `criteria:${criteria}`, getChoiceLabel(AWARD_CRITERIA, criteria)),
        note:
          weighted_discount === null
            ? 'ไม่ทราบส่วนลด'
            : `${DISCOUNT_TEXTS.weighted.th} ${formatPercent(weighted_discount)} (n=${formatCount(n_discount)})`,
        cells: [formatOrUnknown(weighted_discount, formatPercent), formatCount(n_discount)],
      })),
  },
  province: {
    title: 'จังหวัดของโครงการ',
    column: 'จังหวัด',
    firstCount: 12,
    className: 'lg:[&_li]:break-inside-avoid lg:[&_ul]:columns-2 lg:[&_ul]:gap-10',
    rowsOf: ({ by_province }) =>
      by_province.map((of) => winsRow(of, `province:${of.province ?? ''}`, of.province ?? 'ไม่ทราบจังหวัด')),
  },
} as const satisfies Record<string, WinsBreakdown>

/** Wins of a company by one property. Shown only for a company with wins. */
export function CompanyBreakdown({ by, detail }: { by: keyof typeof BREAKDOWNS; detail: CompanyDetail }) {
  const { openRows } = useCompanyUrlState()
  const { rowsOf, note, ...chart }: WinsBreakdown = BREAKDOWNS[by]
  return (
    <BreakdownChart
      {...chart}
      projects="งานที่ชนะ"
      scope={
        <>
          {formatStatisticsBlockScope(detail.scope, detail.figures.wins)}
          {note?.(detail)}
        </>
      }
      rows={rowsOf(detail)}
      openRows={openRows}
    />
  )
}
