import { decodeNameFromUrlPath } from '#contract/catalogue/company-name-part.ts'
import type { AgencySearch } from '#contract/market/agency-params.ts'
import type { CompanySearch } from '#contract/market/company-params.ts'
import { agencyQuery } from '#src/market/api/agencies.ts'
import { budgetYearsQuery } from '#src/market/api/budgets.ts'
import { companyListQuery, companyWinnersQuery } from '#src/market/api/companies.ts'
import {
  buildComparisonApiParams,
  companyComparisonQuery,
  comparisonPairsQuery,
} from '#src/market/api/company-comparisons.ts'
import { companyDetailQuery } from '#src/market/api/company-details.ts'
import type { LoaderContext } from '../lazy-loader.ts'

export const companiesLoader = ({ deps }: LoaderContext<CompanySearch>) => [companyListQuery(deps), companyWinnersQuery]

export const companyLoader = ({ params, deps }: LoaderContext<CompanySearch, { readonly name: string }>) => [
  companyDetailQuery(decodeNameFromUrlPath(params.name), deps),
]

export const agencyLoader = ({ params, deps }: LoaderContext<AgencySearch, { readonly code: string }>) => [
  agencyQuery(params.code, deps),
]

export const companyComparisonLoader = ({ deps }: LoaderContext<CompanySearch>) =>
  // With fewer than two companies to compare, the page suggests pairs.
  (deps.project_winner_name__in ?? []).length < 2
    ? [comparisonPairsQuery]
    : [companyComparisonQuery(buildComparisonApiParams(deps))]

/** Loads only the list of years, which decides which year the page shows. */
export const budgetLoader = (_context: LoaderContext) => [budgetYearsQuery]
