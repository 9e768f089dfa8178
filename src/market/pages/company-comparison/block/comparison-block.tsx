import { type ReactNode, useId } from 'react'
import type { CompanyComparison } from '#contract/market/company-comparison.ts'
import type { CompanySearch } from '#contract/market/company-params.ts'
import type { ComparisonCompany } from '#src/market/pages/company-comparison/scope/comparison-company.ts'
import type { ChangeComparisonSearchFn } from '#src/market/pages/company-comparison/scope/use-comparison-url-state.ts'
import { Card } from '#src/ui/card.tsx'

export type ComparisonBlockProps = {
  comparison: CompanyComparison
  companies: readonly ComparisonCompany[]
  search: CompanySearch
  change: ChangeComparisonSearchFn
}

type BlockProps = { title: string; scope?: ReactNode; children: ReactNode }

export function ComparisonBlock({ title, scope, children }: BlockProps) {
  const heading = useId()
  return (
    <Card as="section" aria-labelledby={heading} className="min-w-0 p-4 lg:p-5">
      <h2 id={heading} className="text-lg font-semibold">
        {title}
      </h2>
      {scope !== undefined && <div className="text-xs text-ink-muted">{scope}</div>}
      <div className="mt-3">{children}</div>
    </Card>
  )
}
