import sql, { join, raw, type Sql } from 'sql-template-tag'
import { inLoadsRead, LATEST_LOADS } from '#server/matching/latest-loads.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { boardVersion } from '#server/report/pursuit-sql.ts'
import type { ReportScope } from '#server/report/queries.ts'
import { type VisitRow, visitColumns } from '#server/report/queries-visit.ts'
import { type RowFiles, rowsSql, type StoredPage, type StoredRow } from '#server/report/rows-sql.ts'
import { type StoredParts, storedRows } from '#server/report/stored-rows.ts'
import { MARK_KINDS, type MarkKind, marksVersion } from './kept-marks.ts'
import { matchVersion } from './match-set.ts'

/** By which one sees whether what the memory holds is what stands in the database at this moment. */
export type Stamp = {
  readonly projects: string
  readonly matches: string | null
  /** `LATEST_LOADS`. */
  readonly latest: string | null
  /** `boardVersion` of the organisation. */
  readonly board: string | null
}

/** Who asks. */
export type Asker = Pick<ReportScope, 'organisationId' | 'userId'>

const stampSql = ({ organisationId }: Asker) => sql`
  (select v.version::text from project_version v) as projects, ${matchVersion(sql`${organisationId}::int`)} as matches, ${LATEST_LOADS} as latest,
  ${boardVersion(organisationId)} as board`

/** The stamp, and of the user's marks those that are asked for. */
export type Standing = Stamp & {
  /** Versions of the marks; null of those that are not asked for. */
  readonly marks: Readonly<Record<MarkKind, string | null>>
  /** `max_project_budget` of the organisation, baht as text. */
  readonly max_budget: string | null
}

const standingSql = (scope: Asker) => {
  const versions = MARK_KINDS.map(
    (kind) => sql`${kind}::text, case when asked.${raw(kind)} then ${marksVersion(kind, scope.userId)} end`,
  )
  return sql`${stampSql(scope)}, json_build_object(${join(versions)}) as marks, o.customer_config ->> 'max_project_budget' as max_budget`
}

/**
 * The organisation `o`, and which marks are `asked` for. `offset 0` hides the values from the planner: with them in sight a plan for these values alone looked
 * cheaper than the kept one, and each question of a screen was planned anew, 0.48 ms before 0.05 of running.
 */
const organisationAsked = ({ organisationId }: Asker, asked: ReadonlySet<MarkKind>) => {
  const flags = MARK_KINDS.map((kind) => sql`${asked.has(kind)}::boolean as ${raw(kind)}`)
  return sql`organisations o cross join (select ${join(flags)} offset 0) asked where o.id = ${organisationId}::int`
}

/** All in one statement, of one moment. The text never changes: the connection keeps it. */
export async function readStanding(db: Db, scope: Asker, asked: ReadonlySet<MarkKind>): Promise<Standing> {
  const [standing] = await db.query<Standing>(
    sql`select ${standingSql(scope)} from ${organisationAsked(scope, asked)}`,
    { name: 'report_standing' },
  )
  if (!standing) throw new Error(`no organisation ${scope.organisationId}`)
  return standing
}

/** What a question of a screen begins with: what stands in the database, and the user's visit before. */
export type Opening = { readonly standing: Standing; readonly visit: VisitRow }

/** Whose question it is; `standing`: read at its beginning, for this search and its marks. */
export type OpenedScope = ReportScope & { readonly standing?: Standing | undefined }

/** Both in one statement, of one moment; undefined of nobody. */
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
 * Further values, `select` list `columns`, read at the moment of `standing`; undefined when something was written in between, so that they are of another. The text
 * under a `name` never changes: the connection keeps it.
 */
export async function readAtStanding<Row extends object>(
  db: Db,
  scope: ReportScope,
  standing: Stamp,
  { name, columns }: { readonly name: string; readonly columns: Sql },
): Promise<Row | undefined> {
  const [row] = await db.query<Row & Stamp>(sql`select ${stampSql(scope)}, ${columns}`, { name })
  const { projects, matches, latest, board, ...found } = row!
  // What is left of a row without its stamp is what was asked for; TypeScript cannot follow that through the rest.
  return isSameMoment({ projects, matches, latest, board }, standing) ? (found as unknown as Row) : undefined
}

export const isSameMoment = (a: Stamp, b: Stamp): boolean =>
  a.projects === b.projects && a.matches === b.matches && a.latest === b.latest && a.board === b.board

/** What a page shows beside its counts. */
export type PageRows = Stamp &
  Pick<StoredPage, 'hidden' | 'data_time' | 'customer_config' | 'has_rules' | 'last_match_date' | 'pursuit_version'> & {
    readonly rows: StoredRow[]
  }

/** A row to be read, with what the memory knows of its match. */
export type PickedRow = {
  readonly projectId: string
  /** Where it stands in the latest loads: `CHANGE_CODES`. */
  readonly change: number
  /** Id of `match_words`. */
  readonly words: number
  readonly changedLoad: number
}

/** Rows of a page, in the order in which they are picked, and the stamp of the moment at which they stood so. `latest`: that of the question's moment. */
export async function readPageRows(
  db: Db,
  scope: ReportScope,
  latest: string | null,
  { rows, files }: { readonly rows: readonly PickedRow[]; readonly files: RowFiles },
): Promise<PageRows> {
  const { organisationId } = scope
  const isLatest = inLoadsRead(latest)
  // Matches are not looked up: while the stamp is that of the question, they are what the memory holds.
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
