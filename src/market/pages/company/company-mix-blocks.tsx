import type { ReactNode } from 'react'
import { DISCOUNT_TEXTS } from '#contract/catalogue/discount.ts'
import {
  AWARD_CRITERIA,
  getChoiceLabel,
  PROCUREMENT_METHOD_TYPES,
  PROCUREMENT_METHODS,
  SPECIFIC_PROCUREMENT_METHODS,
} from '#contract/catalogue/project.ts'
import { formatBaht, formatBahtCompact, formatCount } from '#contract/thai/thai-number.ts'
import { formatPercent } from '#src/lib/figure-text.ts'
import { StatisticProjectsCount } from '#src/market/statistics-scope/show-project-rows-button.tsx'
import { formatStatisticsBlockScope } from '#src/market/statistics-scope/statistics-scope-text.ts'
import { BarChart } from '#src/ui/chart/bar-chart.tsx'
import { ChartFigure } from '#src/ui/chart/chart-figure.tsx'
import { formatOrUnknown } from '#src/ui/unknown-value.tsx'
import { type CompanyBlockProps, formatWinCount } from './company-block-props.ts'

type Slice = {
  readonly rows: string
  readonly label: string
  readonly wins: number
  readonly value: number | null
  readonly note?: string | undefined
  readonly cells?: readonly ReactNode[]
}

type MixChartProps = Pick<CompanyBlockProps, 'openRows'> & {
  title: string
  columnTitle: string
  scope: ReactNode
  slices: readonly Slice[]
  maxBars?: number
  columns?: readonly string[]
  className?: string
}

function MixChart({ title, columnTitle, scope, slices, maxBars, columns = [], openRows, className }: MixChartProps) {
  const barCount = maxBars === undefined || slices.length <= maxBars + 1 ? slices.length : maxBars
  const hidden = slices.length - barCount
  return (
    <ChartFigure
      title={title}
      scope={scope}
      {...(className === undefined ? {} : { className })}
      empty={slices.length === 0 ? 'ไม่มีงานที่ชนะในขอบเขตนี้' : undefined}
      table={{
        caption: `งานที่ชนะตาม${columnTitle}`,
        columns: [columnTitle, 'งาน', 'มูลค่า (บาท)', ...columns],
        numeric: [1, 2, ...columns.map((_, index) => index + 3)],
        rows: slices.map(({ rows, label, wins, value, cells = [] }) => ({
          key: rows,
          cells: [
            label,
            <StatisticProjectsCount key="wins" onOpen={() => openRows(rows)} of={label} count={wins} />,
            formatOrUnknown(value, formatBaht),
            ...cells,
          ],
        })),
      }}
    >
      <BarChart
        label={`มูลค่าที่ชนะตาม${columnTitle}`}
        rows={slices.slice(0, barCount).map(({ rows, label, wins, value, note }) => ({
          key: rows,
          label,
          value,
          text: value === null ? 'ไม่ทราบมูลค่า' : `${formatBahtCompact(value)} บาท`,
          note: note === undefined ? formatWinCount(wins) : `${formatWinCount(wins)} · ${note}`,
          onOpen: () => openRows(rows),
        }))}
      />
      {hidden > 0 && <p className="mt-2 px-2 text-xs text-ink-muted">อีก {formatCount(hidden)} รายการอยู่ในตาราง</p>}
    </ChartFigure>
  )
}

const VISIBLE_PROVINCES = 12

export function CompanyMethodBlock({ detail: { by_method, figures, scope }, openRows }: CompanyBlockProps) {
  const specific = by_method.filter(({ method }) => SPECIFIC_PROCUREMENT_METHODS.includes(method))
  const wins = specific.reduce((sum, slice) => sum + slice.wins, 0)
  const knownValues = specific.flatMap(({ value }) => (value === null ? [] : [value]))
  const value = knownValues.reduce((sum, item) => sum + item, 0)
  return (
    <MixChart
      title="วิธีจัดหา"
      columnTitle="วิธีจัดหา"
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
      slices={by_method.map(({ method, ...slice }) => ({
        ...slice,
        rows: `method:${method}`,
        label: getChoiceLabel(PROCUREMENT_METHODS, method),
      }))}
      openRows={openRows}
    />
  )
}

export function CompanyProcurementTypeBlock({ detail: { by_type, figures, scope }, openRows }: CompanyBlockProps) {
  return (
    <MixChart
      title="ประเภทการจัดหา"
      columnTitle="ประเภท"
      scope={formatStatisticsBlockScope(scope, figures.wins)}
      slices={by_type.map(({ method_type, ...slice }) => ({
        ...slice,
        rows: `type:${method_type}`,
        label: getChoiceLabel(PROCUREMENT_METHOD_TYPES, method_type),
      }))}
      openRows={openRows}
    />
  )
}

export function CompanyEvaluationCriteriaBlock({
  detail: { by_criteria, figures, scope },
  openRows,
}: CompanyBlockProps) {
  return (
    <MixChart
      title="เกณฑ์การพิจารณา"
      columnTitle="เกณฑ์"
      scope={formatStatisticsBlockScope(scope, figures.wins)}
      columns={[DISCOUNT_TEXTS.weighted.th, 'n ของส่วนลด']}
      slices={by_criteria.map(({ criteria, weighted_discount, n_discount, wins, value }) => ({
        wins,
        value,
        rows: `criteria:${criteria}`,
        label: getChoiceLabel(AWARD_CRITERIA, criteria),
        note:
          weighted_discount === null
            ? 'ไม่ทราบส่วนลด'
            : `${DISCOUNT_TEXTS.weighted.th} ${formatPercent(weighted_discount)} (n=${formatCount(n_discount)})`,
        cells: [formatOrUnknown(weighted_discount, formatPercent), formatCount(n_discount)],
      }))}
      openRows={openRows}
    />
  )
}

export function CompanyProvinceBlock({ detail: { by_province, figures, scope }, openRows }: CompanyBlockProps) {
  return (
    <MixChart
      title="จังหวัดของโครงการ"
      columnTitle="จังหวัด"
      scope={formatStatisticsBlockScope(scope, figures.wins)}
      maxBars={VISIBLE_PROVINCES}
      className="lg:[&_li]:break-inside-avoid lg:[&_ul]:columns-2 lg:[&_ul]:gap-10"
      slices={by_province.map(({ province, ...slice }) => ({
        ...slice,
        rows: `province:${province ?? ''}`,
        label: province ?? 'ไม่ทราบจังหวัด',
      }))}
      openRows={openRows}
    />
  )
}
