import sql, { type Sql } from 'sql-template-tag'
import type { FollowKind } from '#contract/report/follow.ts'
import { DEMO_ORGANISATION_CODE } from '#contract/reserved-organisations.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { ComparedProject } from '#server/report/project/similar-project-queries.ts'
import { followedDepartmentCondition } from './queries.ts'

export type FollowUpdate = {
  readonly user_id: number
  readonly organisation_id: number
  readonly kind: FollowKind
  readonly key: string
  readonly project_id: string
}

const NO_TIMEOUT = { timeoutMs: 0 }
/**
 * SQL for users who receive updates about followed items: the same recipients as for other notifications
 * (server/account/notification/queries.ts).
 */
const FOLLOWERS = sql`(
  select f.* from follows f join users u on u.id = f.user_id join organisations o on o.id = f.organisation_id
  where not u.is_disabled and not u.is_demo_visitor and not o.is_disabled and not o.is_access_budget_year_only and o.code <> ${DEMO_ORGANISATION_CODE}
)`
const isShown = sql`not exists (select from hidden_projects h where h.user_id = f.user_id and h.project_id = p.project_id)`
const inReport = sql`join project_matches m on m.organisation_id = f.organisation_id and m.project_id = p.project_id`

export async function findAgencyFollowUpdates(tx: Db, loadId: number): Promise<FollowUpdate[]> {
  return tx.query<FollowUpdate>(
    sql`
    select f.user_id, f.organisation_id, f.kind, f.key, p.project_id
    from ${FOLLOWERS} f
    join departments d on ${followedDepartmentCondition('d', sql`f.key`)}
    join projects p on p.department_id = d.id and p.written_load = ${loadId}::bigint and p.first_load = ${loadId}::bigint
    ${inReport}
    where f.kind = 'department' and ${isShown}`,
    NO_TIMEOUT,
  )
}

/**
 * A project awarded in this load, with its winners. Limited to projects in the report of an organisation that follows
 * companies.
 */
export type NewlyAwardedProject = {
  readonly project_id: string
  readonly won_on: string
  readonly parties: readonly { readonly taxId: string | null; readonly name: string | null }[]
}
export type CompanyFollow = Omit<FollowUpdate, 'project_id'> & { readonly followed_on: string }

export async function findNewlyAwardedProjects(tx: Db, loadId: number): Promise<NewlyAwardedProject[]> {
  return tx.query<NewlyAwardedProject>(
    sql`
    select p.project_id, coalesce(p.winner_announced_on, p.contract_signed_on) as won_on, coalesce((
        select jsonb_agg(distinct jsonb_build_object('taxId', w.tin, 'name', w.name)) from (
          select c.winner_tin as tin, c.winner_name as name from contracts c where c.project_id = p.project_id
          union select b.tin, b.name from bidders b where b.project_id = p.project_id and b.is_winner
        ) w), '[]') as parties
    from projects p
    where p.written_load = ${loadId}::bigint and p.changed_load = ${loadId}::bigint and coalesce(p.winner_announced_on, p.contract_signed_on) is not null
      and p.status not in ('invitation_cancelled', 'project_cancelled')
      and exists (
        select from project_matches m join follows f on f.organisation_id = m.organisation_id and f.kind = 'company' where m.project_id = p.project_id)`,
    NO_TIMEOUT,
  )
}

export async function findCompanyFollows(tx: Db, projectId: string, keys: readonly string[]): Promise<CompanyFollow[]> {
  return tx.query<CompanyFollow>(sql`
    select f.user_id, f.organisation_id, f.kind, f.key, (f.created_at at time zone 'Asia/Bangkok')::date as followed_on
    from ${FOLLOWERS} f join projects p on p.project_id = ${projectId} ${inReport}
    where f.kind = 'company' and f.key = any (${[...keys]}::text[]) and ${isShown}`)
}

export type RelatedProjectPair = {
  readonly user_id: number
  readonly organisation_id: number
  readonly own: ComparedProject
  readonly other: ComparedProject
}

/** SQL expression: the `ComparedProject` of a row of `projects`. */
export const comparedProjectSql = (project: Sql): Sql =>
  sql`jsonb_build_object('project_id', ${project}.project_id, 'name', ${project}.name, 'department_id', ${project}.department_id, 'status', ${project}.status,
    'fiscal_year', ${project}.fiscal_year, 'budget_satang', ${project}.budget_satang, 'movement_on', ${project}.movement_on,
    'announced_on', least(${project}.draft_published_on, ${project}.bidding_invited_on))`

export async function findRelatedProjectPairs(tx: Db, loadId: number): Promise<RelatedProjectPair[]> {
  return tx.query<RelatedProjectPair>(
    sql`
    select f.user_id, f.organisation_id, ${comparedProjectSql(sql`q`)} as own, ${comparedProjectSql(sql`p`)} as other
    from ${FOLLOWERS} f
    join projects q on q.project_id = f.key
    join projects p on p.department_id = q.department_id and p.project_id <> q.project_id and p.written_load = ${loadId}::bigint
      and p.first_load = ${loadId}::bigint
    ${inReport}
    where f.kind = 'project' and ${isShown}`,
    NO_TIMEOUT,
  )
}

export async function storeFollowUpdates(
  tx: Db,
  updates: readonly FollowUpdate[],
  at: Date,
): Promise<{ readonly userId: number; readonly organisationId: number }[]> {
  const timestamp = sql`${at.toISOString()}::timestamptz`
  const notified = await tx.query<{ user_id: number; organisation_id: number; is_mailed: boolean }>(
    sql`
    with found as (
      select * from jsonb_to_recordset(${JSON.stringify(updates)}::jsonb) as r (user_id int, organisation_id int, kind text, key text, project_id text)
    ), fresh as (
      insert into follow_news (user_id, organisation_id, kind, key, project_id, found_at)
      select user_id, organisation_id, kind, key, project_id, ${timestamp} from found order by project_id
      on conflict do nothing returning user_id, organisation_id, kind, key, project_id
    ), wanted as (
      select n.*, f.name, coalesce(n.kind = any (s.bell), true) as in_bell, coalesce(n.kind = any (s.mail), true) as in_mail
      from fresh n join follows f on f.user_id = n.user_id and f.kind = n.kind and f.key = n.key
      left join follow_settings s on s.user_id = n.user_id
    ), locked as (
      update users u set notifications_click_read = true where u.id in (select user_id from wanted where in_bell) returning u.id
    ), bell as (
      insert into notifications (user_id, organisation_id, type, project_id, file_name, version, created_at)
      select w.user_id, w.organisation_id, 'Followed_' || w.kind, w.project_id, w.name, md5(w.key), ${timestamp}
      from wanted w where w.in_bell and (select count(*) from locked) > 0 order by w.project_id
      on conflict do nothing
    )
    select user_id, organisation_id, bool_or(in_mail) as is_mailed from wanted group by user_id, organisation_id`,
    NO_TIMEOUT,
  )
  return notified
    .filter(({ is_mailed: isMailed }) => isMailed)
    .map(({ user_id: userId, organisation_id: organisationId }) => ({ userId, organisationId }))
}
