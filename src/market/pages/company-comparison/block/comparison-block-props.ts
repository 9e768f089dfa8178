import type { CompanyComparison } from '#contract/market/company-comparison.ts'
import type { CompanySearch } from '#contract/market/company-params.ts'
import type { ComparisonCompany } from '#src/market/pages/company-comparison/scope/comparison-company.ts'
import type { ChangeComparisonSearchFn } from '#src/market/pages/company-comparison/scope/use-comparison-url-state.ts'

export type ComparisonBlockProps = {
  comparison: CompanyComparison
  companies: readonly ComparisonCompany[]
  search: CompanySearch
  change: ChangeComparisonSearchFn
}
