import type { ReportSearch } from '#contract/report/report-params.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import type { ReportScope } from '#server/report/report-scope.ts'
import type { ReportSearchCount } from '#server/report/saved-filter-queries.ts'
import { findProjectRow } from './cached-matches.ts'
import type { InMemoryReportQuery } from './in-memory-report-query.ts'
import { findRowPosition, getRowsAtPositions } from './match-set.ts'
import { getSortedRowsPage } from './page-order.ts'
import { decodeProjectKey } from '#server/platform/text/project-key.ts'
import type { PreparedReportQuery, ReportCache } from './report-cache.ts'
import type { ReportSnapshotVersion } from './report-snapshot.ts'

/** Ids converted before yielding to the event loop: 10 to 15 ms of work. */
const IDS_PER_SLICE = 20_000

export type SnapshotProjectIds = { readonly ids: string[]; readonly total: number; readonly at: ReportSnapshotVersion }

/** Returns up to `limit` ids. Returns undefined when the caller must fall back to SQL, as do all functions here. */
export async function getReportIdsFromMemory(
  memory: ReportCache,
  search: ReportSearch,
  scope: ReportScope,
  limit: number,
): Promise<SnapshotProjectIds | undefined> {
  const prepared = await memory.prepare(search, scope, 'asked')
  if (!prepared) return undefined
  const { tab } = prepared.query
  const { passing } = await prepared.masks()
  const ids = await orderedIds(getRowsAtPositions(tab, passing), search.ordering, prepared.query, limit)
  return prepared.isCurrent() ? { ids, total: passing.length, at: prepared.snapshot } : undefined
}

async function orderedIds(
  rows: Int32Array,
  ordering: string | undefined,
  query: InMemoryReportQuery,
  limit: number,
): Promise<string[]> {
  const ids: string[] = []
  const count = Math.min(limit, rows.length)
  while (ids.length < count) {
    const size = Math.min(IDS_PER_SLICE, count - ids.length)
    for (const row of getSortedRowsPage(rows, { ordering, from: ids.length, size }, query))
      ids.push(decodeProjectKey(query.columns.keys[row]!))
    await yieldToEventLoop()
  }
  return ids
}

export async function getFirstReportIdsFromMemory(
  memory: ReportCache,
  searches: readonly ReportSearch[],
  scope: ReportScope,
  limit: number,
): Promise<string[][] | undefined> {
  return await mapPrepared(await memory.prepareAll(searches, scope), async ({ query, masks }) => {
    const { passing } = await masks()
    return await orderedIds(getRowsAtPositions(query.tab, passing), query.search.ordering, query, limit)
  })
}

/** Returns the same result as `countReportSearchResults`. */
export async function countReportSearchResultsFromMemory(
  memory: ReportCache,
  searches: readonly ReportSearch[],
  scope: ReportScope,
): Promise<ReportSearchCount[] | undefined> {
  return await mapPrepared(await memory.prepareAll(searches, scope), async (prepared) => {
    const { passing } = await prepared.masks()
    const { changes } = prepared.query
    let fresh = 0
    for (let i = 0; i < passing.length; i += 1) if (changes[passing[i]!] === 1) fresh += 1
    return { total: passing.length, new: fresh }
  })
}

/** Returns the same result as `loadProjectsPassingSearches`. */
export async function findPassingProjectsFromMemory(
  memory: ReportCache,
  searches: readonly ReportSearch[],
  scope: ReportScope,
  projectIds: readonly string[],
): Promise<string[][] | undefined> {
  return await mapPrepared(await memory.prepareAll(searches, scope, { among: projectIds }), async (prepared) => {
    const { failed, isOut } = await prepared.masks()
    const { columns, tab } = prepared.query
    return projectIds.filter((id) => {
      const row = findProjectRow(columns, id)
      const position = row === undefined ? -1 : findRowPosition(tab, row)
      return position !== -1 && failed[position] === 0 && isOut[position] === 0
    })
  })
}

async function mapPrepared<T>(
  prepared: readonly PreparedReportQuery[] | undefined,
  compute: (prepared: PreparedReportQuery) => Promise<T>,
): Promise<T[] | undefined> {
  if (!prepared) return undefined
  const answers: T[] = []
  for (const preparedQuery of prepared) answers.push(await compute(preparedQuery))
  return prepared.every((preparedQuery) => preparedQuery.isCurrent()) ? answers : undefined
}
