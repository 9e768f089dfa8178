import { expect, test } from 'vitest'
import { EMPTY_QUALIFICATIONS, type Qualifications } from '#contract/account/qualification.ts'
import type { FacetOption } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { SemanticSearchResults } from '#server/report/deep/semantic-search-hits.ts'
import { getEligibilityTable } from '#server/report/eligibility/eligibility-table.ts'
import { REPORT_FILTER_SET } from '#server/report/filter/report-filters.ts'
import type { FacetCounts } from '#server/report/report-queries.ts'
import {
  countMatchFacets,
  createInMemoryReportQuery,
  filterMatches,
  type InMemoryReportQuery,
} from './in-memory-report-query.ts'
import { TermOccurrenceCache } from './project-cache.ts'
import { ProjectColumns } from './project-columns.ts'
import { createReportTab } from './report-tab.ts'

const TODAY = '2026-11-21'
const TODAY_PACKED = 9_821
/** Number of rows, above the size from which a tab caches its counts. */
const ROWS = 70_000
const STATUSES = ['in_progress', 'contract_created', 'project_cancelled']

/** State of a generator of deterministic pseudo-random numbers. */
let state = 11
const roll = (below: number) => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}
/** Returns a random day. Some days are unknown, and some are centuries ahead, as if written in another calendar. */
const day = () => (roll(4) === 0 ? null : TODAY_PACKED + 40 - roll(90) + (roll(500) === 0 ? 198_326 : 0))
const satang = () => (roll(10) === 0 ? null : roll(1_000_000) * 10_000)

const columns = new ProjectColumns()
columns.addDepartment({ id: 1, name: 'กอง', sub_name: '', province: 10 })
// The last thousand rows are appended out of order: their ids lie between those of earlier rows.
const numberOf = (i: number) => (i < ROWS - 1_000 ? i * 2 : (i - ROWS + 1_000) * 30 + 1)
for (let i = 0; i < ROWS; i += 1)
  columns.put({
    project_id: String(67_000_000_000 + numberOf(i)),
    name_spaced: '',
    department_id: 1,
    project_province: 10 + roll(60),
    status: STATUSES[roll(3)]!,
    movement: 'invited',
    criteria: 'price',
    method: roll(2) === 0 ? 'e_bidding' : 'specific',
    method_type: 'buy',
    is_sme: roll(5) === 0,
    is_archived: false,
    budget_satang: satang(),
    estimate_satang: satang(),
    winner_satang: satang(),
    winner_name: null,
    movement_on: day(),
    draft_published_on: day(),
    draft_discussion_ends_on: day(),
    bidding_invited_on: day(),
    submission_ends_on: day(),
    contract_ends: null,
    winner_announced_on: day(),
  })
const changesOfAll = Uint8Array.from({ length: ROWS }, () => roll(3))

function questionAbout(
  rows: Int32Array,
  search: ReportSearch,
  hiddenRows: readonly number[],
  deep: SemanticSearchResults = new Map(),
): InMemoryReportQuery {
  const none = new Int32Array(rows.length)
  const lists = { rows, firstLoads: none, changedLoads: none, words: none }
  const changes = Uint8Array.from(rows, (row) => changesOfAll[row]!)
  const tab = { ...createReportTab(columns, lists, { latest: null, today: TODAY_PACKED }), changes }
  const hidden = Int32Array.from(hiddenRows.flatMap((row) => (rows.includes(row) ? [rows.indexOf(row)] : [])))
  const marks = { hidden, bookmarked: new Int32Array(0), labels: new Map(), labelled: new Int32Array(0) }
  const scope = { organisationId: 1, userId: 1, today: TODAY, deep, eligibility: getEligibilityTable(BIDDER, TODAY) }
  const words = new TermOccurrenceCache(columns)
  return createInMemoryReportQuery(search, scope, { filters: REPORT_FILTER_SET, tab, words, marks, pursued: [] })
}

const BIDDER: Qualifications = {
  ...EMPTY_QUALIFICATIONS,
  bidder_kind: 'company',
  net_worth: -1,
  credit_line: 1_000_000,
}
const rows = Int32Array.from({ length: ROWS - 5 }, (_, index) => index + 5)
const HALF = 35_000
const HIDDEN = [7, 400, 69_999]
const SEARCHES: Readonly<Record<string, ReportSearch>> = {
  'no filter': {},
  'one filter that few fail': { project_budget__range: { min: 100, max: null } },
  'one filter that most fail': { project_province__in: { values: ['กรุงเทพมหานคร', 'นนทบุรี'], negated: false } },
  'two filters': {
    project_province__in: { values: ['กรุงเทพมหานคร'], negated: true },
    project_status__in: { values: ['in_progress'], negated: false },
  },
  'a verdict about the bidder': { project_eligibility__in: { values: ['blocked'], negated: true } },
  'a filter that no facet counts': { project_since_visit: true, check_sme: true },
  'what nothing passes': { project_method__in: { values: ['e_market'], negated: false } },
}

const flat = (counts: FacetCounts): Map<string, number> => {
  const flattened = new Map<string, number>()
  const add = (name: string, options: readonly FacetOption[]) => {
    for (const { value, count } of options) flattened.set(`${name} ${value}`, count)
  }
  for (const part of [counts.options, counts.dates])
    for (const [name, options] of Object.entries(part)) add(name, options)
  for (const [name, bins] of Object.entries(counts.bins))
    add(
      name,
      bins.map((count, bin) => ({ value: String(bin), count })),
    )
  return flattened
}

test.each(Object.entries(SEARCHES))('%s: the counts of a large tab equal the sums of its parts', async (_, search) => {
  const countsOf = async (some: Int32Array) => {
    const question = questionAbout(some, search, HIDDEN)
    return flat(await countMatchFacets(question, await filterMatches(question, { withFailing: true })))
  }
  const [total, ...parts] = [
    await countsOf(rows),
    await countsOf(rows.slice(0, HALF)),
    await countsOf(rows.slice(HALF)),
  ] as const
  const sums = new Map<string, number>()
  for (const part of parts) for (const [key, count] of part) sums.set(key, (sums.get(key) ?? 0) + count)
  expect(Object.fromEntries(total)).toEqual(Object.fromEntries(sums))
  expect(total.size).toBeGreaterThan(50)
})

test('caches the scores of a search by meaning only if it has many hits', () => {
  const hitsOf = (count: number) =>
    new Map(
      Array.from({ length: count }, (_, i) => [String(67_000_000_000 + numberOf(i)), { score: 0.5, phrases: [] }]),
    )
  const scoresOf = (hits: ReturnType<typeof hitsOf>) =>
    questionAbout(rows, { ai_deep_search__in: ['กล้อง'] }, [], new Map([['กล้อง', hits]])).similarities!
  const [few, many] = [hitsOf(3), hitsOf(HALF)]
  expect(scoresOf(few)).not.toBe(scoresOf(few))
  expect(scoresOf(many)).toBe(scoresOf(many))
  for (const hits of [few, many]) expect(scoresOf(hits).filter((score) => score === 50)).toHaveLength(hits.size)
})
