import { useRouter } from '@tanstack/react-router'
import { getChoiceLabel, PROCUREMENT_METHOD_TYPES, PROCUREMENT_METHODS } from '#contract/catalogue/project.ts'
import type { CompanyComparison } from '#contract/market/company-comparison.ts'
import { formatBahtCompact, formatCount } from '#contract/thai/thai-number.ts'
import { useOrganisation } from '#src/account/api/organisations.ts'
import { classNames } from '#src/lib/class-names.ts'
import { formatPercent, moneyRangeText } from '#src/lib/figure-text.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import { getCompanyLinkProps } from '#src/market/company-link.tsx'
import { BarChart } from '#src/ui/chart/bar-chart.tsx'
import { ChartFigure } from '#src/ui/chart/chart-figure.tsx'
import type { ComparisonBlockProps, ComparisonCompany } from '../scope/comparison-company.ts'
import { useComparisonUrlState } from '../scope/use-comparison-url-state.ts'
import { ComparisonCompanyName } from './compared-company-name.tsx'

type MixDimension = CompanyComparison['mix'][number]['dimension']
type Row = Omit<CompanyComparison['mix'][number], 'dimension'>

const MIX_DIMENSIONS: readonly { readonly dimension: MixDimension; readonly title: string }[] = [
  { dimension: 'method', title: 'วิธีจัดหาของงานที่ชนะ' },
  { dimension: 'type', title: 'ประเภทของงานที่ชนะ' },
  { dimension: 'size', title: 'ขนาดของงานที่ชนะ' },
  { dimension: 'province', title: 'จังหวัดของงานที่ชนะ' },
]

const MAX_VISIBLE_ROWS = 8

export function getComparisonMixLabel(dimension: MixDimension, value: string): string {
  if (value === '' || value === 'unknown') return 'ไม่ระบุ'
  if (dimension === 'method') return getChoiceLabel(PROCUREMENT_METHODS, value)
  if (dimension === 'type') return getChoiceLabel(PROCUREMENT_METHOD_TYPES, value)
  if (dimension !== 'size') return value
  const [from, to] = value.split('-')
  const side = (text: string | undefined) => (text ? Number(text) : null)
  return moneyRangeText({ min: side(from) || null, max: side(to) })
}

const totalOf = (rows: readonly Row[], index: number) => ({
  wins: rows.reduce((total, { cells }) => total + (cells[index]?.wins ?? 0), 0),
  value: rows.reduce<number | null>((total, { cells }) => {
    const value = cells[index]?.value ?? null
    return value === null ? total : (total ?? 0) + value
  }, null),
})

type MixRow = Row & {
  readonly label: string
  /** Undefined for the row that totals several kinds. */
  readonly code?: string
}

function mixRows(mix: CompanyComparison['mix'], dimension: MixDimension, companies: number): MixRow[] {
  const rows = mix.filter((row) => row.dimension === dimension)
  const visibleRows = rows.length > MAX_VISIBLE_ROWS + 1 ? rows.slice(0, MAX_VISIBLE_ROWS) : rows
  const foldedRows = rows.slice(visibleRows.length)
  const labelledRows = visibleRows.map((row) => ({
    ...row,
    label: getComparisonMixLabel(dimension, row.value),
    code: row.value,
  }))
  if (foldedRows.length === 0) return labelledRows
  const cells = Array.from({ length: companies }, (_, index) => totalOf(foldedRows, index))
  return [...labelledRows, { value: 'others', cells, label: `อื่น ๆ ${foldedRows.length} รายการ` }]
}

export function ComparisonMixPanel(props: ComparisonBlockProps) {
  return (
    <div className={classNames('grid gap-4', props.companies.length <= 2 && 'xl:grid-cols-2')}>
      {MIX_DIMENSIONS.map((of) => (
        <MixFigure key={of.dimension} {...of} {...props} />
      ))}
    </div>
  )
}

type MixFigureProps = ComparisonBlockProps & (typeof MIX_DIMENSIONS)[number]

function MixFigure({ dimension, title, comparison, companies }: MixFigureProps) {
  const { is_company_compare: hasPages } = useOrganisation()
  const { search } = useComparisonUrlState()
  const router = useRouter()
  const rows = mixRows(comparison.mix, dimension, companies.length)
  const totals = companies.map(({ index }) => rows.reduce((sum, { cells }) => sum + (cells[index]?.wins ?? 0), 0))
  const share = (wins: number, index: number) => (totals[index] ? wins / totals[index] : 0)
  const opener = (company: ComparisonCompany, code: string | undefined, wins: number) => {
    // A link to a company page can select projects by method, type or province, but not by size.
    if (!hasPages || code === undefined || dimension === 'size' || wins === 0 || code === 'unknown') return undefined
    return () => void router.navigate(getCompanyLinkProps(company, search, `${dimension}:${code}`))
  }
  return (
    <ChartFigure
      title={title}
      scope="ความยาวแท่ง = ส่วนแบ่งของงานที่บริษัทนั้นชนะ เต็มราง = 100%"
      empty={rows.length === 0 ? 'ไม่มีงานที่ชนะในขอบเขตนี้' : undefined}
      table={{
        caption: title,
        columns: ['รายการ', ...companies.map(({ letter, shortName }) => `${letter} ${shortName}`)],
        rows: rows.map(({ value, label, cells }) => ({
          key: value,
          cells: [
            label,
            ...cells.map(({ wins, value: baht }, index) => {
              const total = joinParts(`${formatCount(wins)} งาน`, baht !== null && formatBahtCompact(baht))
              return `${total} (${formatPercent(share(wins, index))})`
            }),
          ],
        })),
      }}
    >
      <div className="grid grid-cols-[repeat(auto-fit,minmax(13rem,1fr))] gap-x-4 gap-y-5">
        {companies.map((company) => (
          <div key={company.id} className="min-w-0 break-inside-avoid">
            <h3 className="mb-1 px-2 text-sm font-semibold">
              <ComparisonCompanyName company={company} />
            </h3>
            <BarChart
              label={`${title} ${company.name}`}
              max={1}
              rows={rows.map(({ value, label, cells, code }) => {
                const wins = cells[company.index]?.wins ?? 0
                return {
                  key: value,
                  label,
                  value: share(wins, company.index),
                  text: `${formatCount(wins)} · ${formatPercent(share(wins, company.index))}`,
                  tone: company.tone,
                  onOpen: opener(company, code, wins),
                }
              })}
            />
          </div>
        ))}
      </div>
    </ChartFigure>
  )
}
