import type { ReactNode } from 'react'
import { DISCOUNT_TEXTS } from '#contract/catalogue/discount.ts'
import { MIN_BIDS_FOR_WIN_RATE } from '#contract/market/company.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { formatMillionsOfBaht, formatPercent } from '#src/lib/figure-text.ts'
import { StatisticsCoverageBadge } from '#src/market/statistics-scope/statistics-coverage-badge.tsx'
import { formatDiscountFigure } from '#src/report/similar-prices/similar-prices-discount-bins.ts'
import { DataTable } from '#src/ui/data-table.tsx'
import { ExplainButton } from '#src/ui/overlay/explain-button.tsx'
import { SectionCard } from '#src/ui/section-card.tsx'
import { formatOrUnknown } from '#src/ui/unknown-value.tsx'
import type { ComparisonBlockProps, ComparisonCompany } from '../scope/comparison-company.ts'
import { ChartColourDot, CompanyPageLink } from './compared-company-name.tsx'

type Figure = {
  readonly name: string
  readonly means?: string
  readonly value: (company: ComparisonCompany) => number | null | undefined
  readonly format: (value: number) => string
  readonly note?: (company: ComparisonCompany) => string
  /** True if the largest value is best; absent for metrics where larger is not better. */
  readonly isRanked?: boolean
  readonly isAlwaysShown?: boolean
}

const formatSampleSize = (n: number) => `n=${formatCount(n)}`
const bidNote = ({ bids }: ComparisonCompany) => {
  if (bids === null) return 'ไม่มีรายชื่อผู้ยื่น'
  return bids.win_rate === null ? `${formatSampleSize(bids.bids)} น้อยไป` : formatSampleSize(bids.bids)
}

const FIGURES: readonly Figure[] = [
  {
    name: 'งานที่ชนะ',
    value: ({ wins }) => wins,
    format: formatCount,
    note: ({ coverage: { full, names, winner } }) => `จาก ${formatCount(full + names + winner)} โครงการ`,
    isRanked: true,
  },
  {
    name: 'มูลค่ารวม (ล้านบาท)',
    value: ({ value }) => value,
    format: formatMillionsOfBaht,
    note: ({ wins }) => formatSampleSize(wins),
    isRanked: true,
    isAlwaysShown: true,
  },
  {
    name: 'อัตราชนะ',
    value: ({ bids }) => bids?.win_rate,
    format: formatPercent,
    note: bidNote,
    isRanked: true,
    isAlwaysShown: true,
  },
  {
    name: DISCOUNT_TEXTS.weighted.th,
    means: DISCOUNT_TEXTS.weighted.means,
    value: ({ discount }) => discount.weighted,
    format: formatDiscountFigure,
    note: ({ discount }) => formatSampleSize(discount.n),
    isRanked: true,
    isAlwaysShown: true,
  },
  {
    name: DISCOUNT_TEXTS.median.th,
    means: DISCOUNT_TEXTS.median.means,
    value: ({ discount }) => discount.median,
    format: formatDiscountFigure,
    note: ({ discount }) => formatSampleSize(discount.n),
    isRanked: true,
  },
  {
    name: 'ส่วนลดเทียบงบประมาณ (ไม่มีราคากลางหรือน่าสงสัย)',
    value: ({ discount }) => discount.against_budget.median,
    format: formatDiscountFigure,
    note: ({ discount }) => formatSampleSize(discount.against_budget.n),
  },
  {
    name: 'มูลค่าสัญญามัธยฐาน (ล้านบาท)',
    value: ({ median_contract }) => median_contract,
    format: formatMillionsOfBaht,
    note: ({ wins }) => formatSampleSize(wins),
  },
  {
    name: 'หน่วยงานที่ชนะ',
    value: ({ departments }) => departments,
    format: formatCount,
    note: ({ wins }) => formatSampleSize(wins),
    isRanked: true,
  },
  { name: 'สัญญาที่ดำเนินอยู่', value: ({ active_contracts }) => active_contracts, format: formatCount },
]

/** Returns the best value of a ranked metric; undefined when all are equal or only one value is known. */
function bestOf({ isRanked, value }: Figure, companies: readonly ComparisonCompany[]): number | undefined {
  const knownValues = companies.flatMap((company) => value(company) ?? [])
  return isRanked && new Set(knownValues).size > 1 ? Math.max(...knownValues) : undefined
}

type SummaryRow = Pick<Figure, 'name' | 'means'> & { readonly cell: (company: ComparisonCompany) => ReactNode }

const FEW_BIDS_NOTE = `อัตราชนะคิดเมื่อรู้รายชื่อผู้ยื่นและผลอย่างน้อย ${MIN_BIDS_FOR_WIN_RATE} โครงการ`

export function ComparisonSummaryTable({ comparison, companies }: ComparisonBlockProps) {
  const isWide = companies.length <= 3
  const isRateMissing = comparison.has_meetings && companies.some(({ bids }) => bids !== null && bids.win_rate === null)
  const figures = FIGURES.filter(
    ({ isAlwaysShown, value }) => isAlwaysShown || companies.some((company) => value(company) != null),
  )
  const rows: readonly SummaryRow[] = [
    ...figures.map((figure): SummaryRow => {
      const best = bestOf(figure, companies)
      return { ...figure, cell: (company) => <MetricCell {...{ figure, company, best, isWide }} /> }
    }),
    {
      name: 'ชนะล่าสุด',
      cell: ({ last_win_date: day }) => formatOrUnknown(day, formatThaiDateShortOrOriginal),
    },
    { name: 'ข้อมูลผู้ยื่น', cell: ({ coverage }) => <StatisticsCoverageBadge coverage={coverage} /> },
  ]
  return (
    <SectionCard title="สรุป">
      <DataTable
        caption="ตัวเลขของแต่ละบริษัท"
        frame="relative overflow-x-auto print:overflow-visible"
        rows={rows}
        getKey={({ name }) => name}
        columns={[
          {
            head: 'ตัวเลข',
            isHeadHidden: true,
            className: 'sticky left-0 z-10 bg-surface text-ink-muted min-w-28 sm:min-w-32',
            cell: ({ name, means }) => (
              <>
                {name}
                {means && (
                  <ExplainButton subject={name} className="-my-1 touch:-my-3">
                    {means}
                  </ExplainButton>
                )}
              </>
            ),
          },
          ...companies.map((company) => ({
            head: `${company.letter} ${company.shortName}`,
            headContent: (
              <span className="text-base whitespace-normal text-ink">
                <ChartColourDot tone={company.tone} className="mr-1.5 size-2" />
                <CompanyPageLink company={company}>{company.shortName}</CompanyPageLink>
                {company.isUs && <span className="block text-xs font-normal text-accent-ink">เรา</span>}
              </span>
            ),
            isNumeric: true,
            className: 'min-w-24 sm:min-w-28',
            cell: ({ cell }: SummaryRow) => cell(company),
          })),
        ]}
      />
      <p className="mt-2 text-xs text-ink-faint">
        ตัวหนา = สูงสุดในแถว · ส่วนลดเทียบราคากลางเฉพาะโครงการที่มีผู้ชนะรายเดียว
        {isRateMissing && ` · ${FEW_BIDS_NOTE}`}
      </p>
    </SectionCard>
  )
}

type MetricCellProps = { figure: Figure; company: ComparisonCompany; best: number | undefined; isWide: boolean }

function MetricCell({ figure: { value: getValue, format, note }, company, best, isWide }: MetricCellProps) {
  const value = getValue(company)
  const isBest = best !== undefined && value === best
  return (
    <>
      {formatOrUnknown(value, (known) => (
        <span className={isBest ? 'font-bold' : best === undefined ? undefined : 'text-ink-muted'}>
          {format(known)}
        </span>
      ))}
      {isBest && <span className="sr-only"> สูงสุด</span>}
      {note && (
        <span className={classNames('block text-xs text-ink-faint', isWide && 'xl:ml-1.5 xl:inline')}>
          {note(company)}
        </span>
      )}
    </>
  )
}
