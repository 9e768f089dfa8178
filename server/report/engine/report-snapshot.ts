import sql, { empty, type Sql } from 'sql-template-tag'
import { createInLatestDataLoadsCondition, LATEST_DATA_LOADS_TEXT_SQL } from '#server/matching/latest-loads.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { markVersionSql, matchVersionSql, pursuitBoardVersionSql } from '#server/report/match-sql.ts'
import type { ReportRowFileDetail, ReportScope, StoredReportPage } from '#server/report/report-queries.ts'
import {
  type PackedReportRows,
  type ReportPageColumns,
  reportPageColumnsSql,
  reportRowsSql,
  toStoredReportRows,
} from '#server/report/report-rows-sql.ts'

/** Versions of everything that the report of an organisation depends on. Equal versions mean equal reports. */
type ReportSnapshotVersion = {
  readonly projects: string
  readonly matches: string | null
  readonly latest: string | null
  readonly board: string | null
}

export type ReportSnapshot = ReportSnapshotVersion & {
  /** Version of the user's marks. */
  readonly marks: string | null
  /** The organisation's `max_project_budget` in baht, as text. */
  readonly max_budget: string | null
}

export type ReportViewer = Pick<ReportScope, 'organisationId' | 'userId'>

const versionSql = ({ organisationId }: ReportViewer) => sql`
  (select v.version::text from project_version v) as projects, ${matchVersionSql(organisationId)} as matches, ${LATEST_DATA_LOADS_TEXT_SQL} as latest,
  ${pursuitBoardVersionSql(organisationId)} as board`

/** Further columns of the statement that reads the snapshot. `name` names the prepared statement. */
export type SnapshotColumns = { readonly name: string; readonly columns: Sql }

/**
 * Reads the snapshot in one statement, so that all its versions are consistent. The SQL text must stay constant so that
 * the connection can reuse the prepared statement.
 */
export async function readReportSnapshot<Extra extends object = object>(
  db: Db,
  scope: ReportViewer,
  extra?: SnapshotColumns,
): Promise<ReportSnapshot & Extra> {
  const [snapshot] = await db.query<ReportSnapshot & Extra>(
    sql`
    select ${versionSql(scope)}, ${markVersionSql(scope.userId)} as marks, o.customer_config ->> 'max_project_budget' as max_budget ${extra ? sql`, ${extra.columns}` : empty}
    from organisations o where o.id = ${scope.organisationId}::int`,
    { name: extra?.name ?? 'report_standing' },
  )
  if (!snapshot) throw new Error(`no organisation ${scope.organisationId}`)
  return snapshot
}

export const isSameReportSnapshotVersion = (a: ReportSnapshotVersion, b: ReportSnapshotVersion): boolean =>
  a.projects === b.projects && a.matches === b.matches && a.latest === b.latest && a.board === b.board

type ReportPageRows = ReportSnapshotVersion & ReportPageColumns & Pick<StoredReportPage, 'rows'>

export type SelectedReportRow = {
  readonly projectId: string
  readonly change: number
  readonly words: number
  readonly changedLoad: number
}

/**
 * Reads page rows in the given order, with the snapshot version at which they were read. `latest` comes from the
 * query's snapshot.
 */
export async function readReportPageRows(
  db: Db,
  scope: ReportScope,
  latest: string | null,
  { rows, files }: { readonly rows: readonly SelectedReportRow[]; readonly files: ReportRowFileDetail },
): Promise<ReportPageRows> {
  const { organisationId } = scope
  const isLatest = createInLatestDataLoadsCondition(latest)
  // The query does not join the matches: while the snapshot version is unchanged, memory already has them.
  const pickedRows = sql`
    select * from unnest(${rows.map(({ projectId }) => projectId)}::text[], ${rows.map(({ words }) => words)}::int[],
      ${rows.map(({ changedLoad }) => changedLoad)}::bigint[], ${rows.map(({ change }) => change)}::int[])
      with ordinality u (project_id, words_id, changed_load, change, place)`
  const [page] = await db.query<Omit<ReportPageRows, 'rows'> & { readonly parts: PackedReportRows }>(
    sql`
    select ${versionSql(scope)}, ${reportPageColumnsSql(organisationId, isLatest)},
      ${reportRowsSql(organisationId, pickedRows, { isLatest, files })} as parts
    from organisations o where o.id = ${organisationId}::int`,
    { name: files === 'listed' ? 'report_page' : 'report_page_counted' },
  )
  if (!page) throw new Error(`no organisation ${organisationId}`)
  const { parts, ...pageData } = page
  return { ...pageData, rows: toStoredReportRows(parts, files) }
}
