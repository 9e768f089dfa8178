import sql, { empty, type Sql } from 'sql-template-tag'
import type { Db } from '#server/engine/db.ts'

/** `source` of the loads and projects that the sample is made of. */
export const SAMPLE_SOURCE = 'sample'

/** Condition that a project, named by this column, came with the sample. */
export const isOfSample = (projectId: Sql): Sql =>
  sql`exists (select from projects s where s.project_id = ${projectId} and s.source = ${SAMPLE_SOURCE})`

/** The same as one more condition behind others, or nothing where everything is shown. */
export const andOfSample = (isSampleOnly: boolean, projectId: Sql): Sql =>
  isSampleOnly ? sql`and ${isOfSample(projectId)}` : empty

/**
 * Whether this user is to be shown less than there is: the demo shows the sample alone (specification section 1), and where nothing else was ever
 * loaded it goes the quick roads of everybody.
 */
export async function isSampleOnly(db: Db, { isDemo }: { readonly isDemo: boolean }): Promise<boolean> {
  if (!isDemo) return false
  const others = await db.query(sql`
    select from loads where state = 'published' and source <> ${SAMPLE_SOURCE} and new_projects > 0 limit 1`)
  return others.length > 0
}
