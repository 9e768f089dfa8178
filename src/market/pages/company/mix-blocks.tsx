import type { ReactNode } from 'react'
import { DISCOUNT_TEXTS } from '#contract/catalogue/discount.ts'
import { choiceLabelOf, PROJECT_CRITERIA, PROJECT_METHOD_TYPES, PROJECT_METHODS } from '#contract/catalogue/project.ts'
import { formatBaht, formatBahtCompact } from '#contract/thai/thai-number.ts'
import { countText, percentText } from '#src/lib/figure-text.ts'
import { OpenRowsButton } from '#src/market/figure-scope/open-rows.tsx'
import { blockScopeText } from '#src/market/figure-scope/scope-text.ts'
import { ChartFigure } from '#src/ui/chart/chart-figure.tsx'
import { EmptyValue } from '#src/ui/empty-value.tsx'
import { type CompanyBlockProps, winCountText } from './company-block-props.ts'
import { BarChart } from './lazy-charts.ts'

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

function MixChart({
  title,
  columnTitle,
  scope,
  slices,
  maxBars = slices.length,
  columns = [],
  openRows,
  className,
}: MixChartProps) {
  const barCount = slices.length <= maxBars + 1 ? slices.length : maxBars
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
            <OpenRowsButton key="wins" onOpen={() => openRows(rows)} of={label}>
              {countText(wins)}
            </OpenRowsButton>,
            value === null ? <EmptyValue key="value" /> : formatBaht(value),
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
          note: note === undefined ? winCountText(wins) : `${winCountText(wins)} · ${note}`,
          onOpen: () => openRows(rows),
        }))}
      />
      {hidden > 0 && <p className="mt-2 px-2 text-xs text-ink-muted">อีก {countText(hidden)} รายการอยู่ในตาราง</p>}
    </ChartFigure>
  )
}

/** Procurement methods in which the agency invites a single company. */
const SPECIFIC_METHODS: readonly string[] = ['specific', 'consultant_specific', 'design_specific']
const VISIBLE_PROVINCES = 12

export function MethodBlock({ detail: { by_method, figures, scope }, openRows }: CompanyBlockProps) {
  const specific = by_method.filter(({ method }) => SPECIFIC_METHODS.includes(method))
  const wins = specific.reduce((sum, slice) => sum + slice.wins, 0)
  const knownValues = specific.flatMap(({ value }) => (value === null ? [] : [value]))
  const value = knownValues.reduce((sum, item) => sum + item, 0)
  return (
    <MixChart
      title="วิธีจัดหา"
      columnTitle="วิธีจัดหา"
      scope={
        <>
          {blockScopeText(scope, figures.wins)}
          {figures.wins > 0 && (
            <span className="mt-1 block text-sm tabular-nums">
              ชนะโดยวิธีเฉพาะเจาะจง {countText(wins)} จาก {countText(figures.wins)} งาน (
              {percentText(wins / figures.wins)})
              {knownValues.length > 0 &&
                figures.value !== null &&
                figures.value > 0 &&
                ` มูลค่า ${formatBahtCompact(value)} บาท (${percentText(value / figures.value)})`}
              {wins > 0 && ' งานเหล่านี้แทบไม่มีการแข่งขัน'}
            </span>
          )}
        </>
      }
      slices={by_method.map(({ method, ...slice }) => ({
        ...slice,
        rows: `method:${method}`,
        label: choiceLabelOf(PROJECT_METHODS, method),
      }))}
      openRows={openRows}
    />
  )
}

export function TypeBlock({ detail: { by_type, figures, scope }, openRows }: CompanyBlockProps) {
  return (
    <MixChart
      title="ประเภทการจัดหา"
      columnTitle="ประเภท"
      scope={blockScopeText(scope, figures.wins)}
      slices={by_type.map(({ method_type, ...slice }) => ({
        ...slice,
        rows: `type:${method_type}`,
        label: choiceLabelOf(PROJECT_METHOD_TYPES, method_type),
      }))}
      openRows={openRows}
    />
  )
}

export function CriteriaBlock({ detail: { by_criteria, figures, scope }, openRows }: CompanyBlockProps) {
  return (
    <MixChart
      title="เกณฑ์การพิจารณา"
      columnTitle="เกณฑ์"
      scope={blockScopeText(scope, figures.wins)}
      columns={[DISCOUNT_TEXTS.weighted.th, 'n ของส่วนลด']}
      slices={by_criteria.map(({ criteria, weighted_discount, n_discount, wins, value }) => ({
        wins,
        value,
        rows: `criteria:${criteria}`,
        label: choiceLabelOf(PROJECT_CRITERIA, criteria),
        note:
          weighted_discount === null
            ? 'ไม่ทราบส่วนลด'
            : `${DISCOUNT_TEXTS.weighted.th} ${percentText(weighted_discount)} (n = ${countText(n_discount)})`,
        cells: [
          weighted_discount === null ? <EmptyValue key="discount" /> : percentText(weighted_discount),
          countText(n_discount),
        ],
      }))}
      openRows={openRows}
    />
  )
}

export function ProvinceBlock({ detail: { by_province, figures, scope }, openRows }: CompanyBlockProps) {
  return (
    <MixChart
      title="จังหวัดของโครงการ"
      columnTitle="จังหวัด"
      scope={blockScopeText(scope, figures.wins)}
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
