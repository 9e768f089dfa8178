import sql, { join, type Sql } from 'sql-template-tag'
import { createInLatestDataLoadsCondition, LATEST_DATA_LOADS_TEXT_SQL } from '#server/matching/latest-loads.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { pursuitBoardVersionSql } from '#server/report/match-sql.ts'
import type {
  ProjectMarkKind,
  ReportRowFileDetail,
  ReportScope,
  ReportSnapshot,
  ReportSnapshotVersion,
  StoredReportPage,
  StoredReportRow,
} from '#server/report/report-queries.ts'
import { type PackedReportRows, reportRowsSql, toStoredReportRows } from '#server/report/report-rows-sql.ts'

export const PROJECT_MARK_KINDS: readonly ProjectMarkKind[] = ['hidden', 'bookmarked', 'labelled']

/** Where the marks of a kind are stored; `label` groups them. */
export const PROJECT_MARK_TABLES: Readonly<Record<ProjectMarkKind, { readonly table: Sql; readonly label: Sql }>> = {
  hidden: { table: sql`hidden_projects`, label: sql`''` },
  bookmarked: { table: sql`bookmarks`, label: sql`''` },
  labelled: { table: sql`label_assignments`, label: sql`t.label_id` },
}

/**
 * Version of a user's marks: their count and the XOR of their 64-bit hashes. Hashing 17,000 marks takes 3 ms;
 * transferring them and finding their positions would take another 10 ms.
 */
export const userProjectMarksVersionSql = (kind: ProjectMarkKind, userId: number): Sql => {
  const { table, label } = PROJECT_MARK_TABLES[kind]
  return sql`(select count(*) || ' ' || coalesce(bit_xor(hashtextextended(t.project_id || ' ' || ${label}, 0)), 0)
    from ${table} t where t.user_id = ${userId}::int)`
}

/**
 * Returns the last transaction that wrote an organisation's matches; null if there was none since versions were
 * introduced.
 */
export const matchVersionSql = (organisationId: Sql) =>
  sql`(select v.version::text from match_versions v where v.organisation_id = ${organisationId})`

export type ReportViewer = Pick<ReportScope, 'organisationId' | 'userId'>

const versionSql = ({ organisationId }: ReportViewer) => sql`
  (select v.version::text from project_version v) as projects, ${matchVersionSql(sql`${organisationId}::int`)} as matches, ${LATEST_DATA_LOADS_TEXT_SQL} as latest,
  ${pursuitBoardVersionSql(organisationId)} as board`

/**
 * Reads the snapshot in one statement, so that all its versions are consistent. The SQL text must stay constant so that
 * the connection can reuse the prepared statement.
 */
export async function readReportSnapshot(db: Db, scope: ReportViewer): Promise<ReportSnapshot> {
  const marks = PROJECT_MARK_KINDS.map((kind) => sql`${kind}::text, ${userProjectMarksVersionSql(kind, scope.userId)}`)
  const [snapshot] = await db.query<ReportSnapshot>(
    sql`
    select ${versionSql(scope)}, json_build_object(${join(marks)}) as marks, o.customer_config ->> 'max_project_budget' as max_budget
    from organisations o where o.id = ${scope.organisationId}::int`,
    { name: 'report_standing' },
  )
  if (!snapshot) throw new Error(`no organisation ${scope.organisationId}`)
  return snapshot
}

/**
 * Reads the extra `columns` if the database still matches `expected`; undefined if something was written in between.
 * The text per `name` must stay constant so that the connection can reuse the prepared statement.
 */
export async function readColumnsAtReportSnapshot<Row extends object>(
  db: Db,
  scope: ReportScope,
  expected: ReportSnapshotVersion,
  { name, columns }: { readonly name: string; readonly columns: Sql },
): Promise<Row | undefined> {
  const [row] = await db.query<Row & ReportSnapshotVersion>(sql`select ${versionSql(scope)}, ${columns}`, { name })
  const { projects, matches, latest, board, ...extraColumns } = row!
  // `extraColumns` are exactly the requested columns, but TypeScript cannot derive that from the rest pattern.
  return isSameReportSnapshotVersion({ projects, matches, latest, board }, expected)
    ? (extraColumns as unknown as Row)
    : undefined
}

export const isSameReportSnapshotVersion = (a: ReportSnapshotVersion, b: ReportSnapshotVersion): boolean =>
  a.projects === b.projects && a.matches === b.matches && a.latest === b.latest && a.board === b.board

type ReportPageRows = ReportSnapshotVersion &
  Pick<
    StoredReportPage,
    'hidden' | 'data_time' | 'customer_config' | 'has_rules' | 'last_match_date' | 'pursuit_version'
  > & {
    readonly rows: StoredReportRow[]
  }

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
    select ${versionSql(scope)}, o.customer_config,
      (select count(*) from match_exclusions e where e.organisation_id = ${organisationId}::int and ${isLatest(sql`e.load_id`)}) as hidden,
      (select max(l.published_at) from loads l where l.state = 'published') as data_time,
      exists (
        select from keywords k where k.organisation_id = ${organisationId}::int and k.list in ('include', 'ai_include', 'deptsub_include')
      ) as has_rules,
      o.newest_outside_window as last_match_date,
      (select b.version from pursuit_boards b where b.organisation_id = ${organisationId}::int) as pursuit_version,
      ${reportRowsSql(organisationId, pickedRows, { isLatest, files })} as parts
    from organisations o where o.id = ${organisationId}::int`,
    { name: files === 'listed' ? 'report_page' : 'report_page_counted' },
  )
  if (!page) throw new Error(`no organisation ${organisationId}`)
  const { parts, ...pageData } = page
  return { ...pageData, rows: toStoredReportRows(parts, files) }
}
