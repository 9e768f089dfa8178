import { REPORT_DEFAULT_PAGE_SIZE, type ReportSearch } from '#contract/report/report-params.ts'
import type { Db } from '#server/engine/db.ts'
import { yieldToEventLoop } from '#server/engine/deadline.ts'
import type { FacetCounts } from '../count-facets.ts'
import type { PersonalCounts } from '../facet-queries.ts'
import type { FilterToRelax } from '../filter-to-relax.ts'
import { packedDay } from '../packed-row.ts'
import type { ReportScope } from '../queries.ts'
import type { StoredPage } from '../rows-sql.ts'
import { changesSince } from './change-codes.ts'
import { countMarked, countMatches, placesWith } from './count-matches.ts'
import { type FailureMasks, failureMasks, HIDDEN } from './failure-masks.ts'
import { countTab } from './held-matches.ts'
import { pageOfRows } from './page-order.ts'
import { projectIdOf } from './project-key.ts'
import type { Prepared, ReportMemory } from './report-memory.ts'
import { readPageRows } from './standing.ts'

export type MemoryPage = { readonly stored: StoredPage; readonly filterToRelax: FilterToRelax | undefined }

/** What `loadPage` and `loadFilterToRelax` answer; undefined when they are to be asked. */
export async function pageFromMemory(
  db: Db,
  memory: ReportMemory,
  search: ReportSearch,
  scope: ReportScope,
): Promise<MemoryPage | undefined> {
  const prepared = await memory.prepare(search, scope, 'asked')
  if (!prepared) return undefined
  const { question, standing } = prepared
  const { columns, tab } = question
  const failed = await failureMasks(question)
  const places = await placesWith(failed.masks, 0)
  const size = search.page_size ?? REPORT_DEFAULT_PAGE_SIZE
  const rows = new Int32Array(places.length)
  for (let i = 0; i < places.length; i += 1) rows[i] = tab.rows[places[i]!]!
  const page = pageOfRows(rows, { ordering: search.ordering, from: ((search.page ?? 1) - 1) * size, size }, columns)
  const ids = Array.from(page, (row) => projectIdOf(columns.keys[row]!))
  const changed = changesSince(question)
  let sinceVisit = 0
  for (let i = 0; i < places.length; i += 1) sinceVisit += changed[places[i]!]!
  const counts = {
    total: places.length,
    total_budget_satang: String(sumOf(columns.money.budget, rows)),
    since_visit: sinceVisit,
    ...countersOf(prepared, scope),
  }
  await yieldToEventLoop()
  const { projects, matches, latest, ...shown } = await readPageRows(db, scope, ids)
  // The rows were read at a later moment: only when nothing was written in between are they those that were counted.
  const isSame = projects === standing.projects && matches === standing.matches && latest === standing.latest
  if (!isSame || !prepared.isStill() || shown.rows.length !== ids.length) return undefined
  return { stored: { ...counts, ...shown }, filterToRelax: places.length === 0 ? filterToRelax(failed) : undefined }
}

/** What the heading says: the tab without what is hidden, whatever the filters. */
function countersOf({ question, held }: Prepared, { today }: ReportScope) {
  const { hidden, columns, tab } = question
  const out = countTab(held, columns, hidden, packedDay(today))
  return {
    all: tab.rows.length - hidden.length,
    new: held.counts.new - out.new,
    updated: held.counts.updated - out.updated,
    discussion_7d: held.counts.discussion - out.discussion,
    submission_7d: held.counts.submission - out.submission,
    hidden_by_user: hidden.length,
  }
}

/** The exact sum of the known amounts. */
function sumOf(amounts: Float64Array, rows: Int32Array): bigint {
  let [whole, part] = [0n, 0]
  for (let at = 0; at < rows.length; at += 1) {
    const amount = amounts[rows[at]!]!
    if (Number.isNaN(amount)) continue
    if (part > Number.MAX_SAFE_INTEGER - amount) {
      whole += BigInt(part)
      part = 0
    }
    part += amount
  }
  return whole + BigInt(part)
}

/** The condition that most matches fail as their only one; of equals the first. */
function filterToRelax({ masks, names }: FailureMasks): FilterToRelax | undefined {
  const totals = names.map(() => 0)
  for (let at = 0; at < masks.length; at += 1) {
    const mask = masks[at]!
    if (mask !== 0 && (mask & HIDDEN) === 0 && (mask & (mask - 1)) === 0) totals[31 - Math.clz32(mask)]! += 1
  }
  const total = Math.max(0, ...totals)
  return total === 0 ? undefined : { parameter: names[totals.indexOf(total)]!, total }
}

export type MemoryFacets = { readonly counts: FacetCounts; readonly personal: PersonalCounts }

/** What `countFacets` and `loadPersonalCounts` answer; undefined when they are to be asked. */
export async function facetsFromMemory(
  memory: ReportMemory,
  search: ReportSearch,
  scope: ReportScope,
): Promise<MemoryFacets | undefined> {
  const prepared = await memory.prepare(search, scope, 'all')
  if (!prepared) return undefined
  const { question, standing } = prepared
  const failed = await failureMasks(question)
  const counts = await countMatches(question, failed)
  const placesOf = new Map<string, number[]>()
  for (const [label, place] of question.labelled) {
    const places = placesOf.get(label)
    if (places) places.push(place)
    else placesOf.set(label, [place])
  }
  const labels = [...placesOf].map(([value, places]) => ({
    value,
    count: countMarked(failed, places, 'project_label__in'),
  }))
  const personal = {
    bookmarked: countMarked(failed, question.bookmarked, 'project_bookmark'),
    hidden: countMarked(failed, question.hidden, 'project_hidden', true),
    labelled: countMarked(failed, new Set(question.labelled.map(([, place]) => place)), 'project_label__in'),
    labels: labels.filter(({ count }) => count > 0),
    max_budget: standing.max_budget,
  }
  return prepared.isStill() ? { counts, personal } : undefined
}
