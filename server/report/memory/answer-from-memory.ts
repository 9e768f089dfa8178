import { REPORT_DEFAULT_PAGE_SIZE, type ReportSearch } from '#contract/report/report-params.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import type { FacetCounts } from '#server/report/count-facets.ts'
import type { PersonalCounts } from '#server/report/facet-queries.ts'
import type { FilterToRelax } from '#server/report/filter-to-relax.ts'
import { packedDay } from '#server/report/packed-row.ts'
import type { ReportScope } from '#server/report/queries.ts'
import type { RowFiles, StoredPage } from '#server/report/rows-sql.ts'
import { changesSince } from './change-codes.ts'
import { countEnding, countMarked, countMatches, countPursued } from './count-matches.ts'
import type { FailureMasks } from './failure-masks.ts'
import { countTab } from './held-matches.ts'
import { placeOfRow } from './match-set.ts'
import { pageOfPassing } from './page-order.ts'
import { projectIdOf } from './project-key.ts'
import type { Question } from './question.ts'
import type { Prepared, ReportMemory } from './report-memory.ts'
import { isSameMoment, type OpenedScope, type PickedRow, readPageRows } from './standing.ts'

export type MemoryPage = { readonly stored: StoredPage; readonly filterToRelax: FilterToRelax | undefined }

/** Data changed during the computation, so the result matches no snapshot. */
const MOVED = 'moved'

/** Runs `ask`, retrying once if data changed meanwhile; undefined means fall back to SQL. */
async function upToTwice<T>(
  scope: OpenedScope,
  ask: (scope: OpenedScope) => Promise<T | typeof MOVED | undefined>,
): Promise<T | undefined> {
  const first = await ask(scope)
  const answer = first === MOVED ? await ask({ ...scope, standing: undefined }) : first
  return answer === MOVED ? undefined : answer
}

/** Same result as `loadPage` plus `loadFilterToRelax`; undefined means fall back to SQL. */
export async function pageFromMemory(
  db: Db,
  memory: ReportMemory,
  search: ReportSearch,
  asked: OpenedScope,
  files: RowFiles,
): Promise<MemoryPage | undefined> {
  return await upToTwice(asked, (scope) => pageOf(db, memory, search, scope, files))
}

async function pageOf(
  db: Db,
  memory: ReportMemory,
  search: ReportSearch,
  scope: OpenedScope,
  files: RowFiles,
): Promise<MemoryPage | typeof MOVED | undefined> {
  const prepared = await memory.prepare(search, scope, 'asked')
  if (!prepared) return undefined
  const { question, standing } = prepared
  const { columns, tab, changes } = question
  const failed = await prepared.masks()
  const { passing } = failed
  const size = search.page_size ?? REPORT_DEFAULT_PAGE_SIZE
  const page = pageOfPassing(question, failed, {
    ordering: search.ordering,
    from: ((search.page ?? 1) - 1) * size,
    size,
  })
  const picked = Array.from(page, (row): PickedRow => {
    const place = placeOfRow(tab, row)
    const changedLoad = tab.changedLoads[place]!
    return {
      projectId: projectIdOf(columns.keys[row]!),
      change: changes[place]!,
      words: tab.words[place]!,
      changedLoad,
    }
  })
  const reading = readPageRows(db, scope, standing.latest, { rows: picked, files })
  // Count while the database reads the rows. Either failure rejects.
  const [{ projects, matches, latest, board, ...shown }, counts] = await Promise.all([
    reading,
    yieldToEventLoop().then(() => ({
      total: passing.length,
      total_budget_satang: String(budgetOf(question, failed)),
      since_visit: countSince(question, passing),
      ...countersOf(prepared, scope),
    })),
  ])
  const { meant } = question
  const rowsShown = meant
    ? shown.rows.map((row) => ({ ...row, deep: meant.hits.get(row.project_id) ?? null }))
    : shown.rows
  // The rows were read after the counts; they agree only if nothing was written in between.
  const isSame = isSameMoment({ projects, matches, latest, board }, standing)
  if (!isSame || !prepared.isStill() || shown.rows.length !== picked.length) return MOVED
  return {
    stored: { ...counts, ...shown, rows: rowsShown },
    filterToRelax: passing.length === 0 ? filterToRelax(failed) : undefined,
  }
}

/** Header counters: the whole tab minus hidden projects, regardless of filters. */
function countersOf({ question, held }: Prepared, { today }: ReportScope) {
  const { hidden, columns, tab } = question
  const out = countTab(held, columns, hidden, packedDay(today))
  return {
    all: tab.rows.length - hidden.length,
    new: held.counts.new - out.new,
    updated: held.counts.updated - out.updated,
    discussion_7d: held.counts.comment - out.comment,
    submission_7d: held.counts.closing - out.closing,
    hidden_by_user: hidden.length,
  }
}

const budgets = new WeakMap<FailureMasks, bigint>()
/** Total budget of the passing matches in satang, cached per result set so that every page of a search reuses it. */
function budgetOf({ tab, columns }: Question, failed: FailureMasks): bigint {
  const known = budgets.get(failed)
  if (known !== undefined) return known
  const sum = sumOf(columns.money.budget, tab.rows, failed.passing)
  budgets.set(failed, sum)
  return sum
}

/** Sums exactly with bigint overflow handling; skips unknown (NaN) amounts. */
function sumOf(amounts: Float64Array, rows: Int32Array, places: Int32Array): bigint {
  let [whole, part] = [0n, 0]
  for (let at = 0; at < places.length; at += 1) {
    const amount = amounts[rows[places[at]!]!]!
    if (Number.isNaN(amount)) continue
    if (part > Number.MAX_SAFE_INTEGER - amount) {
      whole += BigInt(part)
      part = 0
    }
    part += amount
  }
  return whole + BigInt(part)
}

function countSince(question: Question, places: Int32Array): number {
  if (!question.visit?.loads.length) return 0
  const changed = changesSince(question)
  let count = 0
  for (let i = 0; i < places.length; i += 1) count += changed[places[i]!]!
  return count
}

/** Returns the filter that most matches fail as their only failure; ties go to the first. */
function filterToRelax({ names, alone }: FailureMasks): FilterToRelax | undefined {
  const total = Math.max(0, ...alone.map(({ length }) => length))
  return total === 0 ? undefined : { parameter: names[alone.findIndex(({ length }) => length === total)]!, total }
}

export type MemoryFacets = { readonly counts: FacetCounts; readonly personal: PersonalCounts }

/** Same result as `countFacets` plus `loadPersonalCounts`; undefined means fall back to SQL. */
export async function facetsFromMemory(
  memory: ReportMemory,
  search: ReportSearch,
  asked: OpenedScope,
): Promise<MemoryFacets | undefined> {
  return await upToTwice(asked, (scope) => facetsOf(memory, search, scope))
}

async function facetsOf(
  memory: ReportMemory,
  search: ReportSearch,
  scope: OpenedScope,
): Promise<MemoryFacets | typeof MOVED | undefined> {
  const prepared = await memory.prepare(search, scope, 'all')
  if (!prepared) return undefined
  const { question, standing } = prepared
  const failed = await prepared.masks()
  const counts = await countMatches(question, failed)
  const labels = [...question.labels].map(([value, places]) => ({
    value,
    count: countMarked(failed, places, 'project_label__in'),
  }))
  const personal = {
    bookmarked: countMarked(failed, question.bookmarked, 'project_bookmark'),
    hidden: countMarked(failed, question.hidden, 'project_hidden', true),
    labelled: countMarked(failed, question.labelled, 'project_label__in'),
    labels: labels.filter(({ count }) => count > 0),
    ...countPursued(failed, question.pursued),
    ending: await countEnding(prepared.ending!),
    max_budget: standing.max_budget,
  }
  return prepared.isStill() ? { counts, personal } : MOVED
}
