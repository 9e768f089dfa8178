import sql, { join, type Sql } from 'sql-template-tag'
import type { Db } from '#server/engine/db.ts'
import { inLatestLoads, LATEST_LOADS } from '#server/features/matching/latest-loads.ts'
import { boardVersion } from '../pursuit-sql.ts'
import type { ReportScope } from '../queries.ts'
import { type RowFiles, rowsSql, type StoredPage, type StoredRow } from '../rows-sql.ts'
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

const stampSql = ({ organisationId }: ReportScope) => sql`
  (select v.version::text from project_version v) as projects, ${matchVersion(sql`${organisationId}::int`)} as matches, ${LATEST_LOADS} as latest,
  ${boardVersion(organisationId)} as board`

/** The stamp, and of the user's marks those that are asked for. */
export type Standing = Stamp & {
  /** Versions of the marks; null of those that are not asked for. */
  readonly marks: Readonly<Record<MarkKind, string | null>>
  /** `max_project_budget` of the organisation, baht as text. */
  readonly max_budget: string | null
}

/** All in one statement, of one moment. The text never changes: the connection keeps it. */
export async function readStanding(db: Db, scope: ReportScope, asked: ReadonlySet<MarkKind>): Promise<Standing> {
  const { organisationId, userId } = scope
  const versions = MARK_KINDS.map(
    (kind) => sql`${kind}::text, case when ${asked.has(kind)}::boolean then ${marksVersion(kind, userId)} end`,
  )
  const [standing] = await db.query<Standing>(
    sql`
    select ${stampSql(scope)}, json_build_object(${join(versions)}) as marks, o.customer_config ->> 'max_project_budget' as max_budget
    from organisations o where o.id = ${organisationId}::int`,
    { name: 'report_standing' },
  )
  if (!standing) throw new Error(`no organisation ${organisationId}`)
  return standing
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

/** A row to be read, and where it stands in the latest loads: `CHANGE_CODES`. */
export type PickedRow = { readonly projectId: string; readonly change: number }

/** Rows of a page, in the order in which they are picked, and the stamp of the moment at which they stood so. */
export async function readPageRows(
  db: Db,
  scope: ReportScope,
  rows: readonly PickedRow[],
  files: RowFiles,
): Promise<PageRows> {
  const { organisationId } = scope
  const ids = rows.map(({ projectId }) => projectId)
  const picked = sql`
    select u.id as project_id, u.change from unnest(${ids}::text[], ${rows.map(({ change }) => change)}::int[]) u (id, change)`
  const [page] = await db.query<PageRows>(
    sql`
    select ${stampSql(scope)}, o.customer_config,
      (select count(*) from match_exclusions e where e.organisation_id = ${organisationId}::int and ${inLatestLoads(sql`e.load_id`)}) as hidden,
      (select max(l.published_at) from loads l where l.state = 'published') as data_time,
      exists (
        select from keywords k where k.organisation_id = ${organisationId}::int and k.list in ('include', 'ai_include', 'deptsub_include')
      ) as has_rules,
      o.newest_outside_window as last_match_date,
      (select b.version from pursuit_boards b where b.organisation_id = ${organisationId}::int) as pursuit_version,
      coalesce((select json_agg(r) from (${rowsSql(organisationId, picked, sql`m.project_id`, { change: sql`page.change`, files })}) r), '[]') as rows
    from organisations o where o.id = ${organisationId}::int`,
    { name: files === 'listed' ? 'report_page' : 'report_page_counted' },
  )
  if (!page) throw new Error(`no organisation ${organisationId}`)
  const byId = new Map(page.rows.map((row) => [row.project_id, { ...row, deep: null }]))
  return { ...page, rows: ids.flatMap((id) => byId.get(id) ?? []) }
}
