import type { Label } from '#contract/account/label.ts'
import type { ReportFacets } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { ChangeReportSearchFn } from '#src/lib/report-change.ts'

export type FilterContext = {
  readonly search: ReportSearch
  readonly change: ChangeReportSearchFn
  readonly facets: ReportFacets | undefined
  readonly labels: readonly Label[]
  readonly areas: Readonly<Record<string, readonly string[]>>
  /** Upper limits, in baht, of the budget slider and of the other money sliders. */
  readonly ceilings: { readonly budget: number; readonly otherBudgets: number }
  readonly window: { readonly start: string | null; readonly end: string | null }
  readonly today: string
}
