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

/** Shown of each kind; the search of the report shows all. */
const MOST_FOUND = 5

/** A question that was answered by a refusal or not at all. */
export type PaletteFailure = { readonly what: string; readonly error: Error; readonly retry: () => void }

export type PaletteFinds = {
  readonly entries: readonly PaletteEntry[]
  /** The answers belong to an older text, or are still on their way. */
  readonly isBehind: boolean
  readonly failures: readonly PaletteFailure[]
  /** Pages of documents in which it stands, 1,000 at most; undefined while it is not known. */
  readonly documentPages: number | undefined
}

/**
 * What the server finds for a text once typing pauses: projects, companies and agencies, each as the package allows. Answers are kept by
 * the text that was asked for, so that an old one never stands for a newer text; a question that nobody waits for is broken off.
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

/** What was answered to this very question: an older answer that is kept for lists to stay drawn is none. */
function answered<T>({ data, isPlaceholderData }: UseQueryResult<{ readonly results: readonly T[] }>): readonly T[] {
  return data === undefined || isPlaceholderData ? [] : data.results
}
