import { decodeNameFromUrlPath } from '#contract/catalogue/company-name-part.ts'
import type { AgencySearch } from '#contract/market/agency-params.ts'
import type { CompanySearch } from '#contract/market/company-params.ts'
import { startQueryInBackground } from '#src/api/http/query-client.ts'
import { agencyQuery } from '#src/market/api/agencies.ts'
import { budgetYearsQuery } from '#src/market/api/budgets.ts'
import { companyListQuery, companyWinnersQuery } from '#src/market/api/companies.ts'
import {
  buildComparisonApiParams,
  companyComparisonQuery,
  comparisonPairsQuery,
} from '#src/market/api/company-comparisons.ts'
import { companyDetailQuery } from '#src/market/api/company-details.ts'
import { type CompanyPathParams, getCompanyNameParam } from '#src/market/pages/company/company-search.ts'
import type { LoaderContext } from './loader-context.ts'

export function companiesLoader({ context: { queryClient }, deps }: LoaderContext<CompanySearch>): void {
  startQueryInBackground(queryClient, companyListQuery(deps))
  startQueryInBackground(queryClient, companyWinnersQuery)
}

function prefetchCompany({
  context: { queryClient },
  params,
  deps,
}: LoaderContext<CompanySearch, CompanyPathParams>): void {
  startQueryInBackground(queryClient, companyDetailQuery(decodeNameFromUrlPath(getCompanyNameParam(params)), deps))
}

type NameParams = Extract<CompanyPathParams, { readonly name: string }>
type SegmentParams = Exclude<CompanyPathParams, NameParams>

export const companyLoader = (context: LoaderContext<CompanySearch, NameParams>): void => prefetchCompany(context)
export const companySegmentsLoader = (context: LoaderContext<CompanySearch, SegmentParams>): void =>
  prefetchCompany(context)

export function agencyLoader({
  context: { queryClient },
  params,
  deps,
}: LoaderContext<AgencySearch, { readonly code: string }>): void {
  startQueryInBackground(queryClient, agencyQuery(params.code, deps))
}

export function companyComparisonLoader({ context: { queryClient }, deps }: LoaderContext<CompanySearch>): void {
  // With fewer than two companies to compare, the page suggests pairs.
  if ((deps.project_winner_name__in ?? []).length < 2) startQueryInBackground(queryClient, comparisonPairsQuery)
  else startQueryInBackground(queryClient, companyComparisonQuery(buildComparisonApiParams(deps)))
}

export function budgetLoader({ context: { queryClient } }: LoaderContext): void {
  // Load only the list of years, which decides which year the page shows.
  startQueryInBackground(queryClient, budgetYearsQuery)
}
