import { classNames } from '#src/lib/class-names.ts'
import type { ComparisonCompany } from '#src/market/pages/company-comparison/scope/comparison-company.ts'
import { type ChartColour, getChartColourClasses } from '#src/ui/chart/chart-tone.ts'

export function ChartColourDot({ tone }: { tone: ChartColour }) {
  return (
    <span
      aria-hidden
      className={classNames('mr-1.5 inline-block size-2 rounded-full', getChartColourClasses(tone).background)}
    />
  )
}

type SeriesKeyProps = { companies: readonly ComparisonCompany[]; filled: string; hollow: string }

export function ComparisonSeriesLegend({ companies, filled, hollow }: SeriesKeyProps) {
  return (
    <ul aria-label="สัญลักษณ์" className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-muted">
      {companies.map(({ id, letter, shortName, tone }) => (
        <li key={id} className="inline-flex items-center gap-1.5">
          <span aria-hidden className={classNames('size-2.5 rounded-full', getChartColourClasses(tone).background)} />
          {letter} {shortName}
        </li>
      ))}
      <li className="inline-flex items-center gap-1.5">
        <span aria-hidden className="size-2.5 rounded-full bg-ink-muted" />
        {filled}
      </li>
      <li className="inline-flex items-center gap-1.5">
        <span aria-hidden className="size-2.5 rounded-full border-2 border-ink-muted" />
        {hollow}
      </li>
    </ul>
  )
}
