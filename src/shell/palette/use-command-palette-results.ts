import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { normaliseThai } from '#contract/thai/thai-text.ts'
import { departmentsQuery } from '#src/catalogue/api/departments.ts'
import { documentSearchQuery } from '#src/documents/api/documents.ts'
import { useDebouncedText } from '#src/lib/use-debounced-text.ts'
import { companySuggestionsQuery, MIN_COMPANY_SEARCH_LENGTH } from '#src/market/api/companies.ts'
import { projectSuggestionsQuery } from '#src/report/api/reports.ts'
import {
  type CommandPaletteAccount,
  hasReportAccess,
  toAgencyCommandPaletteEntry,
  toCompanyCommandPaletteEntry,
  toDocumentCommandPaletteEntry,
  toPaletteDocumentQuery,
  toPaletteSearchExpression,
  toProjectCommandPaletteEntry,
} from './command-palette-entries.ts'

const MAX_RESULTS = 5

/**
 * Searches projects, companies, agencies and documents after the user pauses typing, as far as the subscription allows.
 * Results are cached by query text, so stale results never appear for a newer text; requests that are no longer needed
 * are aborted.
 */
export function useCommandPaletteResults(typed: string, account: CommandPaletteAccount) {
  const query = normaliseThai(typed)
  const debounced = useDebouncedText(query)
  const isEnough = debounced.length >= MIN_COMPANY_SEARCH_LENGTH && query.length >= MIN_COMPANY_SEARCH_LENGTH
  const expression = toPaletteSearchExpression(debounced)
  const canSearch = isEnough && hasReportAccess(account)
  const projects = useQuery({
    ...projectSuggestionsQuery(expression ?? ''),
    enabled: canSearch && expression !== undefined,
  })
  const canCompare = account.organisation.is_company_compare
  const companies = useQuery({ ...companySuggestionsQuery(debounced), enabled: canSearch && canCompare })
  const agencies = useQuery({ ...departmentsQuery({ q: debounced }), enabled: canSearch })
  const documentQuery = toPaletteDocumentQuery(debounced)
  const documents = useQuery({
    ...documentSearchQuery(undefined, documentQuery ?? ''),
    enabled: canSearch && documentQuery !== undefined,
  })
  const sources = Object.entries({ โครงการ: projects, บริษัท: companies, หน่วยงาน: agencies, ในเอกสาร: documents })
  const isDebouncing = debounced !== query
  if (isDebouncing || !isEnough)
    return {
      entries: [],
      isStale: isDebouncing && query.length >= MIN_COMPANY_SEARCH_LENGTH,
      failures: [],
      documentPages: undefined,
    }
  return {
    entries: [
      ...resultsOf(projects).slice(0, MAX_RESULTS).map(toProjectCommandPaletteEntry),
      ...resultsOf(companies).slice(0, MAX_RESULTS).map(toCompanyCommandPaletteEntry),
      ...resultsOf(agencies)
        .flatMap((agency) => toAgencyCommandPaletteEntry(agency, account) ?? [])
        .slice(0, MAX_RESULTS),
      ...resultsOf(documents).map((hit) => toDocumentCommandPaletteEntry(hit, documentQuery!)),
    ],
    documentPages: documents.data?.total,
    isStale: sources.some(([, { isFetching }]) => isFetching),
    failures: sources.flatMap(([source, { error, isFetching, refetch }]) =>
      error && !isFetching ? { source, error, retry: () => void refetch() } : [],
    ),
  }
}

function resultsOf<T>({ data, isPlaceholderData }: UseQueryResult<{ readonly results: readonly T[] }>): readonly T[] {
  return data === undefined || isPlaceholderData ? [] : data.results
}
