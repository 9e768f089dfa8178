import sql, { empty, type Sql } from 'sql-template-tag'
import { DEMO_ORGANISATION_CODE } from '#contract/reserved-organisations.ts'
import { SAMPLE_SOURCE } from '#server/catalogue/feed/sample-source.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { IS_SET_APART } from '#server/platform/engine/set-apart.ts'

/** What `job_runs` holds from the day on which the sample left. */
export const RETIREMENT = 'retire-sample'

/** Whether the sample was here and has left: nothing puts it in again. */
export async function isSampleRetired(db: Db): Promise<boolean> {
  return (await db.query(sql`select from job_runs where job = ${RETIREMENT} limit 1`)).length > 0
}

/** Whether this organisation is the demo, and its sample stands in tables of its own. */
export async function isDemoApart(db: Db, organisationId: number): Promise<boolean> {
  const found = await db.query(sql`
    select from organisations where id = ${organisationId}::int and code = ${DEMO_ORGANISATION_CODE} and ${IS_SET_APART}`)
  return found.length > 0
}

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
