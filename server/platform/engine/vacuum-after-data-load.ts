import sql from 'sql-template-tag'
import type { Db } from './db.ts'

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

const DERIVED = [
  'project_traits',
  'companies',
  'company_names',
  'company_projects',
  'company_figures',
  'company_slices',
  'project_spending',
  'department_spending',
] as const

const VACUUM_THRESHOLD = 1_000
/**
 * On PostgreSQL, the vacuum is skipped if a load changed a smaller share of all projects than this: autovacuum starts
 * by itself at a fifth, without delaying a load.
 */
const VACUUM_THRESHOLD_SHARE = 0.05

export async function shouldVacuum(db: Db, changedProjects: number): Promise<boolean> {
  if (changedProjects < VACUUM_THRESHOLD) return false
  if (db.engine === 'pglite') return true
  const [projects] = await db.query<{ rows: number }>(
    sql`select c.reltuples::float8 as rows from pg_class c where c.oid = 'projects'::regclass`,
  )
  return changedProjects >= projects!.rows * VACUUM_THRESHOLD_SHARE
}

/**
 * Refreshes statistics and visibility maps after a large load. PGlite has no autovacuum, and without a visibility map
 * the report's index-only scans visit every row; PostgreSQL would catch up by itself, but only minutes later. Other
 * queries can run between two tables.
 */
export async function vacuumAfterDataLoad(db: Db): Promise<void> {
  await vacuumPublishedTables(db)
  await vacuumDerivedTables(db)
}

export async function vacuumPublishedTables(db: Db): Promise<void> {
  for (const table of PUBLISHED) await db.script(`vacuum (analyze) ${table}`)
}

export async function vacuumDerivedTables(db: Db): Promise<void> {
  for (const table of DERIVED) await db.script(`vacuum (analyze) ${table}`)
}

/**
 * Updates the planner's statistics of these tables: a third of a second per table, whatever its size, without blocking.
 * With statistics from before a load, batches do not use the index and each reads all remaining rows, so twice the rows
 * cost four times as much.
 */
export async function refreshPlannerStatistics(
  db: Db,
  tables: readonly (typeof PUBLISHED | typeof DERIVED)[number][],
): Promise<void> {
  await db.script(`analyze ${tables.join(', ')}`)
}
