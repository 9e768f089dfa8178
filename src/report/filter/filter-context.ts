import type { Label } from '#contract/account/label.ts'
import type { ReportFacets } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { ChangeReport } from '#src/lib/report-change.ts'

export type FilterContext = {
  readonly search: ReportSearch
  readonly change: ChangeReport
  /** Undefined until the first counts arrive; filters work without them. */
  readonly facets: ReportFacets | undefined
  readonly labels: readonly Label[]
  readonly onManageLabels?: () => void
  /** Region code → provinces of the organisation's package. */
  readonly areas: Readonly<Record<string, readonly string[]>>
  /** Maximum of the budget slider and of the other two, baht. */
  readonly ceilings: { readonly budget: number; readonly others: number }
  /** Days that the report covers; null is unbounded. */
  readonly window: { readonly start: string | null; readonly end: string | null }
  /** Today in Bangkok, ISO. */
  readonly today: string
}
