import type { ReportSearch } from '#contract/report/report-params.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import type { ReportScope } from '#server/report/queries.ts'
import type { SearchCount } from '#server/report/saved-filter-queries.ts'
import { rowOf } from './held-matches.ts'
import { placeOfRow, rowsAt } from './match-set.ts'
import { pageOfRows } from './page-order.ts'
import { projectIdOf } from './project-key.ts'
import type { Question } from './question.ts'
import type { Prepared, ReportMemory } from './report-memory.ts'
import type { Stamp } from './standing.ts'

/** 10 to 15 ms of work between yields to the event loop. */
const IDS_A_TURN = 20_000

export type IdsOfMoment = { readonly ids: string[]; readonly total: number; readonly at: Stamp }

/** Returns up to `limit` ids. Like all functions here, returns undefined to fall back to SQL. */
export async function idsFromMemory(
  memory: ReportMemory,
  search: ReportSearch,
  scope: ReportScope,
  limit: number,
): Promise<IdsOfMoment | undefined> {
  const prepared = await memory.prepare(search, scope, 'asked')
  if (!prepared) return undefined
  const { tab } = prepared.question
  const { passing } = await prepared.masks()
  const ids = await orderedIds(rowsAt(tab, passing), search.ordering, prepared.question, limit)
  return prepared.isStill() ? { ids, total: passing.length, at: prepared.standing } : undefined
}

async function orderedIds(
  rows: Int32Array,
  ordering: string | undefined,
  question: Question,
  limit: number,
): Promise<string[]> {
  const ids: string[] = []
  const most = Math.min(limit, rows.length)
  while (ids.length < most) {
    const size = Math.min(IDS_A_TURN, most - ids.length)
    for (const row of pageOfRows(rows, { ordering, from: ids.length, size }, question))
      ids.push(projectIdOf(question.columns.keys[row]!))
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
  return await ofEach(await memory.prepareAll(searches, scope), async ({ question, masks }) => {
    const { passing } = await masks()
    return await orderedIds(rowsAt(question.tab, passing), question.search.ordering, question, limit)
  })
}

/** Same result as `countSearches`. */
export async function countsFromMemory(
  memory: ReportMemory,
  searches: readonly ReportSearch[],
  scope: ReportScope,
): Promise<SearchCount[] | undefined> {
  return await ofEach(await memory.prepareAll(searches, scope), async (prepared) => {
    const { passing } = await prepared.masks()
    const { changes } = prepared.question
    let fresh = 0
    for (let i = 0; i < passing.length; i += 1) if (changes[passing[i]!] === 1) fresh += 1
    return { total: passing.length, new: fresh }
  })
}

/** Same result as `findPassing`. */
export async function passingFromMemory(
  memory: ReportMemory,
  searches: readonly ReportSearch[],
  scope: ReportScope,
  projectIds: readonly string[],
): Promise<string[][] | undefined> {
  return await ofEach(await memory.prepareAll(searches, scope, { among: projectIds }), async (prepared) => {
    const { failed, isOut } = await prepared.masks()
    const { columns, tab } = prepared.question
    return projectIds.filter((id) => {
      const row = rowOf(columns, id)
      const place = row === undefined ? -1 : placeOfRow(tab, row)
      return place !== -1 && failed[place] === 0 && isOut[place] === 0
    })
  })
}

async function ofEach<T>(
  prepared: readonly Prepared[] | undefined,
  ask: (prepared: Prepared) => Promise<T>,
): Promise<T[] | undefined> {
  if (!prepared) return undefined
  const answers: T[] = []
  for (const each of prepared) answers.push(await ask(each))
  return prepared.every((each) => each.isStill()) ? answers : undefined
}
