import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { normaliseThai } from '#contract/thai/thai-text.ts'
import { departmentsQuery } from '#src/catalogue/api/departments.ts'
import { documentSearchQuery } from '#src/documents/api/documents.ts'
import { useDebouncedText } from '#src/lib/use-debounced-text.ts'
import { companySuggestionsQuery, FEWEST_SIGNS } from '#src/market/api/companies.ts'
import { projectSuggestionsQuery } from '#src/report/api/reports.ts'
import {
  type Account,
  agencyEntry,
  companyEntry,
  documentEntry,
  documentQuestionOf,
  expressionOf,
  hasReport,
  type PaletteEntry,
  projectEntry,
} from './palette-entries.ts'

const MOST_FOUND = 5

export type PaletteFailure = { readonly what: string; readonly error: Error; readonly retry: () => void }

export type PaletteFinds = {
  readonly entries: readonly PaletteEntry[]
  /** Results belong to an older text or are still loading. */
  readonly isBehind: boolean
  readonly failures: readonly PaletteFailure[]
  /** Number of matching document pages, at most 1,000; undefined while unknown. */
  readonly documentPages: number | undefined
}

/**
 * Searches projects, companies, agencies and documents after a typing pause, as far as the package allows. Results are
 * cached by query text, so stale results never appear for a newer text; unused requests are aborted.
 */
export function usePaletteFinds(typed: string, account: Account): PaletteFinds {
  const sought = normaliseThai(typed)
  const debounced = useDebouncedText(sought)
  const isEnough = debounced.length >= FEWEST_SIGNS && sought.length >= FEWEST_SIGNS
  const expression = expressionOf(debounced)
  const canAsk = isEnough && hasReport(account)
  const projects = useQuery({
    ...projectSuggestionsQuery(expression ?? ''),
    enabled: canAsk && expression !== undefined,
  })
  const canCompare = account.organisation.is_company_compare
  const companies = useQuery({ ...companySuggestionsQuery(debounced), enabled: canAsk && canCompare })
  const agencies = useQuery({ ...departmentsQuery({ q: debounced }), enabled: canAsk })
  const question = documentQuestionOf(debounced)
  const documents = useQuery({
    ...documentSearchQuery(undefined, question ?? ''),
    enabled: canAsk && question !== undefined,
  })
  const asked = [
    { what: 'โครงการ', question: projects },
    { what: 'บริษัท', question: companies },
    { what: 'หน่วยงาน', question: agencies },
    { what: 'ในเอกสาร', question: documents },
  ]
  const isLate = debounced !== sought
  if (isLate || !isEnough)
    return { entries: [], isBehind: isLate && sought.length >= FEWEST_SIGNS, failures: [], documentPages: undefined }
  return {
    entries: [
      ...answered(projects).slice(0, MOST_FOUND).map(projectEntry),
      ...answered(companies).slice(0, MOST_FOUND).map(companyEntry),
      ...answered(agencies)
        .flatMap((agency) => agencyEntry(agency, account) ?? [])
        .slice(0, MOST_FOUND),
      ...answered(documents).map((found) => documentEntry(found, question!)),
    ],
    documentPages: documents.data?.total,
    isBehind: asked.some(({ question }) => question.isFetching),
    failures: asked.flatMap(({ what, question }) =>
      question.error && !question.isFetching
        ? { what, error: question.error, retry: () => void question.refetch() }
        : [],
    ),
  }
}

function answered<T>({ data, isPlaceholderData }: UseQueryResult<{ readonly results: readonly T[] }>): readonly T[] {
  return data === undefined || isPlaceholderData ? [] : data.results
}
