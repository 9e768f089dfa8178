import sql, { empty, type Sql } from 'sql-template-tag'
import type { Db } from '#server/engine/db.ts'
import { yieldToEventLoop } from '#server/engine/deadline.ts'
import type { DepartmentRow, ProjectColumns, ProjectRow } from './project-columns.ts'

/** Rows of one statement: about 10 ms, for which the embedded database, one session, holds everybody else up. */
const ROWS_A_STATEMENT = 2_000
/** Rows put into the columns before others get their turn. */
const ROWS_A_TURN = 500

/** What stands in the database now: the last write to projects, and the loads by which what a load wrote is known. */
export type ProjectsState = {
  readonly version: string
  /** Transactions that have written projects so far. */
  readonly writes: number
  /** Ids of the published loads. */
  readonly published: readonly number[]
  /** A load is coming in by parts (decision 0036). */
  readonly isFilling: boolean
  /** The planner's estimate of their number. */
  readonly estimate: number
}

export async function readProjectsState(db: Db): Promise<ProjectsState> {
  const [state] = await db.query<ProjectsState>(sql`
    select v.version::text as version, v.writes,
      array(select l.id from loads l where l.state = 'published' order by l.id) as published,
      exists (select from loads l where l.state = 'publishing' and l.published_at is not null) as "isFilling",
      (select greatest(c.reltuples, 0)::int8 from pg_class c where c.oid = 'projects'::regclass) as estimate
    from project_version v`)
  return state!
}

const day = (column: Sql) => sql`(${column} - date '2000-01-01')`
const PROJECT = sql`
  select p.project_id, p.name_search, p.department_id, p.project_province, p.status, p.movement, p.criteria, p.method, p.method_type, p.is_sme,
    p.is_archived, p.budget_satang, p.estimate_satang, p.winner_satang, p.winner_name, ${day(sql`p.movement_on`)} as movement_on,
    ${day(sql`p.draft_published_on`)} as draft_published_on, ${day(sql`p.draft_discussion_ends_on`)} as draft_discussion_ends_on,
    ${day(sql`p.bidding_invited_on`)} as bidding_invited_on, ${day(sql`p.submission_ends_on`)} as submission_ends_on,
    ${day(sql`p.winner_announced_on`)} as winner_announced_on
  from projects p`

/** Departments, of which there are some 60,000; they are added and never changed. */
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

/** Departments of these projects that came after the others were read. */
async function putNewDepartments(db: Db, columns: ProjectColumns, projects: readonly ProjectRow[]): Promise<void> {
  const ids = new Set(projects.map((project) => project.department_id))
  const missing = [...ids].filter((id) => columns.departments.find(id) === undefined)
  if (missing.length === 0) return
  const rows = await db.query<DepartmentRow>(sql`
    select id, name, sub_name, province from departments where id = any (${missing}::int[])`)
  for (const row of rows) columns.addDepartment(row)
}

/**
 * Puts projects into the columns, a page after the other: those that one load wrote, or all. Answers how many they were, or undefined when all
 * together are more than `mostBytes`. `signal` stops between two pages.
 */
export async function putProjects(
  db: Db,
  columns: ProjectColumns,
  { loadId, signal, mostBytes }: { loadId?: number; signal: AbortSignal; mostBytes: number },
): Promise<number | undefined> {
  let [after, put] = ['', 0]
  for (;;) {
    signal.throwIfAborted()
    const rows = await db.query<ProjectRow>(sql`
      ${PROJECT} where p.project_id > ${after}::text ${loadId === undefined ? empty : sql`and p.written_load = ${loadId}::bigint`}
      order by p.project_id limit ${ROWS_A_STATEMENT}::int`)
    await putNewDepartments(db, columns, rows)
    for (const row of rows) {
      columns.put(row)
      put += 1
      if (put % ROWS_A_TURN === 0) await yieldToEventLoop()
    }
    if (columns.heldBytes > mostBytes) return undefined
    if (rows.length < ROWS_A_STATEMENT) return put
    after = rows.at(-1)!.project_id
  }
}
