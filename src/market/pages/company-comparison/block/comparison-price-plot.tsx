import type { ComponentProps } from 'react'
import { AWARD_CRITERIA, getChoiceLabel } from '#contract/catalogue/project.ts'
import { MIN_DISCOUNTS_TO_RANK } from '#contract/market/company.ts'
import type { CompanyComparison } from '#contract/market/company-comparison.ts'
import { computeMedian } from '#contract/quantile.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { formatPercent } from '#src/lib/figure-text.ts'
import { getProjectHref } from '#src/lib/project-url.ts'
import { ChartFigure, type ChartTable } from '#src/ui/chart/chart-figure.tsx'
import { DotPlot } from '#src/ui/chart/dot-plot.tsx'
import { SwimLaneChart } from '#src/ui/chart/swim-lane-chart.tsx'
import { Listbox } from '#src/ui/form/listbox.tsx'
import type { ComparisonBlockProps, ComparisonCompany } from '../scope/comparison-company.ts'
import { useComparisonUrlState } from '../scope/use-comparison-url-state.ts'
import { ComparisonSeriesLegend } from './compared-company-name.tsx'

type PlotLine = NonNullable<ComponentProps<typeof DotPlot>['lines']>[number]
type Prices = CompanyComparison['prices']

/** Returns the prices with their companies; those of companies that are not compared are left out. */
const joinPricesWithCompanies = (prices: Prices, companies: readonly ComparisonCompany[]) =>
  prices.flatMap((price) => {
    const company = companies[price.company]
    if (!company) return []
    return {
      ...price,
      key: `${price.project_id} ${price.company}`,
      company,
      companyName: `${company.letter} ${company.shortName}`,
      day: formatThaiDateShortOrOriginal(price.date),
      // A new tab, so that the comparison stays open.
      onOpen: price.in_report ? () => window.open(getProjectHref(price.project_id), '_blank', 'noopener') : undefined,
    }
  })

function buildPriceTable(caption: string, prices: ReturnType<typeof joinPricesWithCompanies>): ChartTable {
  return {
    caption,
    columns: ['วันที่', 'บริษัท', 'โครงการ', '% ของราคากลาง', 'ผล'],
    numeric: [3],
    rows: prices.toReversed().map(({ key, day, companyName, name, ratio, is_winner }) => ({
      key,
      cells: [day, companyName, name, formatPercent(ratio), is_winner ? 'ชนะ' : 'ไม่ชนะ'],
    })),
  }
}

/** Scale limits and step as ratios of the reference price. Outliers are drawn at the edge. */
const STEP = 0.05
const MIN_RATIO = 0.4
const MAX_RATIO = 1.3

export function computePriceRatioAxisRange(ratios: readonly number[]): readonly [number, number] {
  const minRatio = ratios.reduce((low, ratio) => Math.min(low, ratio), 0.9)
  const maxRatio = ratios.reduce((high, ratio) => Math.max(high, ratio), 1)
  const from = Math.max(MIN_RATIO, Math.floor(minRatio / STEP + 1e-6) * STEP)
  const to = Math.min(MAX_RATIO, Math.ceil(maxRatio / STEP - 1e-6) * STEP + STEP / 2)
  return [from, to]
}

export function ComparisonPricePlot({ comparison, companies }: ComparisonBlockProps) {
  const { prices, prices_total: total } = comparison
  const priced = joinPricesWithCompanies(prices, companies)
  const { smeBand } = useComparisonUrlState()
  const scale = computePriceRatioAxisRange(prices.map(({ ratio }) => ratio))
  const outside = prices.filter(({ ratio }) => ratio < scale[0] || ratio > scale[1]).length
  return (
    <ChartFigure
      title="ราคาที่เสนอเทียบราคากลาง"
      scope={
        <span className="tabular-nums">
          n={formatCount(total)} ราคา
          {prices.length < total && ` แสดง ${formatCount(prices.length)} ราคาล่าสุด`}
          {outside > 0 && ` · ${formatCount(outside)} ราคาอยู่นอกสเกล วาดไว้ที่ขอบ`}
          {!comparison.has_meetings && prices.length > 0 && ' · มีเฉพาะราคาที่ชนะ'}
        </span>
      }
      empty={prices.length === 0 ? 'ไม่มีโครงการที่รู้ทั้งราคาและราคากลางในขอบเขตนี้' : undefined}
      actions={<CriteriaSelect />}
      table={buildPriceTable('ราคาที่เสนอเทียบราคากลาง ใหม่ก่อน', priced)}
    >
      <ComparisonSeriesLegend companies={companies} filled="ชนะ" hollow="ไม่ชนะ" />
      <DotPlot
        label="ราคาที่เสนอเทียบราคากลางตามเวลา"
        points={priced.map(({ key, date, ratio, company, companyName, day, is_winner, name, onOpen }) => ({
          key,
          at: date,
          y: ratio,
          series: company.tone,
          isFilled: is_winner,
          isFaded: !is_winner,
          text: `${day} · ${companyName} ${formatPercent(ratio)} ของราคากลาง ${is_winner ? 'ชนะ' : 'ไม่ชนะ'} · ${name}`,
          onOpen,
        }))}
        yDomain={scale}
        formatY={(ratio) => `${Math.round(ratio * 100)}%`}
        lines={[{ y: 1, label: 'ราคากลาง (100%)' }, ...medianLines(prices, companies)]}
        bands={
          smeBand === 0
            ? []
            : [
                {
                  // The lower edge of the SME band: a lower bid beats even an SME at the reference price.
                  from: 100 / (100 + smeBand),
                  to: 1,
                  label: `แถบแต้มต่อ SMEs ${smeBand}%: ราคาในแถบนี้ยังแพ้ SME ที่เสนอไม่เกินราคากลางได้`,
                },
              ]
        }
      />
    </ChartFigure>
  )
}

/**
 * Returns a line at each company's median price, except for companies with fewer than five prices, whose number of
 * prices the legend shows instead.
 */
function medianLines(prices: Prices, companies: readonly ComparisonCompany[]): PlotLine[] {
  return companies.flatMap<PlotLine>(({ index, letter, tone }) => {
    const ratios = prices.flatMap(({ company, ratio }) => (company === index ? ratio : []))
    const n = `n=${formatCount(ratios.length)}`
    if (ratios.length < MIN_DISCOUNTS_TO_RANK)
      return ratios.length === 0 ? [] : [{ y: undefined, label: `มัธยฐาน ${letter}: ${n} น้อยไป`, tone }]
    const median = computeMedian(ratios)!
    return [{ y: median, label: `มัธยฐาน ${letter} ${formatPercent(median)} (${n})`, tone }]
  })
}

const DOT_SIZE = 0.06

export function ComparisonTimeline({ comparison, companies }: ComparisonBlockProps) {
  const { prices, prices_total: total, has_meetings: hasMeetings } = comparison
  const priced = joinPricesWithCompanies(prices, companies)
  // The dots are prices, so the page's filter of price criteria applies here too.
  const { project_criteria_for_consideration: criteria = [] } = useComparisonUrlState().search
  return (
    <ChartFigure
      title="เส้นเวลา"
      scope={
        <span className="tabular-nums">
          n={formatCount(total)} {hasMeetings ? 'ครั้งที่ยื่นหรือชนะ' : 'ครั้งที่ชนะ'} ที่รู้ราคา ราคากลาง และวันที่
          {prices.length < total && ` แสดง ${formatCount(prices.length)} ครั้งล่าสุด`}
          {criteria.length > 0 && ` · เฉพาะ${formatCriteria(criteria)}`}
        </span>
      }
      empty={prices.length === 0 ? 'ไม่มีโครงการที่รู้ทั้งราคา ราคากลาง และวันที่ในขอบเขตนี้' : undefined}
      table={buildPriceTable('การยื่นและการชนะ ใหม่ก่อน', priced)}
    >
      <ComparisonSeriesLegend companies={companies} filled="ชนะ" hollow="ยื่น ไม่ชนะ" />
      <SwimLaneChart
        label="การยื่นและการชนะของแต่ละบริษัทตามเวลา"
        lanes={companies.map(({ id, letter, shortName, tone }) => ({
          key: String(id),
          label: `${letter} ${shortName}`,
          tone,
        }))}
        points={priced.map(({ key, date, company, companyName, day, is_winner, name, onOpen }) => ({
          key,
          lane: String(company.id),
          at: date,
          size: DOT_SIZE,
          isFilled: is_winner,
          text: `${day} · ${companyName} ${is_winner ? 'ชนะ' : 'ยื่น ไม่ชนะ'} · ${name}`,
          onOpen,
        }))}
      />
    </ChartFigure>
  )
}

const formatCriteria = (criteria: readonly string[]) =>
  criteria.map((code) => getChoiceLabel(AWARD_CRITERIA, code)).join(', ')

function CriteriaSelect() {
  const { search, change } = useComparisonUrlState()
  const { project_criteria_for_consideration: criteria = [] } = search
  return (
    <Listbox
      label="เกณฑ์การพิจารณา"
      value={criteria.length > 1 ? 'several' : (criteria[0] ?? '')}
      options={[
        { value: '', th: 'ทุกเกณฑ์' },
        ...(criteria.length > 1 ? [{ value: 'several', th: formatCriteria(criteria), disabled: true }] : []),
        ...AWARD_CRITERIA.map(({ code, th }) => ({ value: code, th })),
      ]}
      onChange={(next) => change({ project_criteria_for_consideration: next === '' ? undefined : [next] })}
      className="h-8 max-w-48 text-sm touch:h-11 touch:text-lg"
    />
  )
}
