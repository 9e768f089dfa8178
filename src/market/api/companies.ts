import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { companyListSchema, companySuggestionsSchema, companyWinnersSchema } from '#contract/market/company.ts'
import { type CompanySearch, printCompanySearch } from '#contract/market/company-params.ts'
import { request } from '#src/api/http/client.ts'
import { companyKeys } from '#src/api/http/keys.ts'

/** As for the report: loads run nightly or manually. */
const FRESH_MS = 30_000

/** Shows the previous page while loading. */
export const companyListQuery = (search: CompanySearch) => {
  const query = printCompanySearch(search)
  return queryOptions({
    queryKey: companyKeys.list(query),
    queryFn: ({ signal }) => request('companies', { query, schema: companyListSchema, signal }),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  })
}

/** Shorter texts match too many companies to be useful. */
export const FEWEST_SIGNS = 2

/** Returns at most ten companies; used from `FEWEST_SIGNS` characters. */
export const companySuggestionsQuery = (text: string) =>
  queryOptions({
    queryKey: companyKeys.suggestions(text),
    queryFn: ({ signal }) =>
      request('company-suggestions', { query: { q: text }, schema: companySuggestionsSchema, signal }),
    enabled: text.length >= FEWEST_SIGNS,
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  })

export const companyWinnersQuery = queryOptions({
  queryKey: companyKeys.winners,
  queryFn: ({ signal }) => request('company-winners', { schema: companyWinnersSchema, signal }),
  staleTime: FRESH_MS,
})
