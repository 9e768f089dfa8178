import sql from 'sql-template-tag'
import type { ReportRow } from '#contract/report/report.ts'
import type { Db } from '#server/engine/db.ts'
import { presentRow } from './present-page.ts'
import { rowsSql, type StoredRow } from './rows-sql.ts'

/** One row of an organisation's report, whichever tab it stands in and whether hidden or not; undefined when it holds no such project. */
export async function loadReportRow(db: Db, projectId: string, organisationId: number): Promise<ReportRow | undefined> {
  return (await loadRowsOf(db, organisationId, [projectId])).get(projectId)
}

/** Rows of an organisation's report by id, whichever tab they stand in; ids that it does not hold are left out. */
export async function loadRowsOf(
  db: Db,
  organisationId: number,
  projectIds: readonly string[],
): Promise<Map<string, ReportRow>> {
  const picked = sql`
    select m.project_id from project_matches m
    where m.organisation_id = ${organisationId}::int and m.project_id = any (${[...projectIds]}::text[])`
  const rows = await db.query<StoredRow>(rowsSql(organisationId, picked, sql`m.project_id`))
  return new Map(rows.map((row) => [row.project_id, presentRow({ ...row, deep: null })]))
}
