import sql from 'sql-template-tag'
import type { ReportRow } from '#contract/report.ts'
import type { Db } from '#server/db/db.ts'
import { presentRow } from './present-page.ts'
import { rowsSql, type StoredRow } from './rows-sql.ts'

/** One row of an organisation's report, whichever tab it stands in and whether hidden or not; undefined when it holds no such project. */
export async function loadReportRow(db: Db, projectId: string, organisationId: number): Promise<ReportRow | undefined> {
  const picked = sql`
    select m.project_id from project_matches m where m.organisation_id = ${organisationId}::int and m.project_id = ${projectId}::text`
  const [row] = await db.query<StoredRow>(rowsSql(organisationId, picked, sql`m.project_id`))
  return row && presentRow({ ...row, deep: null })
}
