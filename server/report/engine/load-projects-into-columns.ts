import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { getProjectFact, REPORT_FACT_NAMES } from '#contract/catalogue/project-facts.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import { estimatedRowsSql } from '#server/platform/engine/estimated-rows.ts'
import { suppressUnhandledRejection } from '#server/platform/engine/process-in-batches.ts'
import { isBudgetInDoubtSql } from '#server/platform/text/doubt-sql.ts'
import { activeContractEndDatesSql } from '#server/report/contract-ends-sql.ts'
import {
  CACHED_FACT_TYPES,
  type CachedProjectRow,
  type ProjectColumns,
  type ProjectRowColumns,
  type ReportDepartmentRow,
} from './project-columns.ts'

/**
 * A statement of this size takes about 10 ms. The embedded database has a single session, so a longer statement would
 * block everyone else.
 */
const ROWS_PER_STATEMENT = 2_000
/**
 * Number of newest loads that a process compares with its own state. If it missed more loads, it reads all projects
 * again. A busy night has 1,600 loads.
 */
const MAX_TRACKED_LOADS = 2_000
/**
 * Projects are read in pages, whose last project ids are found first. This is the number of pages whose ends one
 * statement finds (about 5 ms).
 */
const PAGE_ENDS_PER_STATEMENT = 10
const CONCURRENT_PAGES = 2
const ROWS_PER_SLICE = 500

export type ProjectDataState = {
  readonly version: string
  readonly writes: number
  readonly published: readonly number[]
  /** True while a load is being published in parts (decision 0036). */
  readonly isFilling: boolean
  readonly estimate: number
}

export async function loadProjectDataState(db: Db): Promise<ProjectDataState> {
  const [state] = await db.query<ProjectDataState>(sql`
    select v.version::text as version, v.writes,
      array(select l.id from loads l where l.state = 'published' order by l.published_at desc nulls last, l.id desc limit ${MAX_TRACKED_LOADS}::int) as published,
      exists (select from loads l where l.state = 'publishing' and l.published_at is not null) as "isFilling",
      ${estimatedRowsSql('projects')} as estimate
    from project_version v`)
  return state!
}

/**
 * Returns those of these loads that wrote at least one project, even if later loads have overwritten all its projects.
 */
export async function findDataLoadsWithProjects(db: Db, loads: readonly number[]): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`
    select l.id from loads l
    where l.id = any (${[...loads]}::bigint[]) and coalesce(l.wrote_projects, exists (select from projects p where p.written_load = l.id))
    order by l.id`)
  return rows.map(({ id }) => id)
}

const day = (column: Sql) => sql`(${column} - date '2000-01-01')`
const FACT_COLUMNS: readonly (readonly [string, Sql])[] = REPORT_FACT_NAMES.flatMap((name) => {
  const { column, type, departmentColumn } = getProjectFact(name)
  if (departmentColumn || !CACHED_FACT_TYPES.has(type)) return []
  const stored = sql`p.${raw(column)}`
  return [[column, type === 'day' ? day(stored) : stored]]
})
/** Fields of a project. Each page is read as one JSON array per column, which parses 22 values instead of 44,000. */
const FIELDS = {
  project_id: sql`p.project_id`,
  name_spaced: sql`p.name_spaced`,
  department_id: sql`p.department_id`,
  is_budget_in_doubt: isBudgetInDoubtSql(sql`p`),
  winner_name: sql`p.winner_name`,
  other_winners: sql`p.other_winners`,
  contract_ends: activeContractEndDatesSql(day(sql`c.ends_on`)),
  ...Object.fromEntries(FACT_COLUMNS),
} as Readonly<Record<keyof CachedProjectRow, Sql>>
const FIELD_NAMES = Object.keys(FIELDS) as (keyof CachedProjectRow)[]
const SELECTED_FIELDS = join(FIELD_NAMES.map((name) => sql`${FIELDS[name]} as ${raw(name)}`))
const JSON_COLUMNS = join(FIELD_NAMES.map((name) => sql`coalesce(json_agg(page.${raw(name)}), '[]') as ${raw(name)}`))

/** Reads one page of projects. `condition` also contains the order. `name` names the prepared statement. */
async function readPage(db: Db, condition: Sql, name: string): Promise<CachedProjectRow[]> {
  const [page] = await db.query<ProjectRowColumns>(
    sql`select ${JSON_COLUMNS} from (select ${SELECTED_FIELDS} from projects p where ${condition}) page`,
    { name },
  )
  return toProjectRows(page!)
}

const readPageAfter = (db: Db, after: string, loadId: number | undefined) => {
  const ofLoad = loadId === undefined ? empty : sql`and p.written_load = ${loadId}::bigint`
  return readPage(
    db,
    sql`p.project_id > ${after}::text ${ofLoad} order by p.project_id limit ${ROWS_PER_STATEMENT}::int`,
    loadId === undefined ? 'projects_page' : 'projects_page_of_load',
  )
}

const readUpTo = (db: Db, after: string, end: string) =>
  readPage(
    db,
    sql`p.project_id > ${after}::text and p.project_id <= ${end}::text order by p.project_id`,
    'projects_page_up_to',
  )

async function readPageEnds(db: Db, after: string): Promise<string[]> {
  const ends = await db.query<{ project_id: string }>(
    sql`
    select project_id from (
      select project_id, row_number() over (order by project_id) as place from (
        select project_id from projects where project_id > ${after}::text order by project_id limit ${PAGE_ENDS_PER_STATEMENT * ROWS_PER_STATEMENT}::int
      ) behind
    ) placed where place % ${ROWS_PER_STATEMENT}::int = 0 order by project_id`,
    { name: 'projects_page_ends' },
  )
  return ends.map(({ project_id: id }) => id)
}

/**
 * Yields all full pages. Reads page ends first, so that the database prepares the next two pages while one is inserted;
 * fetching pages sequentially left it idle a third of the time. A project added meanwhile appears in the page of its
 * id.
 */
async function* pagesOfAll(db: Db): AsyncGenerator<CachedProjectRow[], string> {
  let after = ''
  for (;;) {
    const ends = await readPageEnds(db, after)
    const startReading = (at: number) => suppressUnhandledRejection(readUpTo(db, ends[at - 1] ?? after, ends[at]!))
    const reading = ends.slice(0, CONCURRENT_PAGES).map((_, at) => startReading(at))
    for (const at of ends.keys()) {
      const rows = await reading.shift()!
      if (at + CONCURRENT_PAGES < ends.length) reading.push(startReading(at + CONCURRENT_PAGES))
      yield rows
    }
    after = ends.at(-1) ?? after
    if (ends.length < PAGE_ENDS_PER_STATEMENT) return after
  }
}

async function* pagesAfter(db: Db, after: string, loadId: number | undefined): AsyncGenerator<CachedProjectRow[]> {
  let reading = suppressUnhandledRejection(readPageAfter(db, after, loadId))
  for (;;) {
    const rows = await reading
    const isLast = rows.length < ROWS_PER_STATEMENT
    if (!isLast) reading = suppressUnhandledRejection(readPageAfter(db, rows.at(-1)!.project_id, loadId))
    yield rows
    if (isLast) return
  }
}

async function* pagesOf(db: Db, loadId: number | undefined): AsyncGenerator<CachedProjectRow[]> {
  yield* pagesAfter(db, loadId === undefined ? yield* pagesOfAll(db) : '', loadId)
}

function toProjectRows(page: ProjectRowColumns): CachedProjectRow[] {
  return page.project_id.map((_, at) => {
    const project: Partial<Record<keyof CachedProjectRow, CachedProjectRow[keyof CachedProjectRow]>> = {}
    for (const name of FIELD_NAMES) project[name] = page[name]?.[at] ?? null
    return project as CachedProjectRow
  })
}

/** Loads all departments (about 60,000). Departments are added but never changed. */
export async function loadDepartmentsIntoColumns(db: Db, columns: ProjectColumns): Promise<void> {
  let last = 0
  for (;;) {
    const rows = await db.query<ReportDepartmentRow>(sql`
      select id, name, sub_name, province from departments where id > ${last}::int order by id limit ${ROWS_PER_STATEMENT}::int`)
    for (const row of rows) columns.addDepartment(row)
    if (rows.length < ROWS_PER_STATEMENT) return
    last = rows.at(-1)!.id
    await yieldToEventLoop()
  }
}

async function putNewDepartments(
  db: Db,
  columns: ProjectColumns,
  projects: readonly CachedProjectRow[],
): Promise<void> {
  const ids = new Set(projects.map((project) => project.department_id))
  const missing = [...ids].filter((id) => columns.departments.find(id) === undefined)
  if (missing.length === 0) return
  const rows = await db.query<ReportDepartmentRow>(sql`
    select id, name, sub_name, province from departments where id = any (${missing}::int[])`)
  for (const row of rows) columns.addDepartment(row)
}

/**
 * Inserts the projects of one load, or all projects, into the columns page by page. Returns their number, or undefined
 * if the columns exceed `maxBytes`. `signal` aborts between two pages.
 */
export async function loadProjectsIntoColumns(
  db: Db,
  columns: ProjectColumns,
  { loadId, signal, maxBytes }: { loadId?: number; signal: AbortSignal; maxBytes: number },
): Promise<number | undefined> {
  let insertedCount = 0
  signal.throwIfAborted()
  for await (const rows of pagesOf(db, loadId)) {
    signal.throwIfAborted()
    await putNewDepartments(db, columns, rows)
    for (const row of rows) {
      columns.put(row)
      insertedCount += 1
      if (insertedCount % ROWS_PER_SLICE === 0) await yieldToEventLoop()
    }
    if (columns.usedBytes > maxBytes) return undefined
  }
  return insertedCount
}
