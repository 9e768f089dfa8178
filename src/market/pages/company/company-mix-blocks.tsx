import type { ComponentProps, ReactNode } from 'react'
import { DISCOUNT_TEXTS } from '#contract/catalogue/discount.ts'
import {
  AWARD_CRITERIA,
  getChoiceLabel,
  PROCUREMENT_METHOD_TYPES,
  PROCUREMENT_METHODS,
  SPECIFIC_PROCUREMENT_METHODS,
} from '#contract/catalogue/project.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatBahtCompact, formatCount } from '#contract/thai/thai-number.ts'
import { formatPercent } from '#src/lib/figure-text.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import { BreakdownChart } from '#src/market/breakdown-chart.tsx'
import { formatStatisticsBlockScope } from '#src/market/statistics-scope/statistics-scope-filters.ts'
import { AgencyIconLink, AgencyLink } from '#src/report/agency-link/agency-link.tsx'
import { formatOrUnknown } from '#src/ui/unknown-value.tsx'
import type { CompanyBlockProps } from './company-block-props.ts'

type WinsBreakdownProps = Omit<ComponentProps<typeof BreakdownChart>, 'projects' | 'scope'> &
  Pick<CompanyBlockProps, 'detail'> & { scope?: ReactNode }

function WinsBreakdown({ detail: { figures, scope }, ...props }: WinsBreakdownProps) {
  return <BreakdownChart scope={formatStatisticsBlockScope(scope, figures.wins)} {...props} projects="งานที่ชนะ" />
}

const VISIBLE_PROVINCES = 12

export function CompanyMethodBlock({ detail, openRows }: CompanyBlockProps) {
  const { by_method, figures, scope } = detail
  const specific = by_method.filter(({ method }) => SPECIFIC_PROCUREMENT_METHODS.includes(method))
  const wins = specific.reduce((sum, slice) => sum + slice.wins, 0)
  const knownValues = specific.flatMap(({ value }) => (value === null ? [] : [value]))
  const value = knownValues.reduce((sum, item) => sum + item, 0)
  return (
    <WinsBreakdown
      detail={detail}
      openRows={openRows}
      title="วิธีจัดหา"
      column="วิธีจัดหา"
      scope={
        <>
          {formatStatisticsBlockScope(scope, figures.wins)}
          {figures.wins > 0 && (
            <span className="mt-1 block text-sm tabular-nums">
              ชนะโดยวิธีเฉพาะเจาะจง {formatCount(wins)} จาก {formatCount(figures.wins)} งาน (
              {formatPercent(wins / figures.wins)})
              {knownValues.length > 0 &&
                figures.value !== null &&
                figures.value > 0 &&
                ` มูลค่า ${formatBahtCompact(value)} บาท (${formatPercent(value / figures.value)})`}
              {wins > 0 && ' งานเหล่านี้แทบไม่มีการแข่งขัน'}
            </span>
          )}
        </>
      }
      rows={by_method.map(({ method, wins, value }) => ({
        n: wins,
        value,
        rows: `method:${method}`,
        label: getChoiceLabel(PROCUREMENT_METHODS, method),
      }))}
    />
  )
}

export function CompanyProcurementTypeBlock({ detail, openRows }: CompanyBlockProps) {
  return (
    <WinsBreakdown
      detail={detail}
      openRows={openRows}
      title="ประเภทการจัดหา"
      column="ประเภท"
      rows={detail.by_type.map(({ method_type, wins, value }) => ({
        n: wins,
        value,
        rows: `type:${method_type}`,
        label: getChoiceLabel(PROCUREMENT_METHOD_TYPES, method_type),
      }))}
    />
  )
}

export function CompanyEvaluationCriteriaBlock({ detail, openRows }: CompanyBlockProps) {
  return (
    <WinsBreakdown
      detail={detail}
      openRows={openRows}
      title="เกณฑ์การพิจารณา"
      column="เกณฑ์"
      moreColumns={[DISCOUNT_TEXTS.weighted.th, 'n ของส่วนลด']}
      rows={detail.by_criteria.map(({ criteria, weighted_discount, n_discount, wins, value }) => ({
        n: wins,
        value,
        rows: `criteria:${criteria}`,
        label: getChoiceLabel(AWARD_CRITERIA, criteria),
        note:
          weighted_discount === null
            ? 'ไม่ทราบส่วนลด'
            : `${DISCOUNT_TEXTS.weighted.th} ${formatPercent(weighted_discount)} (n=${formatCount(n_discount)})`,
        cells: [formatOrUnknown(weighted_discount, formatPercent), formatCount(n_discount)],
      }))}
    />
  )
}

export function CompanyProvinceBlock({ detail, openRows }: CompanyBlockProps) {
  return (
    <WinsBreakdown
      detail={detail}
      openRows={openRows}
      title="จังหวัดของโครงการ"
      column="จังหวัด"
      firstCount={VISIBLE_PROVINCES}
      className="lg:[&_li]:break-inside-avoid lg:[&_ul]:columns-2 lg:[&_ul]:gap-10"
      rows={detail.by_province.map(({ province, wins, value }) => ({
        n: wins,
        value,
        rows: `province:${province ?? ''}`,
        label: province ?? 'ไม่ทราบจังหวัด',
      }))}
    />
  )
}

const shareText = (share: number) => (share > 0 && share < 0.0005 ? 'ไม่ถึง 0.1%' : formatPercent(share))

export function CompanyDepartmentBlock({ detail, openRows }: CompanyBlockProps) {
  return (
    <WinsBreakdown
      detail={detail}
      openRows={openRows}
      title="หน่วยงานที่ชนะงาน"
      column="หน่วยงาน"
      moreColumns={['ส่วนแบ่ง', 'ชนะครั้งแรก', 'ล่าสุด']}
      rows={detail.by_department.map(
        ({ department, departments, wins, value, share, first_win_date, last_win_date }) => {
          const label = department ?? `อื่นๆ อีก ${formatCount(departments)} หน่วยงาน`
          const days = [...new Set([first_win_date, last_win_date])]
            .filter((day) => day !== null)
            .map(formatThaiDateShortOrOriginal)
          return {
            n: wins,
            value,
            rows: department === null ? 'other_departments' : `department:${department}`,
            label,
            name: <AgencyLink name={department ?? ''}>{label}</AgencyLink>,
            note: joinParts(
              share !== null && `${shareText(share)} ของที่หน่วยงานใช้`,
              days.length > 0 && days.join(' ถึง '),
            ),
            tone: department === null ? 8 : 1,
            aside: department === null ? undefined : <AgencyIconLink name={department} />,
            cells: [
              formatOrUnknown(share, shareText),
              formatOrUnknown(first_win_date, formatThaiDateShortOrOriginal),
              formatOrUnknown(last_win_date, formatThaiDateShortOrOriginal),
            ],
          }
        },
      )}
    />
  )
}
