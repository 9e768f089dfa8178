import type { ComponentProps } from 'react'
import { AWARD_CRITERIA, getChoiceLabel } from '#contract/catalogue/project.ts'
import { MIN_DISCOUNTS_TO_RANK } from '#contract/market/company.ts'
import type { CompanyComparison } from '#contract/market/company-comparison.ts'
import { computeMedian } from '#contract/quantile.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { formatPercent } from '#src/lib/figure-text.ts'
import type { ComparisonCompany } from '#src/market/pages/company-comparison/scope/comparison-company.ts'
import type { ChangeComparisonSearchFn } from '#src/market/pages/company-comparison/scope/use-comparison-url-state.ts'
import { ChartFigure } from '#src/ui/chart/chart-figure.tsx'
import { DotPlot } from '#src/ui/chart/dot-plot.tsx'
import { Listbox } from '#src/ui/form/listbox.tsx'
import { ComparisonSeriesLegend } from './comparison-series-legend.tsx'
import { openProjectInNewTab } from './open-project.ts'

type PlotLine = NonNullable<ComponentProps<typeof DotPlot>['lines']>[number]

type PricePlotProps = {
  comparison: CompanyComparison
  companies: readonly ComparisonCompany[]
  smeBand: number
  criteria: readonly string[] | undefined
  change: ChangeComparisonSearchFn
  className?: string
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

export function ComparisonPricePlot({ comparison, companies, smeBand, criteria, change, className }: PricePlotProps) {
  const { prices, prices_total: total } = comparison
  const points = prices.flatMap((price) => {
    const company = companies[price.company]
    if (!company) return []
    return {
      key: `${price.project_id} ${price.company}`,
      at: price.date,
      y: price.ratio,
      series: company.tone,
      isFilled: price.is_winner,
      isFaded: !price.is_winner,
      text: `${formatThaiDateShortOrOriginal(price.date)} · ${company.letter} ${company.shortName} ${formatPercent(price.ratio)} ของราคากลาง ${price.is_winner ? 'ชนะ' : 'ไม่ชนะ'} · ${price.name}`,
      onOpen: price.in_report ? () => openProjectInNewTab(price.project_id) : undefined,
    }
  })
  const scale = computePriceRatioAxisRange(prices.map(({ ratio }) => ratio))
  const outside = prices.filter(({ ratio }) => ratio < scale[0] || ratio > scale[1]).length
  return (
    <ChartFigure
      title="ราคาที่เสนอเทียบราคากลาง"
      {...(className === undefined ? {} : { className })}
      scope={
        <span className="tabular-nums">
          n={formatCount(total)} ราคา
          {prices.length < total && ` แสดง ${formatCount(prices.length)} ราคาล่าสุด`}
          {outside > 0 && ` · ${formatCount(outside)} ราคาอยู่นอกสเกล วาดไว้ที่ขอบ`}
          {!comparison.has_meetings && prices.length > 0 && ' · มีเฉพาะราคาที่ชนะ'}
        </span>
      }
      empty={prices.length === 0 ? 'ไม่มีโครงการที่รู้ทั้งราคาและราคากลางในขอบเขตนี้' : undefined}
      actions={<CriteriaSelect criteria={criteria} change={change} />}
      table={{
        caption: 'ราคาที่เสนอเทียบราคากลาง ใหม่ก่อน',
        columns: ['วันที่', 'บริษัท', 'โครงการ', '% ของราคากลาง', 'ผล'],
        numeric: [3],
        rows: prices.toReversed().map((price) => ({
          key: `${price.project_id} ${price.company}`,
          cells: [
            formatThaiDateShortOrOriginal(price.date),
            `${companies[price.company]?.letter} ${companies[price.company]?.shortName}`,
            price.name,
            formatPercent(price.ratio),
            price.is_winner ? 'ชนะ' : 'ไม่ชนะ',
          ],
        })),
      }}
    >
      <ComparisonSeriesLegend companies={companies} filled="ชนะ" hollow="ไม่ชนะ" />
      <DotPlot
        label="ราคาที่เสนอเทียบราคากลางตามเวลา"
        points={points}
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
function medianLines(prices: CompanyComparison['prices'], companies: readonly ComparisonCompany[]): PlotLine[] {
  return companies.flatMap<PlotLine>(({ index, letter, tone }) => {
    const ratios = prices.flatMap(({ company, ratio }) => (company === index ? ratio : []))
    const n = `n=${formatCount(ratios.length)}`
    if (ratios.length < MIN_DISCOUNTS_TO_RANK)
      return ratios.length === 0 ? [] : [{ y: undefined, label: `มัธยฐาน ${letter}: ${n} น้อยไป`, tone }]
    const median = computeMedian(ratios)!
    return [{ y: median, label: `มัธยฐาน ${letter} ${formatPercent(median)} (${n})`, tone }]
  })
}

function CriteriaSelect({ criteria = [], change }: Pick<PricePlotProps, 'criteria' | 'change'>) {
  const [only] = criteria
  const value: string = criteria.length > 1 ? 'several' : (only ?? '')
  return (
    <Listbox
      label="เกณฑ์การพิจารณา"
      value={value}
      options={[
        { value: '', th: 'ทุกเกณฑ์' },
        ...(criteria.length > 1
          ? [
              {
                value: 'several',
                th: criteria.map((code) => getChoiceLabel(AWARD_CRITERIA, code)).join(', '),
                disabled: true,
              },
            ]
          : []),
        ...AWARD_CRITERIA.map(({ code, th }) => ({ value: code, th })),
      ]}
      onChange={(next) => change({ project_criteria_for_consideration: next === '' ? undefined : [next] })}
      className="h-8 max-w-48 text-sm touch:h-11 touch:text-lg"
    />
  )
}
