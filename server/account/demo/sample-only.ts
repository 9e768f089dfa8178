import sql, { empty, type Sql } from 'sql-template-tag'
import { DEMO_ORGANISATION_CODE } from '#contract/reserved-organisations.ts'
import { SAMPLE_SOURCE } from '#server/catalogue/feed/sample-source.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { IS_SET_APART } from '#server/platform/engine/set-apart.ts'

export const RETIREMENT = 'retire-sample'

/** Returns true once the demo data was retired; it is never restored. */
export async function isSampleRetired(db: Db): Promise<boolean> {
  return (await db.query(sql`select from job_runs where job = ${RETIREMENT} limit 1`)).length > 0
}

/** Returns true for the demo organisation when its data is in separate tables. */
export async function isDemoApart(db: Db, organisationId: number): Promise<boolean> {
  const found = await db.query(sql`
    select from organisations where id = ${organisationId}::int and code = ${DEMO_ORGANISATION_CODE} and ${IS_SET_APART}`)
  return found.length > 0
}

export const isOfSample = (projectId: Sql): Sql =>
  sql`exists (select from projects s where s.project_id = ${projectId} and s.source = ${SAMPLE_SOURCE})`

export const andOfSample = (isSampleOnly: boolean, projectId: Sql): Sql =>
  isSampleOnly ? sql`and ${isOfSample(projectId)}` : empty

/**
 * Returns true when the user must see demo data only (specification section 1). False while nothing else has been
 * loaded, so the demo uses the same fast paths as other users.
 */
export async function isSampleOnly(db: Db, { isDemo }: { readonly isDemo: boolean }): Promise<boolean> {
  if (!isDemo) return false
  const others = await db.query(sql`
    select from loads where state = 'published' and source <> ${SAMPLE_SOURCE} and new_projects > 0 limit 1`)
  return others.length > 0
}
