import { phraseOf } from '#contract/documents/document-words.ts'
import { acceptedBound, acceptedNode, archivedAsked } from '#contract/report/report-filter.ts'
import type { DateRange, ListFilter, MoneyRange } from '#contract/report/report-param-kinds.ts'
import {
  activeReportFilters,
  EXPRESSION_PARAMS,
  NO_LABEL,
  NOT_PURSUED,
  type ReportParamName,
  type ReportSearch,
} from '#contract/report/report-params.ts'
import type { SearchNode } from '#contract/search/search-grammar.ts'
import { provinceNamed } from '#contract/thai/province.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import { projectsHolding } from '#server/report/deep/deep-hits.ts'
import { packedDay } from '#server/report/packed-row.ts'
import { bidStateAt, CHANGE_CODES, changesSince } from './change-codes.ts'
import { factsOf } from './held-matches.ts'
import type { Pursued } from './kept-pursuits.ts'
import { placeOfRow } from './match-set.ts'
import { BINS_BITS, type CountedDay, FACT, FACTS_A_ROW, type MoneyColumn, NO_DAY } from './project-columns.ts'
import { projectKey } from './project-key.ts'
import type { Question } from './question.ts'
import type { Worded } from './shared-values.ts'
import type { SearchedText } from './word-sets.ts'

/** Marks a match that fails several conditions. Safe because there are far fewer than 255 filters. */
const SEVERAL = 255
/** 1 to 2 ms per filter between yields to the event loop. */
const MATCHES_A_TURN = 200_000

export type FailureMasks = {
  /** Per match: 0 if it passes all conditions, i + 1 if it fails only condition i, `SEVERAL` if it fails more. */
  readonly failed: Uint8Array
  /** 1 for matches excluded from the report, such as hidden ones unless the search includes them. */
  readonly isOut: Uint8Array
  /** Cheap conditions first, then text searches, in the order of `filterConditions`. */
  readonly names: readonly ReportParamName[]
  /** Indexes of matches that pass all conditions, ascending. */
  readonly passing: Int32Array
  /** Per condition, ascending indexes of matches that fail only it. */
  readonly alone: readonly Int32Array[]
}

type Passes = (question: Question) => Uint8Array | Promise<Uint8Array>

function rowsWhere({ tab: { rows } }: Question, test: (row: number) => boolean): Uint8Array {
  const passing = new Uint8Array(rows.length)
  for (let at = 0; at < rows.length; at += 1) if (test(rows[at]!)) passing[at] = 1
  return passing
}

/** `at` is the offset of a match's facts. */
function factsWhere({ tab, columns }: Question, test: (facts: Int32Array, at: number) => boolean): Uint8Array {
  const facts = factsOf(tab, columns)
  const passing = new Uint8Array(tab.rows.length)
  for (let place = 0; place < passing.length; place += 1) if (test(facts, place * FACTS_A_ROW)) passing[place] = 1
  return passing
}

function placesIn({ tab: { rows } }: Question, lists: readonly Int32Array[], negated = false): Uint8Array {
  const passing = new Uint8Array(rows.length).fill(negated ? 1 : 0)
  for (const places of lists) for (const place of places) passing[place] = negated ? 0 : 1
  return passing
}

const listed =
  (filter: ListFilter, name: Worded): Passes =>
  (question) => {
    const { kinds } = question.columns
    const asked = filter.negated ? 0 : 1
    const wanted = Uint8Array.from(kinds.values[name], (value) => Number(filter.values.includes(value)))
    const valueOfKind = kinds.valueOf[name]
    return factsWhere(question, (facts, at) => wanted[valueOfKind[facts[at + FACT.kind]!]!] === asked)
  }

const inProvinces =
  (filter: ListFilter, shift: number): Passes =>
  (question) => {
    // Code 0 (unknown) matches no list.
    const wanted = new Uint8Array(128)
    for (const name of filter.values) {
      const code = provinceNamed(name)?.code
      if (code !== undefined) wanted[code] = 1
    }
    const asked = filter.negated ? 0 : 1
    return factsWhere(
      question,
      (facts, at) => wanted[(facts[at + FACT.provincesAndBins]! >>> (BINS_BITS + shift)) & 127] === asked,
    )
  }

const inMoney =
  ({ min, max }: MoneyRange, column: MoneyColumn): Passes =>
  (question) => {
    const from = min === null ? Number.NEGATIVE_INFINITY : Math.round(min * 100)
    const to = max === null ? Number.POSITIVE_INFINITY : Math.round(max * 100)
    const amounts = question.columns.money[column]
    // Unknown amounts are NaN and match no range.
    return rowsWhere(question, (row) => amounts[row]! >= from && amounts[row]! <= to)
  }

const inDays =
  ({ from, to }: DateRange, column: CountedDay): Passes =>
  (question) => {
    const bound = (text: string) => packedDay(acceptedBound(text, question.today))
    const first = from === null ? NO_DAY + 1 : bound(from)
    const last = to === null ? Number.MAX_SAFE_INTEGER : bound(to)
    const own = FACT[column]
    return factsWhere(question, (facts, at) => facts[at + own]! >= first && facts[at + own]! <= last)
  }

/**
 * Few matches have a stage, owner or team label, so only those are visited. `told` returns a match's values; an empty
 * list counts as `NOT_PURSUED`.
 */
const pursuedBy =
  ({ values, negated }: ListFilter, told: (pursued: Pursued) => readonly (string | number | null)[]): Passes =>
  ({ tab, pursued }) => {
    const wanted = new Set(values)
    const passes = (of: readonly (string | number | null)[]) =>
      Number((of.length === 0 ? [null] : of).some((value) => wanted.has(String(value ?? NOT_PURSUED))) !== negated)
    const passing = new Uint8Array(tab.rows.length).fill(passes([]))
    for (const each of pursued) passing[each.place] = passes(told(each))
    return passing
  }

const searched =
  (expression: string, texts: readonly SearchedText[]): Passes =>
  ({ words, tab }) =>
    words.find(acceptedNode(expression), texts, tab)

function inDocuments(node: SearchNode, question: Question): Uint8Array {
  const { columns, tab, documents } = question
  if (node.kind === 'term') {
    const passing = new Uint8Array(tab.rows.length)
    for (const id of projectsHolding(documents, phraseOf(node))) {
      const key = projectKey(id)
      const row = key === undefined ? undefined : columns.rowOf(key)
      const place = row === undefined ? -1 : placeOfRow(tab, row)
      if (place !== -1) passing[place] = 1
    }
    return passing
  }
  if (node.kind === 'not') {
    const keep = node.keep && inDocuments(node.keep, question)
    return inDocuments(node.drop, question).map((drop, at) => (keep ? keep[at]! & (drop ^ 1) : drop ^ 1))
  }
  const [first, ...others] = node.parts.map((part) => inDocuments(part, question))
  for (const other of others)
    for (const [at, holds] of other.entries())
      first![at] = node.kind === 'and' ? first![at]! & holds : first![at]! | holds
  return first!
}

const SEARCHED_TEXTS = {
  project_search__in: ['name', 'department', 'winner', 'number'],
  project_name__in: ['name'],
  project_dept_sub__in: ['department'],
  project_winner_name__in: ['winner'],
} as const satisfies Partial<Record<(typeof EXPRESSION_PARAMS)[number], readonly SearchedText[]>>

type PassesOf = { [N in ReportParamName]: ((value: NonNullable<ReportSearch[N]>) => Passes) | 'view' }

const FILTERS: PassesOf = {
  is_archived: 'view',
  project_bidding__in: (filter) => (question) => {
    const { columns } = question
    const today = packedDay(question.today)
    const wanted = new Set<string>(filter.values)
    return rowsWhere(question, (row) => wanted.has(bidStateAt(columns, row, today)) !== filter.negated)
  },
  project_search__in: (expression) => searched(expression, SEARCHED_TEXTS.project_search__in),
  project_name__in: (expression) => searched(expression, SEARCHED_TEXTS.project_name__in),
  project_id__in: (ids) => (question) => {
    const keys = new Set(ids.map(projectKey))
    const { keys: keyOf } = question.columns
    return rowsWhere(question, (row) => keys.has(keyOf[row]!))
  },
  project_dept_sub__in: (expression) => searched(expression, SEARCHED_TEXTS.project_dept_sub__in),
  project_winner_name__in: (expression) => searched(expression, SEARCHED_TEXTS.project_winner_name__in),
  document_text__in: (expression) => (question) => inDocuments(acceptedNode(expression), question),
  ai_deep_search__in: () => (question) => placesIn(question, [question.meant!.places]),
  // Handled by `ai_deep_search__in`.
  ai_deep_from: 'view',
  project_change_status__in: (filter) => {
    const wanted = Uint8Array.from([0, ...CHANGE_CODES], (code) =>
      Number(filter.values.includes(String(code)) !== filter.negated),
    )
    return ({ changes }) => changes.map((change) => wanted[change]!)
  },
  project_status__in: (filter) => listed(filter, 'status'),
  project_movement__in: (filter) => listed(filter, 'movement'),
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
  ends_within: (days) => (question) => {
    const { contractEnds } = question.columns
    const today = packedDay(question.today)
    return rowsWhere(question, (row) => contractEnds.nextOf(row, today) <= today + days)
  },
  project_method__in: (filter) => listed(filter, 'method'),
  project_method_type__in: (filter) => listed(filter, 'methodType'),
  project_criteria_for_consideration: (filter) => listed(filter, 'criteria'),
  check_sme: () => (question) => {
    const { isSme } = question.columns.kinds
    return factsWhere(question, (facts, at) => isSme[facts[at]!] === 1)
  },
  project_bookmark: () => (question) => placesIn(question, [question.bookmarked]),
  project_label__in: (filter) => (question) => {
    const { labels, labelled } = question
    const wanted = filter.values.flatMap((label) => labels.get(label) ?? [])
    if (!filter.values.includes(NO_LABEL)) return placesIn(question, wanted, filter.negated)
    const passing = placesIn(question, [labelled], true)
    for (const places of wanted) for (const place of places) passing[place] = 1
    return filter.negated ? passing.map((passes) => passes ^ 1) : passing
  },
  project_hidden: () => (question) => placesIn(question, [question.hidden]),
  project_since_visit: () => changesSince,
  team_label__in: (filter) => pursuedBy(filter, ({ labels }) => labels),
  pursuit_stage__in: (filter) => pursuedBy(filter, ({ stage }) => [stage]),
  pursuit_owner__in: (filter) => pursuedBy(filter, ({ owner }) => [owner]),
  pursuit_has_notes: () => (question) => {
    const noted = question.pursued.filter(({ notes }) => notes > 0)
    return placesIn(question, [Int32Array.from(noted, ({ place }) => place)])
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

const isText = (name: ReportParamName) => (EXPRESSION_PARAMS as readonly ReportParamName[]).includes(name)

function noteFailures(failed: Uint8Array, passing: Uint8Array, condition: number): void {
  for (let at = 0; at < failed.length; at += 1)
    if (passing[at] === 0) failed[at] = failed[at] === 0 ? condition : SEVERAL
}

export async function failureMasks(question: Question): Promise<FailureMasks> {
  const { search, tab, hidden } = question
  const failed = new Uint8Array(tab.rows.length)
  const isOut = new Uint8Array(tab.rows.length)
  if (!search.project_hidden) for (const place of hidden) isOut[place] = 1
  const active = activeReportFilters(search)
  const names = [...active.filter((name) => !isText(name)), ...active.filter(isText)]
  for (const [i, name] of names.entries()) {
    const filter = FILTERS[name]
    if (filter === 'view') throw new Error(`${name} is no filter`)
    // The catalogue ties name to value type; TypeScript cannot follow that through the lookup.
    const passing = await (filter as (value: unknown) => Passes)(search[name])(question)
    noteFailures(failed, passing, i + 1)
    if (name === 'ends_within' && archivedAsked(search) === undefined) leaveOutDelivered(question, passing, isOut)
    if (failed.length * (i + 1) >= MATCHES_A_TURN) await yieldToEventLoop()
  }
  return { failed, isOut, names, ...sortedOut(failed, isOut, names.length) }
}

/**
 * With the `ends_within` filter alone, archived work belongs to the report only if one of its contracts ends in the
 * window.
 */
function leaveOutDelivered({ tab, columns: { kind, kinds } }: Question, passing: Uint8Array, isOut: Uint8Array): void {
  for (let at = 0; at < isOut.length; at += 1)
    if (passing[at] === 0 && kinds.isArchived[kind[tab.rows[at]!]!] === 1) isOut[at] = 1
}

/** Collects matches that pass or fail exactly one condition; all others count nowhere. */
function sortedOut(failed: Uint8Array, isOut: Uint8Array, conditions: number): Pick<FailureMasks, 'passing' | 'alone'> {
  // List 0 has matches that pass; list i + 1 those that fail only condition i.
  const sizes = new Uint32Array(conditions + 1)
  const isCounted = (at: number) => failed[at] !== SEVERAL && isOut[at] === 0
  for (let at = 0; at < failed.length; at += 1) if (isCounted(at)) sizes[failed[at]!]! += 1
  const lists = Array.from(sizes, (size) => new Int32Array(size))
  sizes.fill(0)
  for (let at = 0; at < failed.length; at += 1) {
    if (!isCounted(at)) continue
    const list = failed[at]!
    lists[list]![sizes[list]!++] = at
  }
  return { passing: lists[0]!, alone: lists.slice(1) }
}
