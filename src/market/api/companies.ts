import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { companyListSchema, companySuggestionsSchema, recentCompanyWinsSchema } from '#contract/market/company.ts'
import { type CompanySearch, formatCompanySearch } from '#contract/market/company-params.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { companyKeys } from '#src/api/http/keys.ts'

const FRESH_MS = 30_000

export const companyListQuery = (search: CompanySearch) => {
  const query = formatCompanySearch(search)
  return queryOptions({
    queryKey: companyKeys.list(query),
    queryFn: ({ signal }) => sendApiRequest('companies', { query, schema: companyListSchema, signal }),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  })
}

export const MIN_COMPANY_SEARCH_LENGTH = 2

export const companySuggestionsQuery = (text: string) =>
  queryOptions({
    queryKey: companyKeys.suggestions(text),
    queryFn: ({ signal }) =>
      sendApiRequest('company-suggestions', { query: { q: text }, schema: companySuggestionsSchema, signal }),
    enabled: text.length >= MIN_COMPANY_SEARCH_LENGTH,
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  })

export const companyWinnersQuery = queryOptions({
  queryKey: companyKeys.winners,
  queryFn: ({ signal }) => sendApiRequest('company-winners', { schema: recentCompanyWinsSchema, signal }),
  staleTime: FRESH_MS,
})
