import sql, { join, type Sql } from 'sql-template-tag'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { Db } from '#server/engine/db.ts'
import { LATEST_LOAD } from '../filter-sql.ts'
import type { ReportScope } from '../queries.ts'
import { rowsSql, type StoredPage, type StoredRow } from '../rows-sql.ts'
import { matchVersion } from './match-set.ts'

/** By which one sees whether what the memory holds is what stands in the database at this moment. */
export type Stamp = {
  readonly projects: string
  readonly matches: string | null
  readonly latest: number | null
}

const stampSql = ({ organisationId }: ReportScope) => sql`
  (select v.version::text from project_version v) as projects, ${matchVersion(sql`${organisationId}::int`)} as matches, ${LATEST_LOAD} as latest`

/** The stamp, and what the user marked: the user's own tables are read anew for each question. */
export type Standing = Stamp & {
  readonly hidden: readonly string[]
  readonly bookmarked: readonly string[]
  readonly labelled: readonly (readonly [label: string, projectId: string])[]
  /** `max_project_budget` of the organisation, baht as text. */
  readonly max_budget: string | null
}

/** All in one statement, of one moment. */
export async function readStanding(db: Db, scope: ReportScope, search: ReportSearch | 'all marks'): Promise<Standing> {
  const { organisationId, userId } = scope
  const asked = (name: 'project_bookmark' | 'project_label__in') => search === 'all marks' || search[name] !== undefined
  const mine = (table: Sql) => sql`select t.project_id from ${table} t where t.user_id = ${userId}::int`
  const none = sql`array[]::text[]`
  const [standing] = await db.query<Standing>(sql`
    select ${join([
      stampSql(scope),
      sql`array(${mine(sql`hidden_projects`)}) as hidden`,
      sql`${asked('project_bookmark') ? sql`array(${mine(sql`bookmarks`)})` : none} as bookmarked`,
      asked('project_label__in')
        ? sql`(
            select coalesce(json_agg(json_build_array(t.label_id, t.project_id)), '[]') from label_assignments t where t.user_id = ${userId}::int
          ) as labelled`
        : sql`'[]'::json as labelled`,
      sql`o.customer_config ->> 'max_project_budget' as max_budget`,
    ])}
    from organisations o where o.id = ${organisationId}::int`)
  if (!standing) throw new Error(`no organisation ${organisationId}`)
  return standing
}

/** What a page shows beside its counts. */
export type PageRows = Stamp &
  Pick<StoredPage, 'hidden' | 'data_time' | 'customer_config' | 'has_rules' | 'last_match_date'> & {
    readonly rows: StoredRow[]
  }

/** Rows of a page by id, in the order of the ids, and the stamp of the moment at which they stood so. */
export async function readPageRows(db: Db, scope: ReportScope, projectIds: readonly string[]): Promise<PageRows> {
  const { organisationId } = scope
  const picked = sql`select u.id as project_id from unnest(${[...projectIds]}::text[]) u (id)`
  const [page] = await db.query<PageRows>(sql`
    select ${stampSql(scope)}, o.customer_config,
      (select count(*) from match_exclusions e where e.organisation_id = o.id and e.load_id = ${LATEST_LOAD}) as hidden,
      (select max(l.published_at) from loads l where l.state = 'published') as data_time,
      exists (
        select from keywords k where k.organisation_id = o.id and k.list in ('include', 'ai_include', 'deptsub_include')
      ) as has_rules,
      o.newest_outside_window as last_match_date,
      coalesce((select json_agg(r) from (${rowsSql(organisationId, picked, sql`m.project_id`)}) r), '[]') as rows
    from organisations o where o.id = ${organisationId}::int`)
  if (!page) throw new Error(`no organisation ${organisationId}`)
  const byId = new Map(page.rows.map((row) => [row.project_id, { ...row, deep: null }]))
  return { ...page, rows: projectIds.flatMap((id) => byId.get(id) ?? []) }
}
