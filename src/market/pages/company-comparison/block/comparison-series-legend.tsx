import { classNames } from '#src/lib/class-names.ts'
import type { ComparisonCompany } from '#src/market/pages/company-comparison/scope/comparison-company.ts'
import { type ChartColour, getChartColourClasses } from '#src/ui/chart/chart-tone.ts'

export function ChartColourDot({ tone, className = 'size-2.5' }: { tone: ChartColour; className?: string }) {
  return (
    <span
      aria-hidden
      className={classNames('inline-block shrink-0 rounded-full', getChartColourClasses(tone).background, className)}
    />
  )
}

type ComparisonCompanyNameProps = { company: ComparisonCompany; className?: string }

export function ComparisonCompanyName({ company: { tone, letter, shortName }, className }: ComparisonCompanyNameProps) {
  return (
    <span className={classNames('inline-flex items-center gap-1.5', className)}>
      <ChartColourDot tone={tone} />
      <span className="line-clamp-2 min-w-0">
        {letter} {shortName}
      </span>
    </span>
  )
}

type SeriesKeyProps = { companies: readonly ComparisonCompany[]; filled: string; hollow: string }

export function ComparisonSeriesLegend({ companies, filled, hollow }: SeriesKeyProps) {
  return (
    <ul aria-label="สัญลักษณ์" className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-muted">
      {companies.map((company) => (
        <li key={company.id}>
          <ComparisonCompanyName company={company} />
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
