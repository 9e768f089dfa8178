import type { Label } from '#contract/account/label.ts'
import type { ReportFacets } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { ChangeReport } from '#src/lib/report-change.ts'

/** What every filter of the panel needs to draw itself and to change the address. */
export type FilterContext = {
  readonly search: ReportSearch
  readonly change: ChangeReport
  /** Undefined until the first counts have come; the filters work without them. */
  readonly facets: ReportFacets | undefined
  readonly labels: readonly Label[]
  /** Goes to the list of all labels, where there is one. */
  readonly onManageLabels?: () => void
  /** Region code → provinces of the organisation's package. */
  readonly areas: Readonly<Record<string, readonly string[]>>
  /** Largest value of the budget slider and of the other two, baht. */
  readonly ceilings: { readonly budget: number; readonly others: number }
  /** The days that the report covers; an open side is null. */
  readonly window: { readonly start: string | null; readonly end: string | null }
  /** Today in Bangkok, ISO. */
  readonly today: string
}
