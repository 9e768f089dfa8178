import sql, { join, raw, type Sql } from 'sql-template-tag'
import { inLoadsRead, LATEST_LOADS } from '#server/matching/latest-loads.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { boardVersion } from '#server/report/pursuit-sql.ts'
import type { ReportScope } from '#server/report/queries.ts'
import { type RowFiles, rowsSql, type StoredPage, type StoredRow } from '#server/report/rows-sql.ts'
import { type StoredParts, storedRows } from '#server/report/stored-rows.ts'
import { type VisitRow, visitColumns } from '#server/report/visit-queries.ts'
import { MARK_KINDS, type MarkKind, marksVersion } from './kept-marks.ts'
import { matchVersion } from './match-set.ts'

/** Snapshot version: compared to decide whether memory matches the database. */
export type Stamp = {
  readonly projects: string
  readonly matches: string | null
  /** `LATEST_LOADS`. */
  readonly latest: string | null
  /** `boardVersion` of the organisation. */
  readonly board: string | null
}

export type Asker = Pick<ReportScope, 'organisationId' | 'userId'>

const stampSql = ({ organisationId }: Asker) => sql`
  (select v.version::text from project_version v) as projects, ${matchVersion(sql`${organisationId}::int`)} as matches, ${LATEST_LOADS} as latest,
  ${boardVersion(organisationId)} as board`

export type Standing = Stamp & {
  /** Null for kinds that were not requested. */
  readonly marks: Readonly<Record<MarkKind, string | null>>
  /** `max_project_budget` of the organisation: baht as text. */
  readonly max_budget: string | null
}

const standingSql = (scope: Asker) => {
  const versions = MARK_KINDS.map(
    (kind) => sql`${kind}::text, case when asked.${raw(kind)} then ${marksVersion(kind, scope.userId)} end`,
  )
  return sql`${stampSql(scope)}, json_build_object(${join(versions)}) as marks, o.customer_config ->> 'max_project_budget' as max_budget`
}

/**
 * The organisation `o` and flags for the requested marks. `offset 0` hides the values from the planner: otherwise a
 * custom plan looked cheaper than the cached generic one and every query was planned again, 0.48 ms of planning for
 * 0.05 ms of execution.
 */
const organisationAsked = ({ organisationId }: Asker, asked: ReadonlySet<MarkKind>) => {
  const flags = MARK_KINDS.map((kind) => sql`${asked.has(kind)}::boolean as ${raw(kind)}`)
  return sql`organisations o cross join (select ${join(flags)} offset 0) asked where o.id = ${organisationId}::int`
}

/**
 * Reads everything in one statement, hence one snapshot. The text must stay constant so that the connection can reuse
 * the prepared statement.
 */
export async function readStanding(db: Db, scope: Asker, asked: ReadonlySet<MarkKind>): Promise<Standing> {
  const [standing] = await db.query<Standing>(
    sql`select ${standingSql(scope)} from ${organisationAsked(scope, asked)}`,
    { name: 'report_standing' },
  )
  if (!standing) throw new Error(`no organisation ${scope.organisationId}`)
  return standing
}

export type Opening = { readonly standing: Standing; readonly visit: VisitRow }

/** `standing` is set if it was already read for this search and its marks. */
export type OpenedScope = ReportScope & { readonly standing?: Standing | undefined }

/** Reads both in one statement, hence one snapshot; undefined if the user or organisation does not exist. */
export async function readOpening(
  db: Db,
  scope: Asker,
  asked: ReadonlySet<MarkKind>,
  now: Date,
): Promise<Opening | undefined> {
  const [row] = await db.query<Standing & VisitRow>(
    sql`
    select ${standingSql(scope)}, ${visitColumns(now)}
    from users u cross join ${organisationAsked(scope, asked)} and u.id = ${scope.userId}::int`,
    { name: 'report_opening' },
  )
  if (!row) return undefined
  const { ended_at, loads, is_due, ...standing } = row
  return { standing, visit: { ended_at, loads, is_due: is_due ?? null } }
}

/**
 * Reads the extra `columns` if the database still matches `standing`; undefined if something was written in between.
 * The text per `name` must stay constant so that the connection can reuse the prepared statement.
 */
export async function readAtStanding<Row extends object>(
  db: Db,
  scope: ReportScope,
  standing: Stamp,
  { name, columns }: { readonly name: string; readonly columns: Sql },
): Promise<Row | undefined> {
  const [row] = await db.query<Row & Stamp>(sql`select ${stampSql(scope)}, ${columns}`, { name })
  const { projects, matches, latest, board, ...found } = row!
  // `found` is exactly the requested columns; TypeScript cannot derive that from the rest pattern.
  return isSameMoment({ projects, matches, latest, board }, standing) ? (found as unknown as Row) : undefined
}

export const isSameMoment = (a: Stamp, b: Stamp): boolean =>
  a.projects === b.projects && a.matches === b.matches && a.latest === b.latest && a.board === b.board

/** The rows of one report page and what its heading shows, without the total and the facet counts. */
export type PageRows = Stamp &
  Pick<StoredPage, 'hidden' | 'data_time' | 'customer_config' | 'has_rules' | 'last_match_date' | 'pursuit_version'> & {
    readonly rows: StoredRow[]
  }

export type PickedRow = {
  readonly projectId: string
  /** `CHANGE_CODES` relative to the latest loads. */
  readonly change: number
  readonly words: number
  readonly changedLoad: number
}

/**
 * Reads page rows in the given order, with the snapshot version at which they were read. `latest` comes from the
 * query's snapshot.
 */
export async function readPageRows(
  db: Db,
  scope: ReportScope,
  latest: string | null,
  { rows, files }: { readonly rows: readonly PickedRow[]; readonly files: RowFiles },
): Promise<PageRows> {
  const { organisationId } = scope
  const isLatest = inLoadsRead(latest)
  // No join with matches: if the snapshot version is unchanged, memory already has them.
  const shown = sql`
    select * from unnest(${rows.map(({ projectId }) => projectId)}::text[], ${rows.map(({ words }) => words)}::int[],
      ${rows.map(({ changedLoad }) => changedLoad)}::bigint[], ${rows.map(({ change }) => change)}::int[])
      with ordinality u (project_id, words_id, changed_load, change, place)`
  const [page] = await db.query<Omit<PageRows, 'rows'> & { readonly parts: StoredParts }>(
    sql`
    select ${stampSql(scope)}, o.customer_config,
      (select count(*) from match_exclusions e where e.organisation_id = ${organisationId}::int and ${isLatest(sql`e.load_id`)}) as hidden,
      (select max(l.published_at) from loads l where l.state = 'published') as data_time,
      exists (
        select from keywords k where k.organisation_id = ${organisationId}::int and k.list in ('include', 'ai_include', 'deptsub_include')
      ) as has_rules,
      o.newest_outside_window as last_match_date,
      (select b.version from pursuit_boards b where b.organisation_id = ${organisationId}::int) as pursuit_version,
      ${rowsSql(organisationId, shown, { isLatest, files })} as parts
    from organisations o where o.id = ${organisationId}::int`,
    { name: files === 'listed' ? 'report_page' : 'report_page_counted' },
  )
  if (!page) throw new Error(`no organisation ${organisationId}`)
  const { parts, ...found } = page
  return { ...found, rows: storedRows(parts, files) }
}
