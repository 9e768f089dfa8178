import sql from 'sql-template-tag'
import { DEMO_ORGANISATION_CODE } from '#contract/reserved-organisations.ts'
import { DEMO_SOURCE } from '#server/catalogue/feed/demo-source.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { DEMO_SCHEMA_EXISTS_SQL } from '#server/platform/engine/demo-schema.ts'

export const RETIRE_DEMO_DATA_JOB_NAME = 'retire-sample'

/**
 * Returns false once the demo data has been retired, real projects or a budget have been loaded, or a source has been
 * enabled. Demo and real data never share a table, so queries need no condition on the source (decision 0053).
 */
export async function isDemoDataAllowed(db: Db): Promise<boolean> {
  const [row] = await db.query<{ accepts: boolean }>(sql`
    select not exists (select from job_runs where job = ${RETIRE_DEMO_DATA_JOB_NAME})
      and not exists (select from loads where source <> ${DEMO_SOURCE} and state = 'published' and new_projects > 0)
      and not exists (select from budget_loads where origin not like 'sample %')
      and not exists (select from intake_sources where is_on) as accepts`)
  return row!.accepts
}

export const HAS_SEPARATE_DEMO_TABLES_SQL = sql`(o.code = ${DEMO_ORGANISATION_CODE} and ${DEMO_SCHEMA_EXISTS_SQL})`

export async function hasSeparateDemoTables(db: Db, organisationId: number): Promise<boolean> {
  const rows = await db.query(sql`
    select from organisations o where o.id = ${organisationId}::int and ${HAS_SEPARATE_DEMO_TABLES_SQL}`)
  return rows.length > 0
}
