import type { ReportSearch } from '#contract/report/report-params.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import type { ReportScope } from '#server/report/queries.ts'
import type { SearchCount } from '#server/report/saved-filter-queries.ts'
import { rowOf } from './cached-matches.ts'
import { positionOfRow, rowsAt } from './match-set.ts'
import type { MemoryQuery } from './memory-query.ts'
import { pageOfRows } from './page-order.ts'
import { projectIdOf } from './project-key.ts'
import type { PreparedMemoryQuery, ReportMemory } from './report-memory.ts'
import type { SnapshotVersion } from './report-snapshot.ts'

/** Ids converted before yielding to the event loop: 10 to 15 ms of work. */
const IDS_PER_SLICE = 20_000

export type SnapshotIds = { readonly ids: string[]; readonly total: number; readonly at: SnapshotVersion }

/** Returns up to `limit` ids. Returns undefined when the caller must fall back to SQL, as do all functions here. */
export async function idsFromMemory(
  memory: ReportMemory,
  search: ReportSearch,
  scope: ReportScope,
  limit: number,
): Promise<SnapshotIds | undefined> {
  const prepared = await memory.prepare(search, scope, 'asked')
  if (!prepared) return undefined
  const { tab } = prepared.query
  const { passing } = await prepared.masks()
  const ids = await orderedIds(rowsAt(tab, passing), search.ordering, prepared.query, limit)
  return prepared.isCurrent() ? { ids, total: passing.length, at: prepared.snapshot } : undefined
}

async function orderedIds(
  rows: Int32Array,
  ordering: string | undefined,
  query: MemoryQuery,
  limit: number,
): Promise<string[]> {
  const ids: string[] = []
  const count = Math.min(limit, rows.length)
  while (ids.length < count) {
    const size = Math.min(IDS_PER_SLICE, count - ids.length)
    for (const row of pageOfRows(rows, { ordering, from: ids.length, size }, query))
      ids.push(projectIdOf(query.columns.keys[row]!))
    await yieldToEventLoop()
  }
  return ids
}

export async function firstIdsFromMemory(
  memory: ReportMemory,
  searches: readonly ReportSearch[],
  scope: ReportScope,
  limit: number,
): Promise<string[][] | undefined> {
  return await mapPrepared(await memory.prepareAll(searches, scope), async ({ query, masks }) => {
    const { passing } = await masks()
    return await orderedIds(rowsAt(query.tab, passing), query.search.ordering, query, limit)
  })
}

/** Returns the same result as `countSearches`. */
export async function countsFromMemory(
  memory: ReportMemory,
  searches: readonly ReportSearch[],
  scope: ReportScope,
): Promise<SearchCount[] | undefined> {
  return await mapPrepared(await memory.prepareAll(searches, scope), async (prepared) => {
    const { passing } = await prepared.masks()
    const { changes } = prepared.query
    let fresh = 0
    for (let i = 0; i < passing.length; i += 1) if (changes[passing[i]!] === 1) fresh += 1
    return { total: passing.length, new: fresh }
  })
}

/** Returns the same result as `loadPassingProjects`. */
export async function passingFromMemory(
  memory: ReportMemory,
  searches: readonly ReportSearch[],
  scope: ReportScope,
  projectIds: readonly string[],
): Promise<string[][] | undefined> {
  return await mapPrepared(await memory.prepareAll(searches, scope, { among: projectIds }), async (prepared) => {
    const { failed, isOut } = await prepared.masks()
    const { columns, tab } = prepared.query
    return projectIds.filter((id) => {
      const row = rowOf(columns, id)
      const position = row === undefined ? -1 : positionOfRow(tab, row)
      return position !== -1 && failed[position] === 0 && isOut[position] === 0
    })
  })
}

async function mapPrepared<T>(
  prepared: readonly PreparedMemoryQuery[] | undefined,
  compute: (prepared: PreparedMemoryQuery) => Promise<T>,
): Promise<T[] | undefined> {
  if (!prepared) return undefined
  const answers: T[] = []
  for (const preparedQuery of prepared) answers.push(await compute(preparedQuery))
  return prepared.every((preparedQuery) => preparedQuery.isCurrent()) ? answers : undefined
}
