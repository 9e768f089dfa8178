import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import { estimatedRows } from '#server/platform/engine/estimated-rows.ts'
import { begun, slicesOf } from '#server/platform/engine/in-batches.ts'
import { contractEnds } from '#server/report/contract-ends-sql.ts'
import type { Attempt } from './ahead/ahead-parts.ts'
import type { ColumnsOfPage, DepartmentRow, ProjectColumns, ProjectRow } from './project-columns.ts'

/** About 10 ms per statement, during which the embedded database (a single session) blocks everyone else. */
const ROWS_A_STATEMENT = 2_000
/** A busy night has 1,600 loads. A process that missed more reads all projects. */
const LOADS_REMEMBERED = 2_000
/** Page ends read per statement (about 5 ms), and pages fetched concurrently. */
const PAGES_PLANNED = 10
const PAGES_AT_ONCE = 2
/** Rows inserted between yields to the event loop. */
const ROWS_A_TURN = 500

/** Database state: the last write to projects and the loads needed to identify changes. */
export type ProjectsState = {
  readonly version: string
  readonly writes: number
  readonly published: readonly number[]
  /** A load is being published in parts (decision 0036). */
  readonly isFilling: boolean
  readonly estimate: number
  readonly ahead: Attempt | null
}

export async function readProjectsState(db: Db): Promise<ProjectsState> {
  const [state] = await db.query<ProjectsState>(sql`
    select v.version::text as version, v.writes,
      array(select l.id from loads l where l.state = 'published' order by l.published_at desc nulls last, l.id desc limit ${LOADS_REMEMBERED}::int) as published,
      exists (select from loads l where l.state = 'publishing' and l.published_at is not null) as "isFilling",
      ${estimatedRows('projects')} as estimate,
      (select json_build_object('loadId', a.load_id, 'attempt', a.attempt) from ahead_parts a
        where a.part = 0 and not exists (select from loads l where l.id = a.load_id and l.state = 'published') order by a.load_id desc limit 1) as ahead
    from project_version v`)
  return state!
}

/** Returns the loads that wrote a project, even if a later load has overwritten every one. */
export async function loadsThatWrote(db: Db, loads: readonly number[]): Promise<number[]> {
  const found = await db.query<{ id: number }>(sql`
    select l.id from loads l
    where l.id = any (${[...loads]}::bigint[]) and coalesce(l.wrote_projects, exists (select from projects p where p.written_load = l.id))
    order by l.id`)
  return found.map(({ id }) => id)
}

const day = (column: Sql) => sql`(${column} - date '2000-01-01')`
/** Project fields. Each page is read as one JSON array per column: 22 values to parse instead of 44,000. */
const FIELDS = {
  project_id: sql`p.project_id`,
  name_spaced: sql`p.name_spaced`,
  department_id: sql`p.department_id`,
  project_province: sql`p.project_province`,
  status: sql`p.status`,
  movement: sql`p.movement`,
  criteria: sql`p.criteria`,
  method: sql`p.method`,
  method_type: sql`p.method_type`,
  is_sme: sql`p.is_sme`,
  is_archived: sql`p.is_archived`,
  budget_satang: sql`p.budget_satang`,
  estimate_satang: sql`p.estimate_satang`,
  winner_satang: sql`p.winner_satang`,
  winner_name: sql`p.winner_name`,
  other_winners: sql`p.other_winners`,
  movement_on: day(sql`p.movement_on`),
  draft_published_on: day(sql`p.draft_published_on`),
  draft_discussion_ends_on: day(sql`p.draft_discussion_ends_on`),
  bidding_invited_on: day(sql`p.bidding_invited_on`),
  submission_ends_on: day(sql`p.submission_ends_on`),
  winner_announced_on: day(sql`p.winner_announced_on`),
  contract_ends: contractEnds(day(sql`c.ends_on`)),
} as const satisfies Record<keyof ProjectRow, Sql>
const NAMES = Object.keys(FIELDS) as (keyof ProjectRow)[]
const PICKED = join(NAMES.map((name) => sql`${FIELDS[name]} as ${raw(name)}`))
const COLUMNS = join(NAMES.map((name) => sql`coalesce(json_agg(page.${raw(name)}), '[]') as ${raw(name)}`))

/** `which` supplies condition and order; `name` is the prepared statement's name. */
async function readPage(db: Db, which: Sql, name: string): Promise<ProjectRow[]> {
  const [page] = await db.query<ColumnsOfPage>(
    sql`select ${COLUMNS} from (select ${PICKED} from projects p where ${which}) page`,
    { name },
  )
  return rowsOf(page!)
}

const readBehind = (db: Db, after: string, loadId: number | undefined) => {
  const ofLoad = loadId === undefined ? empty : sql`and p.written_load = ${loadId}::bigint`
  return readPage(
    db,
    sql`p.project_id > ${after}::text ${ofLoad} order by p.project_id limit ${ROWS_A_STATEMENT}::int`,
    loadId === undefined ? 'projects_page' : 'projects_page_of_load',
  )
}

const readUpTo = (db: Db, after: string, end: string) =>
  readPage(
    db,
    sql`p.project_id > ${after}::text and p.project_id <= ${end}::text order by p.project_id`,
    'projects_page_up_to',
  )

/** Returns the last id of each full page after `after`, at most `PAGES_PLANNED`. */
async function readPageEnds(db: Db, after: string): Promise<string[]> {
  const ends = await db.query<{ project_id: string }>(
    sql`
    select project_id from (
      select project_id, row_number() over (order by project_id) as place from (
        select project_id from projects where project_id > ${after}::text order by project_id limit ${PAGES_PLANNED * ROWS_A_STATEMENT}::int
      ) behind
    ) placed where place % ${ROWS_A_STATEMENT}::int = 0 order by project_id`,
    { name: 'projects_page_ends' },
  )
  return ends.map(({ project_id: id }) => id)
}

/**
 * Yields all full pages. Page ends are read first so that the database prepares the next two pages while one is
 * inserted; fetching them sequentially left it idle a third of the time. A project added meanwhile appears in the page
 * of its id.
 */
async function* pagesOfAll(db: Db): AsyncGenerator<ProjectRow[], string> {
  let after = ''
  for (;;) {
    const ends = await readPageEnds(db, after)
    const read = (at: number) => begun(readUpTo(db, ends[at - 1] ?? after, ends[at]!))
    const reading = ends.slice(0, PAGES_AT_ONCE).map((_, at) => read(at))
    for (const at of ends.keys()) {
      const rows = await reading.shift()!
      if (at + PAGES_AT_ONCE < ends.length) reading.push(read(at + PAGES_AT_ONCE))
      yield rows
    }
    after = ends.at(-1) ?? after
    if (ends.length < PAGES_PLANNED) return after
  }
}

/** Yields all pages after `after`, prefetching the next while the caller processes the current one. */
async function* pagesBehind(db: Db, after: string, loadId: number | undefined): AsyncGenerator<ProjectRow[]> {
  let reading = begun(readBehind(db, after, loadId))
  for (;;) {
    const rows = await reading
    const isLast = rows.length < ROWS_A_STATEMENT
    if (!isLast) reading = begun(readBehind(db, rows.at(-1)!.project_id, loadId))
    yield rows
    if (isLast) return
  }
}

async function* pagesOf(db: Db, loadId: number | undefined): AsyncGenerator<ProjectRow[]> {
  yield* pagesBehind(db, loadId === undefined ? yield* pagesOfAll(db) : '', loadId)
}

export function rowsOf(page: ColumnsOfPage): ProjectRow[] {
  return page.project_id.map((_, at) => {
    const project: Partial<Record<keyof ProjectRow, ProjectRow[keyof ProjectRow]>> = {}
    for (const name of NAMES) project[name] = page[name]?.[at] ?? null
    return project as ProjectRow
  })
}

export const columnsOf = (projects: readonly ProjectRow[]): ColumnsOfPage =>
  Object.fromEntries(NAMES.map((name) => [name, projects.map((project) => project[name])])) as ColumnsOfPage

/** Loads all departments (about 60,000). They are added but never changed. */
export async function putDepartments(db: Db, columns: ProjectColumns): Promise<void> {
  let last = 0
  for (;;) {
    const rows = await db.query<DepartmentRow>(sql`
      select id, name, sub_name, province from departments where id > ${last}::int order by id limit ${ROWS_A_STATEMENT}::int`)
    for (const row of rows) columns.addDepartment(row)
    if (rows.length < ROWS_A_STATEMENT) return
    last = rows.at(-1)!.id
    await yieldToEventLoop()
  }
}

async function putNewDepartments(db: Db, columns: ProjectColumns, projects: readonly ProjectRow[]): Promise<void> {
  const ids = new Set(projects.map((project) => project.department_id))
  const missing = [...ids].filter((id) => columns.departments.find(id) === undefined)
  if (missing.length === 0) return
  const rows = await db.query<DepartmentRow>(sql`
    select id, name, sub_name, province from departments where id = any (${missing}::int[])`)
  for (const row of rows) columns.addDepartment(row)
}

/**
 * Inserts the projects of one load, or all, into the columns page by page. Returns their number, or undefined if the
 * columns exceed `mostBytes`. `signal` aborts between two pages.
 */
export async function putProjects(
  db: Db,
  columns: ProjectColumns,
  { loadId, signal, mostBytes }: { loadId?: number; signal: AbortSignal; mostBytes: number },
): Promise<number | undefined> {
  let put = 0
  // If aborted before the start, skip the first query.
  signal.throwIfAborted()
  for await (const rows of pagesOf(db, loadId)) {
    signal.throwIfAborted()
    await putNewDepartments(db, columns, rows)
    for (const row of rows) {
      columns.put(row)
      put += 1
      if (put % ROWS_A_TURN === 0) await yieldToEventLoop()
    }
    if (columns.heldBytes > mostBytes) return undefined
  }
  return put
}

export async function putProjectsOf(db: Db, columns: ProjectColumns, ids: readonly string[]): Promise<void> {
  for (const asked of slicesOf(ids, ROWS_A_STATEMENT)) {
    const [page] = await db.query<ColumnsOfPage>(sql`
      select ${COLUMNS} from (select ${PICKED} from projects p where p.project_id = any (${asked}::text[])) page`)
    const rows = rowsOf(page!)
    await putNewDepartments(db, columns, rows)
    for (const row of rows) columns.put(row)
    await yieldToEventLoop()
  }
}
