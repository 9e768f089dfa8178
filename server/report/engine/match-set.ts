import type { Sql } from 'sql-template-tag'
import sql, { empty } from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import { growTypedArray } from '#server/platform/text/encoded-text-index.ts'
import { encodeProjectKey } from '#server/platform/text/project-key.ts'
import type { ProjectColumns } from './project-columns.ts'

const ROWS_PER_STATEMENT = 5_000

export type ReportTabMatches = {
  readonly rows: Int32Array
  readonly firstLoads: Int32Array
  /** Id of the load that last changed each match; 0 if no load changed it. */
  readonly changedLoads: Int32Array
  readonly words: Int32Array
}

export type MatchSet = {
  readonly version: string | null
  readonly size: number
  readonly rows: Int32Array
  readonly firstLoads: Int32Array
  readonly changedLoads: Int32Array
  readonly words: Int32Array
}

const MAX_LOAD_ID = 0x7fff_ffff

/**
 * Returns the last transaction that wrote an organisation's matches; null if there was none since versions were
 * introduced.
 */
export const matchVersionSql = (organisationId: Sql) =>
  sql`(select v.version::text from match_versions v where v.organisation_id = ${organisationId})`

export async function readMatchVersion(db: Db, organisationId: number): Promise<string | null> {
  const [row] = await db.query<{ version: string | null }>(
    sql`select ${matchVersionSql(sql`${organisationId}::int`)} as version`,
  )
  return row?.version ?? null
}

type MatchRow = {
  readonly project_id: string
  readonly first_load: number
  readonly changed_load: number | null
  readonly words_id: number
}

/** `set` is undefined if a match refers to a project that is missing from the columns. */
export type InMemoryMatches = { readonly version: string | null; readonly set?: MatchSet }

export async function loadMatchSet(
  db: Db,
  organisationId: number,
  columns: ProjectColumns,
  signal: AbortSignal,
): Promise<InMemoryMatches | undefined> {
  const version = await readMatchVersion(db, organisationId)
  let [rows, firstLoads, changedLoads, words, size] = [
    new Int32Array(64),
    new Int32Array(64),
    new Int32Array(64),
    new Int32Array(64),
    0,
  ]
  let after: string | undefined
  for (;;) {
    signal.throwIfAborted()
    const page: MatchRow[] = await db.query<MatchRow>(sql`
      select m.project_id, m.first_load, m.changed_load, m.words_id from project_matches m
      where m.organisation_id = ${organisationId}::int ${after === undefined ? empty : sql`and m.project_id > ${after}::text`}
      order by m.project_id limit ${ROWS_PER_STATEMENT}::int`)
    if (size + page.length > rows.length) {
      const capacity = Math.max(size * 2, size + page.length)
      rows = growTypedArray(rows, capacity)
      firstLoads = growTypedArray(firstLoads, capacity)
      changedLoads = growTypedArray(changedLoads, capacity)
      words = growTypedArray(words, capacity)
    }
    for (const match of page) {
      const key = encodeProjectKey(match.project_id)
      const row = key === undefined ? undefined : columns.rowOf(key)
      if (row === undefined || Math.max(match.first_load, match.changed_load ?? 0) > MAX_LOAD_ID) return { version }
      rows[size] = row
      firstLoads[size] = match.first_load
      changedLoads[size] = match.changed_load ?? 0
      words[size] = match.words_id
      size += 1
    }
    after = page.at(-1)?.project_id
    if (page.length < ROWS_PER_STATEMENT) break
    await yieldToEventLoop()
  }
  if ((await readMatchVersion(db, organisationId)) !== version) return undefined
  return { version, set: sortedByRow({ version, size, rows, firstLoads, changedLoads, words }, columns.size) }
}

/** Sorts by row, so that columns are read sequentially and a row can be found by binary search. */
function sortedByRow(set: MatchSet, projects: number): MatchSet {
  const { version, size } = set
  const positionByRow = new Int32Array(projects)
  for (let at = 0; at < size; at += 1) positionByRow[set.rows[at]!] = at + 1
  const [rows, firstLoads, changedLoads] = [new Int32Array(size), new Int32Array(size), new Int32Array(size)]
  const words = new Int32Array(size)
  let position = 0
  for (let row = 0; row < projects; row += 1) {
    const at = positionByRow[row]! - 1
    if (at === -1) continue
    rows[position] = row
    firstLoads[position] = set.firstLoads[at]!
    changedLoads[position] = set.changedLoads[at]!
    words[position] = set.words[at]!
    position += 1
  }
  return { version, size, rows, firstLoads, changedLoads, words }
}

export function findRowPosition({ rows }: ReportTabMatches, row: number): number {
  let [low, high] = [0, rows.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const candidate = rows[middle]!
    if (candidate === row) return middle
    if (candidate < row) low = middle + 1
    else high = middle - 1
  }
  return -1
}

export function getRowsAtPositions({ rows }: ReportTabMatches, positions: Int32Array): Int32Array {
  const selectedRows = new Int32Array(positions.length)
  for (let i = 0; i < positions.length; i += 1) selectedRows[i] = rows[positions[i]!]!
  return selectedRows
}

/**
 * Returns the active or the archived matches or, if `isProjectArchived` is undefined, all of them without copying.
 * Always returns a new object, because data cached per tab depends on facts that can change while the match set does
 * not.
 */
export function selectReportTabMatches(
  set: MatchSet,
  { kind, kinds }: ProjectColumns,
  isArchived: boolean | undefined,
): ReportTabMatches {
  if (isArchived === undefined)
    return { rows: set.rows, firstLoads: set.firstLoads, changedLoads: set.changedLoads, words: set.words }
  const archivedFlag = Number(isArchived)
  const [rows, firstLoads, changedLoads] = [
    new Int32Array(set.size),
    new Int32Array(set.size),
    new Int32Array(set.size),
  ]
  const words = new Int32Array(set.size)
  let size = 0
  for (let at = 0; at < set.size; at += 1) {
    const row = set.rows[at]!
    if (kinds.flags.is_archived[kind[row]!] !== archivedFlag) continue
    rows[size] = row
    firstLoads[size] = set.firstLoads[at]!
    changedLoads[size] = set.changedLoads[at]!
    words[size] = set.words[at]!
    size += 1
  }
  return {
    rows: rows.slice(0, size),
    firstLoads: firstLoads.slice(0, size),
    changedLoads: changedLoads.slice(0, size),
    words: words.slice(0, size),
  }
}
