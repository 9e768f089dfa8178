import type { Sql } from 'sql-template-tag'
import sql, { empty } from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import { grown } from '#server/platform/text/text-bytes.ts'
import type { ProjectColumns } from './project-columns.ts'
import { projectKey } from './project-key.ts'

const ROWS_A_STATEMENT = 5_000

/** One organisation's matches in one tab as parallel arrays; `rows` are row numbers in `ProjectColumns`. */
export type MatchTab = {
  readonly rows: Int32Array
  readonly firstLoads: Int32Array
  /** 0 means no load. */
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

const NO_LOAD_BEYOND = 0x7fff_ffff

/** Last transaction that wrote an organisation's matches; null if none since versions were introduced. */
export const matchVersion = (organisationId: Sql) =>
  sql`(select v.version::text from match_versions v where v.organisation_id = ${organisationId})`

async function readVersion(db: Db, organisationId: number): Promise<string | null> {
  const [row] = await db.query<{ version: string | null }>(
    sql`select ${matchVersion(sql`${organisationId}::int`)} as version`,
  )
  return row?.version ?? null
}

type Match = {
  readonly project_id: string
  readonly first_load: number
  readonly changed_load: number | null
  readonly words_id: number
}

/** `set` is undefined if a match refers to a project missing from the columns. */
export type LoadedMatches = { readonly version: string | null; readonly set?: MatchSet }

/** Reads an organisation's matches page by page; undefined if they changed meanwhile. */
export async function loadMatchSet(
  db: Db,
  organisationId: number,
  columns: ProjectColumns,
  signal: AbortSignal,
): Promise<LoadedMatches | undefined> {
  const version = await readVersion(db, organisationId)
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
    const page: Match[] = await db.query<Match>(sql`
      select m.project_id, m.first_load, m.changed_load, m.words_id from project_matches m
      where m.organisation_id = ${organisationId}::int ${after === undefined ? empty : sql`and m.project_id > ${after}::text`}
      order by m.project_id limit ${ROWS_A_STATEMENT}::int`)
    if (size + page.length > rows.length) {
      const room = Math.max(size * 2, size + page.length)
      rows = grown(rows, room)
      firstLoads = grown(firstLoads, room)
      changedLoads = grown(changedLoads, room)
      words = grown(words, room)
    }
    for (const match of page) {
      const key = projectKey(match.project_id)
      const row = key === undefined ? undefined : columns.rowOf(key)
      if (row === undefined || Math.max(match.first_load, match.changed_load ?? 0) > NO_LOAD_BEYOND) return { version }
      rows[size] = row
      firstLoads[size] = match.first_load
      changedLoads[size] = match.changed_load ?? 0
      words[size] = match.words_id
      size += 1
    }
    after = page.at(-1)?.project_id
    if (page.length < ROWS_A_STATEMENT) break
    await yieldToEventLoop()
  }
  if ((await readVersion(db, organisationId)) !== version) return undefined
  return { version, set: sortedByRow({ version, size, rows, firstLoads, changedLoads, words }, columns.size) }
}

/** Sorts by row so that columns are read sequentially and a row is located by binary search. */
function sortedByRow(set: MatchSet, projects: number): MatchSet {
  const { version, size } = set
  const placeOf = new Int32Array(projects)
  for (let at = 0; at < size; at += 1) placeOf[set.rows[at]!] = at + 1
  const [rows, firstLoads, changedLoads] = [new Int32Array(size), new Int32Array(size), new Int32Array(size)]
  const words = new Int32Array(size)
  let place = 0
  for (let row = 0; row < projects; row += 1) {
    const at = placeOf[row]! - 1
    if (at === -1) continue
    rows[place] = row
    firstLoads[place] = set.firstLoads[at]!
    changedLoads[place] = set.changedLoads[at]!
    words[place] = set.words[at]!
    place += 1
  }
  return { version, size, rows, firstLoads, changedLoads, words }
}

export function placeOfRow({ rows }: MatchTab, row: number): number {
  let [low, high] = [0, rows.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const found = rows[middle]!
    if (found === row) return middle
    if (found < row) low = middle + 1
    else high = middle - 1
  }
  return -1
}

export function rowsAt({ rows }: MatchTab, places: Int32Array): Int32Array {
  const found = new Int32Array(places.length)
  for (let i = 0; i < places.length; i += 1) found[i] = rows[places[i]!]!
  return found
}

/**
 * Matches of one tab, or of both without copying if undefined. Always returns a new object: data cached per tab depends
 * on facts that change while the set does not.
 */
export function tabOf(set: MatchSet, { kind, kinds }: ProjectColumns, isArchived: boolean | undefined): MatchTab {
  if (isArchived === undefined)
    return { rows: set.rows, firstLoads: set.firstLoads, changedLoads: set.changedLoads, words: set.words }
  const wanted = Number(isArchived)
  const [rows, firstLoads, changedLoads] = [
    new Int32Array(set.size),
    new Int32Array(set.size),
    new Int32Array(set.size),
  ]
  const words = new Int32Array(set.size)
  let size = 0
  for (let at = 0; at < set.size; at += 1) {
    const row = set.rows[at]!
    if (kinds.isArchived[kind[row]!] !== wanted) continue
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
