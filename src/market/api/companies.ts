import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { companyListSchema, companySuggestionsSchema, companyWinnersSchema } from '#contract/market/company.ts'
import { type CompanySearch, printCompanySearch } from '#contract/market/company-params.ts'
import { request } from '#src/api/http/client.ts'
import { companyKeys } from '#src/api/http/keys.ts'

/** As the report: loads run once a night and by hand. */
const FRESH_MS = 30_000

/** One page of the companies that a search finds; while another is on its way the old one stays. */
export const companyListQuery = (search: CompanySearch) => {
  const query = printCompanySearch(search)
  return queryOptions({
    queryKey: companyKeys.list(query),
    queryFn: ({ signal }) => request('companies', { query, schema: companyListSchema, signal }),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  })
}

/** Fewer signs than this name too many companies to be a hint. */
export const FEWEST_SIGNS = 2

/** At most ten companies by part of a name or of a tax id; asked from `FEWEST_SIGNS` on. */
export const companySuggestionsQuery = (text: string) =>
  queryOptions({
    queryKey: companyKeys.suggestions(text),
    queryFn: ({ signal }) =>
      request('company-suggestions', { query: { q: text }, schema: companySuggestionsSchema, signal }),
    enabled: text.length >= FEWEST_SIGNS,
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  })

/** Awards in the organisation's report of the last seven days of data. */
export const companyWinnersQuery = queryOptions({
  queryKey: companyKeys.winners,
  queryFn: ({ signal }) => request('company-winners', { schema: companyWinnersSchema, signal }),
  staleTime: FRESH_MS,
})
