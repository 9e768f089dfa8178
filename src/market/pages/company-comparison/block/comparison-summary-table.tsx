import { DISCOUNT_TEXTS } from '#contract/catalogue/discount.ts'
import { MIN_BIDS_FOR_WIN_RATE } from '#contract/market/company.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { formatMillionsOfBaht } from '#src/lib/figure-text.ts'
import type { ComparisonCompany } from '#src/market/pages/company-comparison/scope/comparison-company.ts'
import { formatPlainPercent } from '#src/market/pages/company-comparison/scope/comparison-text.ts'
import { StatisticsCoverageBadge } from '#src/market/statistics-scope/statistics-coverage-badge.tsx'
import { DataTable } from '#src/ui/data-table.tsx'
import { ExplainButton } from '#src/ui/overlay/explain-button.tsx'
import { SectionCard } from '#src/ui/section-card.tsx'
import { UnknownValue } from '#src/ui/unknown-value.tsx'
import { CompanyPageLink } from './company-page-link.tsx'
import type { ComparisonBlockProps } from './comparison-block-props.ts'
import { ChartColourDot } from './comparison-series-legend.tsx'

type Figure = {
  readonly key: string
  readonly name: string
  readonly means?: string
  readonly value: (company: ComparisonCompany) => number | string | null
  readonly text: (company: ComparisonCompany) => string
  readonly note?: (company: ComparisonCompany) => string | undefined
  /** True if the largest value is best; absent for metrics where larger is not better. */
  readonly isRanked?: boolean
}

const formatSampleSize = (n: number) => `n=${formatCount(n)}`
const bidNote = ({ bids }: ComparisonCompany) => {
  if (bids === null) return 'ไม่มีรายชื่อผู้ยื่น'
  return bids.win_rate === null ? `${formatSampleSize(bids.bids)} น้อยไป` : formatSampleSize(bids.bids)
}

const FIGURES: readonly Figure[] = [
  {
    key: 'wins',
    name: 'งานที่ชนะ',
    value: ({ wins }) => wins,
    text: ({ wins }) => formatCount(wins),
    note: ({ coverage: { full, names, winner } }) => `จาก ${formatCount(full + names + winner)} โครงการ`,
    isRanked: true,
  },
  {
    key: 'value',
    name: 'มูลค่ารวม (ล้านบาท)',
    value: ({ value }) => value,
    text: ({ value }) => formatMillionsOfBaht(value ?? 0),
    note: ({ wins }) => formatSampleSize(wins),
    isRanked: true,
  },
  {
    key: 'win_rate',
    name: 'อัตราชนะ',
    value: ({ bids }) => bids?.win_rate ?? null,
    text: ({ bids }) => formatPlainPercent(bids?.win_rate ?? 0),
    note: bidNote,
    isRanked: true,
  },
  {
    key: 'weighted_discount',
    name: DISCOUNT_TEXTS.weighted.th,
    means: DISCOUNT_TEXTS.weighted.means,
    value: ({ discount }) => discount.weighted,
    text: ({ discount }) => formatPlainPercent(discount.weighted ?? 0),
    note: ({ discount }) => formatSampleSize(discount.n),
    isRanked: true,
  },
  {
    key: 'median_discount',
    name: DISCOUNT_TEXTS.median.th,
    means: DISCOUNT_TEXTS.median.means,
    value: ({ discount }) => discount.median,
    text: ({ discount }) => formatPlainPercent(discount.median ?? 0),
    note: ({ discount }) => formatSampleSize(discount.n),
    isRanked: true,
  },
  {
    key: 'against_budget',
    name: 'ส่วนลดเทียบงบประมาณ (ไม่มีราคากลางหรือน่าสงสัย)',
    value: ({ discount }) => discount.against_budget.median,
    text: ({ discount }) => formatPlainPercent(discount.against_budget.median ?? 0),
    note: ({ discount }) => formatSampleSize(discount.against_budget.n),
  },
  {
    key: 'median_contract',
    name: 'มูลค่าสัญญามัธยฐาน (ล้านบาท)',
    value: ({ median_contract }) => median_contract,
    text: ({ median_contract }) => formatMillionsOfBaht(median_contract ?? 0),
    note: ({ wins }) => formatSampleSize(wins),
  },
  {
    key: 'departments',
    name: 'หน่วยงานที่ชนะ',
    value: ({ departments }) => departments,
    text: ({ departments }) => formatCount(departments),
    note: ({ wins }) => formatSampleSize(wins),
    isRanked: true,
  },
  {
    key: 'active_contracts',
    name: 'สัญญาที่ดำเนินอยู่',
    value: ({ active_contracts }) => active_contracts,
    text: ({ active_contracts }) => formatCount(active_contracts),
  },
  {
    key: 'last_win',
    name: 'ชนะล่าสุด',
    value: ({ last_win_date }) => last_win_date,
    text: ({ last_win_date }) => formatThaiDateShortOrOriginal(last_win_date ?? ''),
  },
]

const ALWAYS_SHOWN: ReadonlySet<string> = new Set(['wins', 'value', 'win_rate', 'weighted_discount', 'last_win'])

/** Returns the metrics of the table. Marks no company as best when all are equal or only one value is known. */
function summaryMetrics(companies: readonly ComparisonCompany[]) {
  return FIGURES.flatMap(({ key, name, means, value, text, note, isRanked = false }) => {
    const values = companies.map(value)
    const knownValues = values.filter((item) => typeof item === 'number')
    if (!ALWAYS_SHOWN.has(key) && values.every((item) => item === null)) return []
    const best = isRanked && new Set(knownValues).size > 1 ? Math.max(...knownValues) : undefined
    const cells = companies.map((company, index) => ({
      company: company.id,
      text: values[index] === null ? undefined : text(company),
      note: note?.(company),
      isBest: best !== undefined && values[index] === best,
      hasBest: best !== undefined && values[index] !== best,
    }))
    return [{ key, name, means, cells }]
  })
}

type Metric = ReturnType<typeof summaryMetrics>[number]

const FEW_BIDS_NOTE = `อัตราชนะคิดเมื่อรู้รายชื่อผู้ยื่นและผลอย่างน้อย ${MIN_BIDS_FOR_WIN_RATE} โครงการ`

type SummaryTableProps = Pick<ComparisonBlockProps, 'comparison' | 'companies'>

export function ComparisonSummaryTable({ comparison, companies }: SummaryTableProps) {
  const isWide = companies.length <= 3
  const isRateMissing = comparison.has_meetings && companies.some(({ bids }) => bids !== null && bids.win_rate === null)
  const rows = [
    ...summaryMetrics(companies).map(({ key, name, means, cells }) => ({
      key,
      name: (
        <>
          {name}
          {means && (
            <ExplainButton subject={name} className="-my-1 touch:-my-3">
              {means}
            </ExplainButton>
          )}
        </>
      ),
      cells: cells.map((cell) => <MetricCell key={cell.company} {...cell} isWide={isWide} />),
    })),
    {
      key: 'coverage',
      name: 'ข้อมูลผู้ยื่น',
      cells: companies.map(({ id, coverage }) => <StatisticsCoverageBadge key={id} coverage={coverage} />),
    },
  ]
  return (
    <SectionCard title="สรุป">
      <DataTable
        caption="ตัวเลขของแต่ละบริษัท"
        frame="relative overflow-x-auto print:overflow-visible"
        rows={rows}
        getKey={({ key }) => key}
        columns={[
          {
            head: 'ตัวเลข',
            isHeadHidden: true,
            className: 'sticky left-0 z-10 bg-surface text-ink-muted min-w-28 sm:min-w-32',
            cell: ({ name }) => name,
          },
          ...companies.map((company, index) => ({
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
            cell: ({ cells }: (typeof rows)[number]) => cells[index],
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

function MetricCell({ text, note, isBest, hasBest, isWide }: Metric['cells'][number] & { isWide: boolean }) {
  return (
    <>
      {text === undefined ? (
        <UnknownValue />
      ) : (
        <span className={isBest ? 'font-bold' : hasBest ? 'text-ink-muted' : undefined}>{text}</span>
      )}
      {isBest && <span className="sr-only"> สูงสุด</span>}
      {note !== undefined && (
        <span className={classNames('block text-xs text-ink-faint', isWide && 'xl:ml-1.5 xl:inline')}>{note}</span>
      )}
    </>
  )
}
