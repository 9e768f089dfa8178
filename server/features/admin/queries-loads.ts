import sql from 'sql-template-tag'
import type { Db } from '#server/engine/db.ts'

export type LoadLine = {
  id: number
  source: string
  /** File name or address. */
  origin: string
  state: 'staging' | 'publishing' | 'published' | 'failed'
  /** UTC ISO. */
  startedAt: string
  publishedAt: string | null
  read: number
  quarantined: number
  newProjects: number
  updatedProjects: number
  failure: string | null
}

const MOST_LOADS = 50

/** The last loads, the newest first. */
export async function listLoads(db: Db): Promise<LoadLine[]> {
  return await db.query<LoadLine>(sql`
    select id::int, source, origin, state, started_at as "startedAt", published_at as "publishedAt", read_rows as read,
      quarantined_rows as quarantined, new_projects as "newProjects", updated_projects as "updatedProjects", failure
    from loads order by id desc limit ${MOST_LOADS}::int`)
}

export type BadRow = { line: number; reason: string; raw: string }

const MOST_ROWS = 100
/** A row of a broken file may be a megabyte long. */
const SHOWN_SIGNS = 300

/** Rows of a load that could not be read, with why: the first of them. */
export async function listBadRows(db: Db, loadId: number): Promise<BadRow[]> {
  return await db.query<BadRow>(sql`
    select line, reason, left(raw, ${SHOWN_SIGNS}::int) as raw from quarantined_rows where load_id = ${loadId}::int
    order by line limit ${MOST_ROWS}::int`)
}
