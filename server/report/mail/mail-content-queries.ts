import sql from 'sql-template-tag'
import type { NearDeadlineKind } from '#contract/catalogue/bid-state.ts'
import type { TeamFilterNames } from '#contract/report/report-list-filter-choices.ts'
import { inLatestDataLoadsCondition } from '#server/matching/latest-loads.ts'
import type { Db } from '#server/platform/engine/db.ts'
import {
  announcedInDataLoadsCondition,
  changedInDataLoadsCondition,
  createDataLoadConditionFn,
  nearDeadlineKindSql,
  stageLabelAndMemberNamesSql,
} from '#server/report/match-sql.ts'
import { WANTS_REPORT_MAIL_SQL } from './mail-schedule-queries.ts'

export type ReportMailRecipient = {
  userId: number
  organisationId: number
  email: string
  wanted: boolean
  labels: { id: string; name: string; color: string }[]
  team: TeamFilterNames
  /** Saved filters with email enabled, as stored. They may be in the format of an older version. */
  filters: { id: string; name: string; filterData: unknown }[]
  not_allow_start_time: string | null
  not_allow_end_time: string | null
  lastMailAt: string | null
}

export async function findReportMailRecipient(db: Db, userId: number): Promise<ReportMailRecipient | undefined> {
  const rows = await db.query<ReportMailRecipient>(sql`
    select u.id as "userId", u.organisation_id as "organisationId", u.email, ${WANTS_REPORT_MAIL_SQL} as wanted,
      o.customer_config ->> 'not_allow_start_time' as not_allow_start_time, o.customer_config ->> 'not_allow_end_time' as not_allow_end_time,
      (select coalesce(json_agg(json_build_object('id', l.id, 'name', l.name, 'color', l.color) order by l.created_at, l.id), '[]')
        from labels l where l.user_id = u.id) as labels,
      ${stageLabelAndMemberNamesSql(sql`o.id`)} as team,
      (select coalesce(json_agg(json_build_object('id', f.id, 'name', f.name, 'filterData', f.filter_data) order by f.created_at, f.id), '[]')
        from saved_filters f where f.user_id = u.id and f.is_send) as filters,
      (select max(r.settled_at) from report_mails r where r.user_id = u.id and r.state = 'queued') as "lastMailAt"
    from users u join organisations o on o.id = u.organisation_id
    where u.id = ${userId}::int`)
  return rows[0]
}

export async function findDeletedSavedFilterParts(
  db: Db,
  userId: number,
): Promise<{ readonly filter: string; readonly what: string }[]> {
  return db.query(sql`
    select f.name as filter, n.file_name as what
    from notifications n join saved_filters f on f.user_id = n.user_id and f.id = n.version
    where n.user_id = ${userId}::int and n.type = 'Filter_part_gone' and f.is_send and n.mailed_at is null
    order by n.id`)
}

export async function markDeletedFilterPartsMailed(tx: Db, userId: number, at: Date): Promise<void> {
  await tx.execute(sql`
    update notifications set mailed_at = ${at.toISOString()}::timestamptz
    where user_id = ${userId}::int and type = 'Filter_part_gone' and mailed_at is null`)
}

export type ReportMailProject = {
  id: string
  is_archived: boolean
  is_new: boolean
  /** Time (UTC ISO) at which a document of the project recently matched (decision 0120); null if none did. */
  documented_at?: string | null
  is_changed: boolean
  has_result: boolean
  due: NearDeadlineKind | null
  closes_on: string | null
  /** Closing time on the day of the deadline, as `HH:mm` or `HH:mm-HH:mm`. Known only for the submission of bids. */
  closes_at: string | null
}

/** Documents arrive hours after the email about their load, so later emails report them within this window. */
const DOCUMENT_REPORT_WINDOW = '3 days'

const RESULT_FIELDS = ['winner_name', 'winner_announce_date']

type ReportMailProjectOptions = {
  readonly loadIds: readonly number[]
  /** Projects that the loads announced: only the first ones, because an import can announce all matches at once. */
  readonly announcedIds: readonly string[]
  readonly today: string
  readonly now: Date
}

/**
 * Returns the active and archived projects that may appear in emails: nearest deadline first, then newest movement.
 * Queried once for all users of an organisation with the same `announcedIds`.
 */
export async function findReportMailProjects(
  db: Db,
  organisationId: number,
  { loadIds, announcedIds, today, now }: ReportMailProjectOptions,
): Promise<ReportMailProject[]> {
  const loads = sql`${[...loadIds]}::bigint[]`
  const inLoads = createDataLoadConditionFn(loadIds)
  return db.query<ReportMailProject>(sql`
    with documented as (
      select x.project_id, max(x.found_at) as documented_at from document_matches x
      where x.organisation_id = ${organisationId}::int and x.load_id is not null and x.found_at > ${now.toISOString()}::timestamptz - ${DOCUMENT_REPORT_WINDOW}::interval
        and exists (
          select from worded_matches m where m.organisation_id = x.organisation_id and m.project_id = x.project_id
            and m.matched_by = '{document}')
      group by x.project_id
    ), candidates as (
      select unnest(${[...announcedIds]}::text[]) as project_id
      union select m.project_id from project_matches m where m.organisation_id = ${organisationId}::int and ${changedInDataLoadsCondition(inLoads)}
      union select c.project_id from project_changes c where c.load_id = any (${loads})
      union select d.project_id from documented d
      union select p.project_id from projects p
        where not p.is_archived and greatest(p.draft_discussion_ends_on, p.submission_ends_on) >= ${today}::date
    ), found as materialized (
      select m.project_id, m.is_archived, m.movement_on, m.submission_ends_on, m.draft_discussion_ends_on, ${announcedInDataLoadsCondition(inLoads)} as is_new,
        coalesce(${changedInDataLoadsCondition(inLoads)}, false)
          or m.project_id in (select c.project_id from project_changes c where c.load_id = any (${loads})) as is_changed,
        case when not m.is_archived then ${nearDeadlineKindSql({ today })} end as due
      from report_matches m where m.organisation_id = ${organisationId}::int and m.project_id in (select c.project_id from candidates c)
    )
    select f.project_id as id, f.is_archived, f.is_new, n.documented_at, f.is_changed, f.due, c.closes_on,
      case when f.due = 'closing' then p.submission_time end as closes_at,
      p.winner_name is not null and exists (
        select from project_changes r where r.project_id = f.project_id and r.load_id = any (${loads})
          and r.field = any (${RESULT_FIELDS}::text[]) and r.new_value is not null
      ) as has_result
    from found f join projects p on p.project_id = f.project_id
    left join documented n on n.project_id = f.project_id
    cross join lateral (
      select case f.due when 'closing' then f.submission_ends_on when 'comment' then f.draft_discussion_ends_on end as closes_on
    ) c
    where f.is_new or f.is_changed or c.closes_on is not null or n.documented_at is not null
    order by c.closes_on nulls last, f.movement_on desc nulls last, f.project_id`)
}

export type ProjectFieldChange = { project_id: string; field: string; old: string | null; new: string | null }

/**
 * Returns the changes that these loads made: for each field, the value before the first load and the value after the
 * last.
 */
export async function findProjectFieldChanges(
  db: Db,
  loadIds: readonly number[],
  projectIds: readonly string[],
): Promise<ProjectFieldChange[]> {
  return db.query<ProjectFieldChange>(sql`
    select c.project_id, c.field, (array_agg(c.old_value order by c.load_id))[1] as old,
      (array_agg(c.new_value order by c.load_id desc))[1] as new
    from project_changes c
    where c.load_id = any (${[...loadIds]}::bigint[]) and c.project_id = any (${[...projectIds]}::text[])
    group by c.project_id, c.field
    having (array_agg(c.old_value order by c.load_id))[1] is distinct from (array_agg(c.new_value order by c.load_id desc))[1]
    order by c.project_id, c.field`)
}

export async function findBookmarkedProjectIds(
  db: Db,
  userId: number,
  projectIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ id: string }>(sql`
    select project_id as id from bookmarks where user_id = ${userId}::int and project_id = any (${[...projectIds]}::text[])`)
  return new Set(rows.map(({ id }) => id))
}

export async function findDataPublicationTime(db: Db, loadIds: readonly number[]): Promise<string> {
  const [row] = await db.query<{ at: string }>(sql`
    select max(published_at) as at from loads where id = any (${[...loadIds]}::bigint[])`)
  return row!.at
}

/** Returns by project the newest day on which the organisation commented on its draft. */
export async function findDraftCommentDays(
  db: Db,
  organisationId: number,
  projectIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ id: string; day: string }>(sql`
    select project_id as id, max(commented_on) as day from draft_comments
    where organisation_id = ${organisationId}::int and project_id = any (${[...projectIds]}::text[]) and withdrawn_at is null
    group by project_id`)
  return new Map(rows.map(({ id, day }) => [id, day]))
}

export async function findLatestDataLoadIds(db: Db): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`
    select l.id from loads l where l.state = 'published' and ${inLatestDataLoadsCondition(sql`l.id`)} order by l.id`)
  return rows.map(({ id }) => id)
}
