import sql, { empty, type Sql } from 'sql-template-tag'
import { DEMO_ORGANISATION_CODE } from '#contract/reserved-organisations.ts'
import { DEMO_SOURCE } from '#server/catalogue/feed/demo-source.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { DEMO_SCHEMA_EXISTS_SQL } from '#server/platform/engine/demo-schema.ts'

export const RETIRE_SAMPLE_JOB = 'retire-sample'

export async function isDemoDataRetired(db: Db): Promise<boolean> {
  return (await db.query(sql`select from job_runs where job = ${RETIRE_SAMPLE_JOB} limit 1`)).length > 0
}

export async function hasSeparateDemoTables(db: Db, organisationId: number): Promise<boolean> {
  const rows = await db.query(sql`
    select from organisations where id = ${organisationId}::int and code = ${DEMO_ORGANISATION_CODE} and ${DEMO_SCHEMA_EXISTS_SQL}`)
  return rows.length > 0
}

export const isDemoProjectSql = (projectId: Sql): Sql =>
  sql`exists (select from projects s where s.project_id = ${projectId} and s.source = ${DEMO_SOURCE})`

export const andIsDemoProjectSql = (isSampleOnly: boolean, projectId: Sql): Sql =>
  isSampleOnly ? sql`and ${isDemoProjectSql(projectId)}` : empty

/**
 * Returns true when the user must see demo data only (specification section 1). False while nothing else has been
 * loaded, so the demo uses the same fast paths as other users.
 */
export async function isSampleOnly(db: Db, { isDemo }: { readonly isDemo: boolean }): Promise<boolean> {
  if (!isDemo) return false
  const realLoads = await db.query(sql`
    select from loads where state = 'published' and source <> ${DEMO_SOURCE} and new_projects > 0 limit 1`)
  return realLoads.length > 0
}
