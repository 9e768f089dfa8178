import sql from 'sql-template-tag'
import type { Db } from './db.ts'

/** Tables that a load fills in its publishing transaction. */
const PUBLISHED = [
  'projects',
  'contracts',
  'bidders',
  'attachments',
  'announcements',
  'project_matches',
  'project_filters',
  'project_texts',
  'department_texts',
  'match_words',
  'staged_chunks',
  'notifications',
] as const

const WORKED_OUT = [
  'project_traits',
  'companies',
  'company_names',
  'company_projects',
  'company_figures',
  'company_slices',
  'project_spending',
  'department_spending',
] as const

/** Below this many changed projects, skip: the statistics remain good enough. */
const WORTH_TIDYING = 1_000
/**
 * On PostgreSQL, skip below this share of all projects: autovacuum starts by itself at a fifth without delaying a load.
 */
const SHARE_WORTH_TIDYING = 0.05

export async function isWorthTidying(db: Db, changed: number): Promise<boolean> {
  if (changed < WORTH_TIDYING) return false
  if (db.engine === 'pglite') return true
  const [projects] = await db.query<{ rows: number }>(
    sql`select c.reltuples::float8 as rows from pg_class c where c.oid = 'projects'::regclass`,
  )
  return changed >= projects!.rows * SHARE_WORTH_TIDYING
}

/**
 * Refreshes statistics and visibility maps after a large load. PGlite has no autovacuum, and without a visibility map
 * the report's index-only scans visit every row; PostgreSQL would catch up by itself, but minutes later. Readers get a
 * turn between tables.
 */
export async function tidyUpAfterLoad(db: Db): Promise<void> {
  await tidyUpPublished(db)
  await tidyUpWorkedOut(db)
}

/** The first half, which may run while the derived tables are being filled. */
export async function tidyUpPublished(db: Db): Promise<void> {
  for (const table of PUBLISHED) await db.script(`vacuum (analyze) ${table}`)
}

export async function tidyUpWorkedOut(db: Db): Promise<void> {
  for (const table of WORKED_OUT) await db.script(`vacuum (analyze) ${table}`)
}

/**
 * Updates the planner's statistics of these tables: a third of a second each, whatever their size, without blocking.
 * Without it, batches do not use the index: with the statistics from before a load each batch read all remaining rows,
 * so twice the rows cost four times as much.
 */
export async function refreshStatistics(
  db: Db,
  tables: readonly (typeof PUBLISHED | typeof WORKED_OUT)[number][],
): Promise<void> {
  await db.script(`analyze ${tables.join(', ')}`)
}
