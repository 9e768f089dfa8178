import sql from 'sql-template-tag'
import type { Db } from './db.ts'

/** Tables that a load fills in the transaction that publishes it. */
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

/** Tables of what is worked out afterwards. */
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

/** Loads that changed fewer projects leave the statistics as good as they were. */
const WORTH_TIDYING = 1_000
/** On PostgreSQL so much of all projects: autovacuum comes by itself at a fifth, without a load that waits for it. */
const SHARE_WORTH_TIDYING = 0.05

/** Whether so many changed projects are worth statistics and visibility maps of all tables. */
export async function isWorthTidying(db: Db, changed: number): Promise<boolean> {
  if (changed < WORTH_TIDYING) return false
  if (db.engine === 'pglite') return true
  const [projects] = await db.query<{ rows: number }>(
    sql`select c.reltuples::float8 as rows from pg_class c where c.oid = 'projects'::regclass`,
  )
  return changed >= projects!.rows * SHARE_WORTH_TIDYING
}

/**
 * Statistics and visibility maps after a large load. PGlite has no autovacuum, and without a visibility map the report's index-only
 * scans visit every row; PostgreSQL would get there by itself, but minutes later. Readers get their turn between two tables.
 */
export async function tidyUpAfterLoad(db: Db): Promise<void> {
  await tidyUpPublished(db)
  await tidyUpWorkedOut(db)
}

/** The first half of it, which may go on while the tables of the second are being filled. */
export async function tidyUpPublished(db: Db): Promise<void> {
  for (const table of PUBLISHED) await db.script(`vacuum (analyze) ${table}`)
}

export async function tidyUpWorkedOut(db: Db): Promise<void> {
  for (const table of WORKED_OUT) await db.script(`vacuum (analyze) ${table}`)
}

/**
 * Tells the planner how much these tables hold by now: a third of a second each, whatever their size, and nobody waits for it. Batches find their rows by
 * the index only then: with the statistics from before a load each batch read all that was left of it, so twice the rows cost four times as much.
 */
export async function refreshStatistics(
  db: Db,
  tables: readonly (typeof PUBLISHED | typeof WORKED_OUT)[number][],
): Promise<void> {
  await db.script(`analyze ${tables.join(', ')}`)
}
