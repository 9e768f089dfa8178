import type { ReactNode } from 'react'
import { useOrganisation } from '#src/account/api/organisations.ts'
import { classNames } from '#src/lib/class-names.ts'
import { CompanyLink } from '#src/market/company-link.tsx'
import { type ChartColour, getChartColourClasses } from '#src/ui/chart/chart-tone.ts'
import type { DataTableColumn } from '#src/ui/data-table.tsx'
import type { ComparisonCompany } from '../scope/comparison-company.ts'
import { useComparisonUrlState } from '../scope/use-comparison-url-state.ts'

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

/** Table columns of figures, one per company. */
export const getCompanyColumns = <Row,>(
  companies: readonly ComparisonCompany[],
  className: string,
  renderCell: (row: Row, company: ComparisonCompany) => ReactNode,
): DataTableColumn<Row>[] =>
  companies.map((company) => ({
    head: `${company.letter} ${company.shortName}`,
    headContent: (
      <span title={company.shortName} className="line-clamp-1 whitespace-normal">
        <ChartColourDot tone={company.tone} className="mr-1.5 size-2" />
        {company.letter} {company.shortName}
      </span>
    ),
    isNumeric: true,
    className,
    cell: (row) => renderCell(row, company),
  }))

type CompanyPageLinkProps = { company: ComparisonCompany; rows?: string; children: ReactNode }

/** Links to the page of a company in the scope of the comparison, if the organisation may open it. */
export function CompanyPageLink({ company, rows, children }: CompanyPageLinkProps) {
  const { is_company_compare: hasPages } = useOrganisation()
  const { search } = useComparisonUrlState()
  if (!hasPages) return <span>{children}</span>
  return (
    <CompanyLink company={company} search={search} rows={rows}>
      {children}
    </CompanyLink>
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
