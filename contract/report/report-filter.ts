import { getBidState } from '../catalogue/bid-state.ts'
import { formatDepartmentName } from '../catalogue/format-department-name.ts'
import { matchesDocumentText } from '../documents/document-search-expression.ts'
import { parseSearchExpression, type SearchNode } from '../search/search-grammar.ts'
import { matchesSearch, matchesSearchInAnyText } from '../search/search-match.ts'
import { addDays, resolveDateBound } from '../thai/thai-date.ts'
import type { ReportRow } from './report.ts'
import type { DateRange, ListFilter, MoneyRange } from './report-param-kinds.ts'
import {
  NO_LABEL_VALUE,
  NOT_PURSUED_VALUE,
  REPORT_PARAMS,
  type ReportParamName,
  type ReportSearch,
} from './report-params.ts'

/**
 * Reference implementation of the report filters for a single row. A conformance test verifies that the server's SQL
 * matches it; emails, saved filters and previews use it for decisions about one project.
 *
 * An unknown value matches no list and no range, and passes every "is not".
 */
export type ReportFilterContext = {
  readonly today: string
  readonly bookmarks: ReadonlySet<string>
  readonly labels: ReadonlyMap<string, readonly string[]>
  readonly teamLabels: ReadonlyMap<string, readonly string[]>
  readonly hidden: ReadonlySet<string>
  /** Ids of projects added or changed by a load published after the user's previous visit. */
  readonly sinceVisit: ReadonlySet<string>
  /**
   * Tests a name against a value of `ai_deep_search__in`. Injected because only the server's model can interpret the
   * value.
   */
  readonly isMeant: (sentence: string, name: string) => boolean
  /**
   * Tests whether a stored document of the project contains a folded phrase. Injected because only the server has the
   * text.
   */
  readonly isInDocuments: (phrase: string, projectId: string) => boolean
}

type RowTest = (row: ReportRow, context: ReportFilterContext) => boolean
type FilterTests = { [N in ReportParamName]: (value: NonNullable<ReportSearch[N]>) => RowTest }

const always: RowTest = () => true

type Winners = { readonly winner_name: string | null; readonly other_winners?: readonly string[] | undefined }

const winnersOf = ({ winner_name: mainWinner, other_winners: otherWinners = [] }: Winners) => [
  mainWinner ?? '',
  ...otherWinners,
]

export function parseSearchExpressionOrThrow(expression: string): SearchNode {
  const parsed = parseSearchExpression(expression)
  if (!parsed.ok) throw new Error(`Not a search expression: ${parsed.error.code} at ${parsed.error.position}`)
  return parsed.node
}

export function resolveDateBoundOrThrow(bound: string, today: string): string {
  const date = resolveDateBound(bound, today)
  if (date === undefined) throw new Error(`Not a date bound: ${bound}`)
  return date
}

const byExpression = (textOf: (row: ReportRow) => string) => (expression: string) => {
  const node = parseSearchExpressionOrThrow(expression)
  return (row: ReportRow) => matchesSearch(node, textOf(row))
}

const byList = (fieldOf: (row: ReportRow) => string | null) => (filter: ListFilter) => {
  const values = new Set(filter.values)
  return (row: ReportRow) => {
    const value = fieldOf(row)
    return (value !== null && values.has(value)) !== filter.negated
  }
}

const byPursuit = (fieldOf: (row: ReportRow) => string | number | null | undefined) => (filter: ListFilter) => {
  const values = new Set(filter.values)
  return (row: ReportRow) => values.has(String(fieldOf(row) ?? NOT_PURSUED_VALUE)) !== filter.negated
}

const byLabels =
  (labelsOf: (context: ReportFilterContext) => ReadonlyMap<string, readonly string[]>) =>
  (filter: ListFilter): RowTest => {
    const values = new Set(filter.values)
    return (row, context) => {
      const labels = labelsOf(context).get(row.project_id) ?? []
      const isMatch = labels.length === 0 ? values.has(NO_LABEL_VALUE) : labels.some((label) => values.has(label))
      return isMatch !== filter.negated
    }
  }

const satang = (baht: number) => Math.round(baht * 100)

const byMoney = (fieldOf: (row: ReportRow) => number | null) => (range: MoneyRange) => (row: ReportRow) => {
  const value = fieldOf(row)
  if (value === null) return false
  const { min, max } = range
  return (min === null || satang(value) >= satang(min)) && (max === null || satang(value) <= satang(max))
}

const byDate =
  (fieldOf: (row: ReportRow) => string | null) =>
  (range: DateRange): RowTest =>
  (row, { today }) => {
    const value = fieldOf(row)
    if (value === null) return false
    const { from, to } = range
    return (
      (from === null || value >= resolveDateBoundOrThrow(from, today)) &&
      (to === null || value <= resolveDateBoundOrThrow(to, today))
    )
  }

const TESTS: FilterTests = {
  // This test always passes, because compileReportMatcher applies the tab, which defaults to active projects.
  is_archived: () => always,
  project_bidding__in: (filter) => {
    const states = new Set(filter.values)
    return (row, { today }) => states.has(getBidState(row, today)) !== filter.negated
  },
  project_search__in: (expression) => {
    const node = parseSearchExpressionOrThrow(expression)
    return (row) =>
      matchesSearchInAnyText(node, [row.name, row.project_id, formatDepartmentName(row), ...winnersOf(row)])
  },
  project_name__in: byExpression((row) => row.name),
  project_id__in: (ids) => {
    const idSet = new Set(ids)
    return (row) => idSet.has(row.project_id)
  },
  project_dept_sub__in: byExpression(formatDepartmentName),
  project_winner_name__in: (expression) => {
    const node = parseSearchExpressionOrThrow(expression)
    return (row) => matchesSearchInAnyText(node, winnersOf(row))
  },
  document_text__in: (expression) => {
    const node = parseSearchExpressionOrThrow(expression)
    return (row, context) => matchesDocumentText(node, (phrase) => context.isInDocuments(phrase, row.project_id))
  },
  ai_deep_search__in: (sentences) => (row, context) =>
    sentences.some((sentence) => context.isMeant(sentence, row.name)),
  // The test of the minimum similarity always passes: `ai_deep_search__in` applies it, because only that filter has the
  // scores.
  ai_deep_from: () => always,
  project_change_status__in: byList((row) => row.change_status),
  project_status__in: byList((row) => row.status),
  project_movement__in: byList((row) => row.movement),
  project_budget__range: byMoney((row) => row.budget),
  project_estimate_budget__range: byMoney((row) => row.estimate_budget),
  project_winner_budget__range: byMoney((row) => row.winner_budget),
  project_province__in: byList((row) => row.project_province),
  project_province_dept_sub__in: byList((row) => row.dept_province),
  draft_published_date__range: byDate((row) => row.draft_published_date),
  draft_discussion_end_date__range: byDate((row) => row.draft_discussion_end_date),
  bidding_invite_date__range: byDate((row) => row.bidding_invite_date),
  submission_end_date__range: byDate((row) => row.submission_end_date),
  winner_announce_date__range: byDate((row) => row.winner_announce_date),
  ends_within:
    (days) =>
    ({ contract_ends: contractEnds = [] }, { today }) =>
      contractEnds.some((end) => end >= today && end <= addDays(today, days)),
  project_method__in: byList((row) => row.method),
  project_method_type__in: byList((row) => row.method_type),
  project_criteria_for_consideration: byList((row) => row.criteria),
  check_sme: () => (row) => row.is_sme,
  project_bookmark: () => (row, context) => context.bookmarks.has(row.project_id),
  project_label__in: byLabels(({ labels }) => labels),
  // The test for hidden projects always passes, because compileReportMatcher applies this filter; the default is "not
  // hidden".
  project_hidden: () => always,
  project_since_visit: () => (row, context) => context.sinceVisit.has(row.project_id),
  team_label__in: byLabels(({ teamLabels }) => teamLabels),
  pursuit_stage__in: byPursuit((row) => row.pursuit?.stage),
  pursuit_owner__in: byPursuit((row) => row.pursuit?.owner),
  pursuit_has_notes: () => (row) => (row.pursuit?.notes ?? 0) > 0,
  ordering: () => always,
  page: () => always,
  page_size: () => always,
  saved: () => always,
  peek: () => always,
  queue: () => always,
  view: () => always,
  market: () => always,
  rank: () => always,
  rows: () => always,
}

/**
 * Returns whether a search covers delivered work (true), running work (false) or both (undefined). A running contract
 * can be in either tab, because D5 treats it as delivered after 180 days without an announcement. So `ends_within`
 * covers both tabs, or only delivered work with `is_archived`.
 */
export function getArchivedScope({ is_archived: isArchived, ends_within: days }: ReportSearch): boolean | undefined {
  return days !== undefined && !isArchived ? undefined : isArchived === true
}

/**
 * Returns searches that together cover both tabs without overlap. If the search is limited to delivered work, returns
 * only that search.
 */
export function splitSearchByReportTab(search: ReportSearch): ReportSearch[] {
  return getArchivedScope(search) === false ? [search, { ...search, is_archived: true }] : [search]
}

/**
 * Compiles a search into a test for many rows. The test includes the tab (`getArchivedScope`) and the user's hidden
 * projects: with `project_hidden` only hidden projects match, without it none do.
 */
export function compileReportMatcher(search: ReportSearch): RowTest {
  const archived = getArchivedScope(search)
  const hidden = search.project_hidden === true
  const tests: RowTest[] = []
  for (const { name } of REPORT_PARAMS) {
    const value = search[name]
    if (value !== undefined) tests.push((TESTS[name] as (value: unknown) => RowTest)(value))
  }
  return (row, context) =>
    (archived === undefined || row.is_archived === archived) &&
    context.hidden.has(row.project_id) === hidden &&
    tests.every((test) => test(row, context))
}
