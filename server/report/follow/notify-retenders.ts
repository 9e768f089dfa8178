import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import { getProjectLinkKind } from '#server/report/project/find-linked-projects.ts'
import type { ComparedProject } from '#server/report/project/similar-project-queries.ts'
import { comparedProjectSql } from './follow-update-queries.ts'

type RetenderCandidate = {
  readonly user_id: number
  readonly organisation_id: number
  readonly own: ComparedProject
  readonly other: ComparedProject
}

const NO_TIMEOUT = { timeoutMs: 0 }
const MAX_DAYS_BEFORE_CANCELLATION = 180

/**
 * Notifies users who bookmarked, labelled or pursue a cancelled project that it was probably retendered under another
 * number. The two projects may arrive in one load or in either order. Each user is notified once per pair; users who
 * follow the project get `Followed_project` instead. Returns the number of notifications.
 */
export async function notifyFollowersOfRetenders(tx: Db, loadId: number, at: Date): Promise<number> {
  const pairs = await findRetenderCandidates(tx, loadId)
  const notices = pairs.flatMap(({ own: cancelled, other: retender, user_id, organisation_id }) =>
    getProjectLinkKind(cancelled, retender) === 'retendered_as'
      ? [{ user_id, organisation_id, project_id: retender.project_id, old_id: cancelled.project_id }]
      : [],
  )
  if (notices.length === 0) return 0
  return tx.execute(
    sql`
    with found as (
      select distinct on (r.user_id, r.project_id) r.* from jsonb_to_recordset(${JSON.stringify(notices)}::jsonb)
        as r (user_id int, organisation_id int, project_id text, old_id text)
      where not exists (
        select from notifications n where n.user_id = r.user_id and n.type = 'Announced_anew' and n.project_id = r.project_id and n.version = r.old_id)
      order by r.user_id, r.project_id, r.old_id
    ), told as (
      update users u set notifications_click_read = true where u.id in (select user_id from found) returning u.id
    )
    insert into notifications (user_id, organisation_id, type, project_id, version, created_at)
    select f.user_id, f.organisation_id, 'Announced_anew', f.project_id, f.old_id, ${at.toISOString()}::timestamptz
    from found f join told on told.id = f.user_id order by f.user_id, f.project_id
    on conflict do nothing`,
    NO_TIMEOUT,
  )
}

async function findRetenderCandidates(tx: Db, loadId: number): Promise<RetenderCandidate[]> {
  return tx.query<RetenderCandidate>(
    sql`
    with marked as (
      select b.user_id, b.project_id from bookmarks b
      union select l.user_id, l.project_id from label_assignments l
      union select coalesce(c.owner_id, c.created_by), c.project_id from pursuits c
    ), cancelled as materialized (
      select m.user_id, u.organisation_id, q.* from marked m
      join projects q on q.project_id = m.project_id and q.status in ('invitation_cancelled', 'project_cancelled')
      join users u on u.id = m.user_id join organisations o on o.id = u.organisation_id
      where not u.is_disabled and not u.is_demo_visitor and not o.is_disabled and not o.is_access_budget_year_only
        and not exists (select from follows f where f.user_id = m.user_id and f.kind = 'project' and f.key = m.project_id)
    )
    select q.user_id, q.organisation_id, ${comparedProjectSql(sql`q`)} as own, ${comparedProjectSql(sql`p`)} as other
    from cancelled q
    join projects p on p.department_id = q.department_id and p.project_id <> q.project_id
      and p.status not in ('invitation_cancelled', 'project_cancelled')
      and ((p.written_load = ${loadId}::bigint and p.first_load = ${loadId}::bigint)
        or (q.changed_load = ${loadId}::bigint and coalesce(p.bidding_invited_on, p.draft_published_on) >= q.movement_on - ${MAX_DAYS_BEFORE_CANCELLATION}::int))
    join project_matches m on m.organisation_id = q.organisation_id and m.project_id = p.project_id
    where not exists (select from hidden_projects h where h.user_id = q.user_id and h.project_id = p.project_id)`,
    NO_TIMEOUT,
  )
}
