import { getFoldedPhrase } from '#contract/documents/document-search-expression.ts'
import {
  getArchivedScope,
  parseSearchExpressionOrThrow,
  resolveDateBoundOrThrow,
} from '#contract/report/report-filter.ts'
import type { DateRange, ListFilter, MoneyRange } from '#contract/report/report-param-kinds.ts'
import {
  getActiveReportFilters,
  NO_LABEL_VALUE,
  NOT_PURSUED_VALUE,
  REPORT_EXPRESSION_PARAMS,
  type ReportParamName,
  type ReportSearch,
} from '#contract/report/report-params.ts'
import type { SearchNode } from '#contract/search/search-grammar.ts'
import { findProvinceByName } from '#contract/thai/province.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import { getProjectsWithPhrase } from '#server/report/deep/deep-search-hits.ts'
import { toPackedDay } from '#server/report/packed-row.ts'
import { getProjectFactsOfReportTab } from './cached-matches.ts'
import { CHANGE_STATUS_CODES, flagMatchesChangedSinceReportVisit, getBidStateAtRow } from './change-codes.ts'
import type { InMemoryReportQuery } from './in-memory-report-query.ts'
import { findRowPosition } from './match-set.ts'
import {
  type CountedDayColumn,
  FACTS_PER_PROJECT,
  MONEY_BINS_BITS,
  type MoneyColumn,
  NO_DAY,
  PROJECT_FACT_OFFSETS,
} from './project-columns.ts'
import { encodeProjectKey } from './project-key.ts'
import type { PursuedProject } from './pursuit-cache.ts'
import type { SharedValueField } from './shared-values.ts'
import type { SearchedTextField } from './term-occurrence-cache.ts'

/**
 * Marks a match that fails several conditions. Cannot collide with a condition number, because there are far fewer than
 * 255 filters.
 */
const FAILS_SEVERAL = 255
/** Matches tested before yielding to the event loop: 1 to 2 ms of work per filter. */
const MATCHES_PER_SLICE = 200_000

export type FailedFilterConditions = {
  /** Per match: 0 if it passes all conditions, i + 1 if it fails only condition i, `FAILS_SEVERAL` if it fails more. */
  readonly failed: Uint8Array
  /** 1 for matches excluded from the report, such as hidden ones unless the search includes them. */
  readonly isOut: Uint8Array
  /** Conditions in evaluation order: cheap ones first, then text searches, as in `buildReportFilterConditions`. */
  readonly names: readonly ReportParamName[]
  readonly passing: Int32Array
  readonly failingOnly: readonly Int32Array[]
}

type FilterTest = (query: InMemoryReportQuery) => Uint8Array | Promise<Uint8Array>

function rowsWhere({ tab: { rows } }: InMemoryReportQuery, test: (row: number) => boolean): Uint8Array {
  const passing = new Uint8Array(rows.length)
  for (let at = 0; at < rows.length; at += 1) if (test(rows[at]!)) passing[at] = 1
  return passing
}

function factsWhere(
  { tab, columns }: InMemoryReportQuery,
  test: (facts: Int32Array, at: number) => boolean,
): Uint8Array {
  const facts = getProjectFactsOfReportTab(tab, columns)
  const passing = new Uint8Array(tab.rows.length)
  for (let position = 0; position < passing.length; position += 1)
    if (test(facts, position * FACTS_PER_PROJECT)) passing[position] = 1
  return passing
}

function positionsIn(
  { tab: { rows } }: InMemoryReportQuery,
  lists: readonly Int32Array[],
  negated = false,
): Uint8Array {
  const passing = new Uint8Array(rows.length).fill(negated ? 1 : 0)
  for (const positions of lists) for (const position of positions) passing[position] = negated ? 0 : 1
  return passing
}

const inList =
  (filter: ListFilter, name: SharedValueField): FilterTest =>
  (query) => {
    const { kinds } = query.columns
    const expected = filter.negated ? 0 : 1
    const isListed = Uint8Array.from(kinds.values[name], (value) => Number(filter.values.includes(value)))
    const valueOfKind = kinds.valueOf[name]
    return factsWhere(query, (facts, at) => isListed[valueOfKind[facts[at + PROJECT_FACT_OFFSETS.kind]!]!] === expected)
  }

const inProvinces =
  (filter: ListFilter, shift: number): FilterTest =>
  (query) => {
    // Code 0 means unknown and is never listed, so such rows fail the filter.
    const isListed = new Uint8Array(128)
    for (const name of filter.values) {
      const code = findProvinceByName(name)?.code
      if (code !== undefined) isListed[code] = 1
    }
    const expected = filter.negated ? 0 : 1
    return factsWhere(
      query,
      (facts, at) =>
        isListed[(facts[at + PROJECT_FACT_OFFSETS.provincesAndBins]! >>> (MONEY_BINS_BITS + shift)) & 127] === expected,
    )
  }

const inMoney =
  ({ min, max }: MoneyRange, column: MoneyColumn): FilterTest =>
  (query) => {
    const from = min === null ? Number.NEGATIVE_INFINITY : Math.round(min * 100)
    const to = max === null ? Number.POSITIVE_INFINITY : Math.round(max * 100)
    const amounts = query.columns.money[column]
    // Unknown amounts are NaN and match no range.
    return rowsWhere(query, (row) => amounts[row]! >= from && amounts[row]! <= to)
  }

const inDays =
  ({ from, to }: DateRange, column: CountedDayColumn): FilterTest =>
  (query) => {
    const bound = (text: string) => toPackedDay(resolveDateBoundOrThrow(text, query.today))
    const first = from === null ? NO_DAY + 1 : bound(from)
    const last = to === null ? Number.MAX_SAFE_INTEGER : bound(to)
    const offset = PROJECT_FACT_OFFSETS[column]
    return factsWhere(query, (facts, at) => facts[at + offset]! >= first && facts[at + offset]! <= last)
  }

/**
 * Few matches have a stage, owner or team label, so only those are visited. `valuesOf` returns the values of a match;
 * an empty list counts as `NOT_PURSUED_VALUE`.
 */
const pursuedBy =
  (
    { values, negated }: ListFilter,
    valuesOf: (pursued: PursuedProject) => readonly (string | number | null)[],
  ): FilterTest =>
  ({ tab, pursued }) => {
    const selected = new Set(values)
    const passes = (of: readonly (string | number | null)[]) =>
      Number(
        (of.length === 0 ? [null] : of).some((value) => selected.has(String(value ?? NOT_PURSUED_VALUE))) !== negated,
      )
    const passing = new Uint8Array(tab.rows.length).fill(passes([]))
    for (const project of pursued) passing[project.position] = passes(valuesOf(project))
    return passing
  }

const searched =
  (expression: string, texts: readonly SearchedTextField[]): FilterTest =>
  ({ words, tab }) =>
    words.find(parseSearchExpressionOrThrow(expression), texts, tab)

function inDocuments(node: SearchNode, query: InMemoryReportQuery): Uint8Array {
  const { columns, tab, documents } = query
  if (node.kind === 'term') {
    const passing = new Uint8Array(tab.rows.length)
    for (const id of getProjectsWithPhrase(documents, getFoldedPhrase(node))) {
      const key = encodeProjectKey(id)
      const row = key === undefined ? undefined : columns.rowOf(key)
      const position = row === undefined ? -1 : findRowPosition(tab, row)
      if (position !== -1) passing[position] = 1
    }
    return passing
  }
  if (node.kind === 'not') {
    const keep = node.keep && inDocuments(node.keep, query)
    return inDocuments(node.drop, query).map((drop, at) => (keep ? keep[at]! & (drop ^ 1) : drop ^ 1))
  }
  const [first, ...otherResults] = node.parts.map((part) => inDocuments(part, query))
  for (const otherPassing of otherResults)
    for (const [at, passes] of otherPassing.entries())
      first![at] = node.kind === 'and' ? first![at]! & passes : first![at]! | passes
  return first!
}

const SEARCHED_TEXTS = {
  project_search__in: ['name', 'department', 'winner', 'number'],
  project_name__in: ['name'],
  project_dept_sub__in: ['department'],
  project_winner_name__in: ['winner'],
} as const satisfies Partial<Record<(typeof REPORT_EXPRESSION_PARAMS)[number], readonly SearchedTextField[]>>

type FilterTests = { [N in ReportParamName]: ((value: NonNullable<ReportSearch[N]>) => FilterTest) | 'view' }

const FILTERS: FilterTests = {
  is_archived: 'view',
  project_bidding__in: (filter) => (query) => {
    const { columns } = query
    const today = toPackedDay(query.today)
    const selected = new Set<string>(filter.values)
    return rowsWhere(query, (row) => selected.has(getBidStateAtRow(columns, row, today)) !== filter.negated)
  },
  project_search__in: (expression) => searched(expression, SEARCHED_TEXTS.project_search__in),
  project_name__in: (expression) => searched(expression, SEARCHED_TEXTS.project_name__in),
  project_id__in: (ids) => (query) => {
    const keys = new Set(ids.map(encodeProjectKey))
    const { keys: keyOf } = query.columns
    return rowsWhere(query, (row) => keys.has(keyOf[row]!))
  },
  project_dept_sub__in: (expression) => searched(expression, SEARCHED_TEXTS.project_dept_sub__in),
  project_winner_name__in: (expression) => searched(expression, SEARCHED_TEXTS.project_winner_name__in),
  document_text__in: (expression) => (query) => inDocuments(parseSearchExpressionOrThrow(expression), query),
  ai_deep_search__in: () => (query) => positionsIn(query, [query.deepMatches!.positions]),
  ai_deep_from: 'view',
  project_change_status__in: (filter) => {
    const isSelected = Uint8Array.from([0, ...CHANGE_STATUS_CODES], (code) =>
      Number(filter.values.includes(String(code)) !== filter.negated),
    )
    return ({ changes }) => changes.map((change) => isSelected[change]!)
  },
  project_status__in: (filter) => inList(filter, 'status'),
  project_movement__in: (filter) => inList(filter, 'movement'),
  project_budget__range: (range) => inMoney(range, 'budget'),
  project_estimate_budget__range: (range) => inMoney(range, 'estimate'),
  project_winner_budget__range: (range) => inMoney(range, 'winner'),
  project_province__in: (filter) => inProvinces(filter, 7),
  project_province_dept_sub__in: (filter) => inProvinces(filter, 0),
  draft_published_date__range: (range) => inDays(range, 'draftPublishedOn'),
  draft_discussion_end_date__range: (range) => inDays(range, 'discussionEndsOn'),
  bidding_invite_date__range: (range) => inDays(range, 'invitedOn'),
  submission_end_date__range: (range) => inDays(range, 'submissionEndsOn'),
  winner_announce_date__range: (range) => inDays(range, 'announcedOn'),
  ends_within: (days) => (query) => {
    const { contractEnds } = query.columns
    const today = toPackedDay(query.today)
    return rowsWhere(query, (row) => contractEnds.nextOf(row, today) <= today + days)
  },
  project_method__in: (filter) => inList(filter, 'method'),
  project_method_type__in: (filter) => inList(filter, 'methodType'),
  project_criteria_for_consideration: (filter) => inList(filter, 'criteria'),
  check_sme: () => (query) => {
    const { isSme } = query.columns.kinds
    return factsWhere(query, (facts, at) => isSme[facts[at]!] === 1)
  },
  project_bookmark: () => (query) => positionsIn(query, [query.bookmarked]),
  project_label__in: (filter) => (query) => {
    const { labels, labelled } = query
    const labelPositions = filter.values.flatMap((label) => labels.get(label) ?? [])
    if (!filter.values.includes(NO_LABEL_VALUE)) return positionsIn(query, labelPositions, filter.negated)
    const passing = positionsIn(query, [labelled], true)
    for (const positions of labelPositions) for (const position of positions) passing[position] = 1
    return filter.negated ? passing.map((passes) => passes ^ 1) : passing
  },
  project_hidden: () => (query) => positionsIn(query, [query.hidden]),
  project_since_visit: () => flagMatchesChangedSinceReportVisit,
  team_label__in: (filter) => pursuedBy(filter, ({ labels }) => labels),
  pursuit_stage__in: (filter) => pursuedBy(filter, ({ stage }) => [stage]),
  pursuit_owner__in: (filter) => pursuedBy(filter, ({ owner }) => [owner]),
  pursuit_has_notes: () => (query) => {
    const noted = query.pursued.filter(({ notes }) => notes > 0)
    return positionsIn(query, [Int32Array.from(noted, ({ position }) => position)])
  },
  ordering: 'view',
  page: 'view',
  page_size: 'view',
  saved: 'view',
  peek: 'view',
  queue: 'view',
  view: 'view',
  market: 'view',
  rank: 'view',
  rows: 'view',
}

const isText = (name: ReportParamName) => (REPORT_EXPRESSION_PARAMS as readonly ReportParamName[]).includes(name)

function recordFailures(failed: Uint8Array, passing: Uint8Array, condition: number): void {
  for (let at = 0; at < failed.length; at += 1)
    if (passing[at] === 0) failed[at] = failed[at] === 0 ? condition : FAILS_SEVERAL
}

export async function computeFailedFilterConditions(query: InMemoryReportQuery): Promise<FailedFilterConditions> {
  const { search, tab, hidden } = query
  const failed = new Uint8Array(tab.rows.length)
  const isOut = new Uint8Array(tab.rows.length)
  if (!search.project_hidden) for (const position of hidden) isOut[position] = 1
  const active = getActiveReportFilters(search)
  const names = [...active.filter((name) => !isText(name)), ...active.filter(isText)]
  for (const [i, name] of names.entries()) {
    const filter = FILTERS[name]
    if (filter === 'view') throw new Error(`${name} is not a filter`)
    // The catalogue ties each name to its value type, but TypeScript cannot follow that through the lookup.
    const passing = await (filter as (value: unknown) => FilterTest)(search[name])(query)
    recordFailures(failed, passing, i + 1)
    if (name === 'ends_within' && getArchivedScope(search) === undefined)
      excludeArchivedNotEnding(query, passing, isOut)
    if (failed.length * (i + 1) >= MATCHES_PER_SLICE) await yieldToEventLoop()
  }
  return { failed, isOut, names, ...groupByFailure(failed, isOut, names.length) }
}

/**
 * When the `ends_within` filter is the only reason to include archived work, excludes archived work without a contract
 * that ends in the window.
 */
function excludeArchivedNotEnding(
  { tab, columns: { kind, kinds } }: InMemoryReportQuery,
  passing: Uint8Array,
  isOut: Uint8Array,
): void {
  for (let at = 0; at < isOut.length; at += 1)
    if (passing[at] === 0 && kinds.isArchived[kind[tab.rows[at]!]!] === 1) isOut[at] = 1
}

function groupByFailure(
  failed: Uint8Array,
  isOut: Uint8Array,
  conditions: number,
): Pick<FailedFilterConditions, 'passing' | 'failingOnly'> {
  // List 0 contains the matches that pass; list i + 1 those that fail only condition i.
  const sizes = new Uint32Array(conditions + 1)
  const isCounted = (at: number) => failed[at] !== FAILS_SEVERAL && isOut[at] === 0
  for (let at = 0; at < failed.length; at += 1) if (isCounted(at)) sizes[failed[at]!]! += 1
  const lists = Array.from(sizes, (size) => new Int32Array(size))
  sizes.fill(0)
  for (let at = 0; at < failed.length; at += 1) {
    if (!isCounted(at)) continue
    const list = failed[at]!
    lists[list]![sizes[list]!++] = at
  }
  return { passing: lists[0]!, failingOnly: lists.slice(1) }
}
