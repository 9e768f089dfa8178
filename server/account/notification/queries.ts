import type { Sql } from 'sql-template-tag'
import sql, { empty } from 'sql-template-tag'
import { DEADLINE_WARNING_LEAD_DAYS } from '#contract/account/notification.ts'
import { DEMO_ORGANISATION_CODE } from '#contract/reserved-organisations.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { newestNotificationsSql } from './notifications.ts'

type StoredChangePoll = {
  data_time: string | null
  newest: number | null
  unread: number
  pursuit_version: number | null
}

/**
 * Time of the newest load relevant to the organisation. Loads of a nightly run that wrote none of its matches are
 * skipped, because a notice every half minute would be noise. The second part of a match version is the time of the
 * transaction that wrote the matches, which is also the publication time of the load.
 */
const DATA_TIME = sql`(
  select case when l.night is null then l.published_at else least(l.published_at, greatest(
      (select max(o.published_at) from loads o where o.state = 'published' and o.night is null),
      (select max(to_timestamp(split_part(v.version, ' ', 2)::float8)) from match_versions v))) end
  from loads l where l.state = 'published' order by l.published_at desc nulls last, l.id desc limit 1)`

/**
 * Returns what open tabs poll every 20 seconds: the time of the newest load, the newest listed notification and the
 * unread count. Runs as a tenant.
 */
export async function loadDataChangePollState(db: Db, userId: number): Promise<StoredChangePoll> {
  const [poll] = await db.query<StoredChangePoll>(sql`
    select ${DATA_TIME} as data_time,
      (select b.version from pursuit_boards b join users u on u.organisation_id = b.organisation_id where u.id = ${userId}::int) as pursuit_version,
      max(n.id) as newest, count(*) filter (where n.read_at is null) as unread
    from (${newestNotificationsSql(sql`${userId}::int`)}) n`)
  return poll!
}

/** Disables the statement timeout, because a load writes the notifications of all organisations at once. */
export const NO_STATEMENT_TIMEOUT = { timeoutMs: 0 }

/**
 * Condition for users who receive notifications: no demo users, and only if the subscription package includes the
 * report. Expects the aliases `u` (users) and `o` (organisations).
 */
export const IS_NOTIFIABLE_USER_SQL = sql`not u.is_disabled and not u.is_demo_visitor and not o.is_disabled
  and not o.is_access_budget_year_only and o.code <> ${DEMO_ORGANISATION_CODE}`

const IS_NEW = sql`
  not exists (select from hidden_projects h where h.user_id = f.user_id and h.project_id = f.project_id)
  and not exists (
    select from notifications n
    where n.user_id = f.user_id and n.project_id = f.project_id and n.type = f.type
      and n.due_on is not distinct from f.due_on and n.load_id is not distinct from f.load_id
  )`

/**
 * Stores the new rows among `candidates` (user_id, organisation_id, type, project_id, due_on, load_id) and returns
 * their number. Counting the updated users makes the update, and with it the row locks, precede the first insert; thus
 * the ids of one user grow in the order in which they become visible. Avoids a join, for which the planner expects one
 * row and picks a nested loop.
 */
async function storeNew(tx: Db, candidates: Sql, at: Date): Promise<number> {
  return tx.execute(
    sql`
    with found as (${candidates}),
    news as materialized (select f.* from found f where ${IS_NEW}),
    told as (
      update users u set notifications_click_read = true where u.id in (select user_id from news) returning u.id
    )
    insert into notifications (user_id, organisation_id, type, project_id, due_on, load_id, created_at)
    select f.user_id, f.organisation_id, f.type, f.project_id, f.due_on, f.load_id, ${at.toISOString()}::timestamptz
    from news f where (select count(*) from told) > 0
    order by f.due_on desc, f.type, f.project_id -- the most urgent last, which is shown first
    on conflict do nothing`,
    NO_STATEMENT_TIMEOUT,
  )
}

/**
 * Notifies users who starred or labelled a project in which the load changed a tracked field (D3), and owners of board
 * cards whose project it cancelled. Returns the number of notifications.
 */
export async function insertUpdateNotifications(tx: Db, loadId: number, at: Date): Promise<number> {
  // Two joins instead of one with a union: the planner estimates one changed row and would scan all marks for each.
  const changedAnd = (marks: Sql) => sql`
    select u.id as user_id, u.organisation_id, 'Updated' as type, p.project_id, null::date as due_on, p.changed_load as load_id
    from projects p
    join ${marks} marked on marked.project_id = p.project_id
    join users u on u.id = marked.user_id
    join organisations o on o.id = u.organisation_id
    join project_matches m on m.organisation_id = u.organisation_id and m.project_id = p.project_id
    where p.changed_load = ${loadId}::bigint and p.first_load <> ${loadId}::bigint and ${IS_NOTIFIABLE_USER_SQL}`
  const cards = sql`(select coalesce(c.owner_id, c.created_by) as user_id, c.project_id from pursuits c)`
  return storeNew(
    tx,
    sql`
      ${changedAnd(sql`bookmarks`)} union ${changedAnd(sql`label_assignments`)} union ${changedAnd(cards)}
        and p.status in ('invitation_cancelled', 'project_cancelled')
        and exists (select from project_changes c where c.project_id = p.project_id and c.load_id = ${loadId}::bigint and c.field = 'status')`,
    at,
  )
}

/**
 * Warns of dates in the next seven days (D17) for open projects only, since an offer for a cancelled or decided one is
 * pointless. Covers starred projects, and every e-bidding project of the report for users who opted in (D16).
 * `writtenBy`: only projects written by this load. Returns the number of notifications.
 */
export async function insertDeadlineWarningNotifications(
  tx: Db,
  today: string,
  at: Date,
  writtenBy?: number,
): Promise<number> {
  const due = sql`
    select p.project_id, p.method = 'e_bidding' as is_e_bidding, d.type, d.due_on
    from projects p
    cross join lateral (values
      ('Discussion_date_end', p.draft_discussion_ends_on), ('Submission_date_end', p.submission_ends_on)
    ) d (type, due_on)
    where not p.is_archived ${writtenBy === undefined ? empty : sql`and p.written_load = ${writtenBy}::bigint`} and greatest(p.draft_discussion_ends_on, p.submission_ends_on) >= ${today}::date
      and p.status not in ('invitation_cancelled', 'project_cancelled', 'contract_created')
      and d.due_on between ${today}::date and ${today}::date + ${DEADLINE_WARNING_LEAD_DAYS}::int`
  return storeNew(
    tx,
    sql`
      with due as materialized (${due})
      select u.id as user_id, u.organisation_id, due.type, due.project_id, due.due_on, null::bigint as load_id
      from due
      join bookmarks b on b.project_id = due.project_id
      join users u on u.id = b.user_id
      join organisations o on o.id = u.organisation_id
      join project_matches m on m.organisation_id = u.organisation_id and m.project_id = due.project_id
      where ${IS_NOTIFIABLE_USER_SQL}
      union
      select u.id, u.organisation_id, due.type, due.project_id, due.due_on, null::bigint
      from due
      join project_matches m on m.project_id = due.project_id
      join organisations o on o.id = m.organisation_id
      join users u on u.organisation_id = m.organisation_id
      where due.is_e_bidding and u.is_noti_e_bidding and ${IS_NOTIFIABLE_USER_SQL}`,
    at,
  )
}

export type ReadyExport = {
  readonly userId: number
  readonly organisationId: number
  readonly exportId: string
  readonly fileName: string
}

export async function insertExportReadyNotification(
  tx: Db,
  { userId, organisationId, exportId, fileName }: ReadyExport,
  at: Date,
): Promise<void> {
  await tx.execute(sql`
    with told as (
      update users set notifications_click_read = true
      where id = ${userId}::int and not exists (
        select from notifications n where n.user_id = ${userId}::int and n.type = 'Export_ready' and n.export_id = ${exportId}
      )
      returning id
    )
    insert into notifications (user_id, organisation_id, type, export_id, file_name, created_at)
    select told.id, ${organisationId}::int, 'Export_ready', ${exportId}, ${fileName}, ${at.toISOString()}::timestamptz
    from told
    on conflict do nothing`)
}

export type JoinRequestNotification = {
  readonly organisationId: number
  readonly requestId: number
  readonly name: string
}

/**
 * Stores the request id in the column `export_id`, which identifies the subject of a notification that is not about a
 * project.
 */
export async function insertJoinRequestNotifications(
  tx: Db,
  { organisationId, requestId, name }: JoinRequestNotification,
  at: Date,
): Promise<void> {
  const about = String(requestId)
  await tx.execute(sql`
    with told as (
      update users u set notifications_click_read = true
      where u.organisation_id = ${organisationId}::int and u.role = 'super_user' and not u.is_disabled and not exists (
        select from notifications n where n.user_id = u.id and n.type = 'Join_requested' and n.export_id = ${about}
      )
      returning u.id
    )
    insert into notifications (user_id, organisation_id, type, export_id, file_name, created_at)
    select told.id, ${organisationId}::int, 'Join_requested', ${about}, ${name}, ${at.toISOString()}::timestamptz from told order by told.id
    on conflict do nothing`)
}

export type SavedQuestionChanges = {
  readonly userId: number
  readonly organisationId: number
  readonly loadId: number
  readonly questionId: string | null
  readonly name: string
  readonly newWinners: number
}

export async function insertSavedQuestionChangesNotification(
  tx: Db,
  { userId, organisationId, loadId, questionId, name, newWinners }: SavedQuestionChanges,
  at: Date,
): Promise<void> {
  await tx.execute(sql`
    with told as (
      update users set notifications_click_read = true
      where id = ${userId}::int and not exists (
        select from notifications n where n.user_id = ${userId}::int and n.type = 'Question_news' and n.load_id = ${loadId}::bigint
      )
      returning id
    )
    insert into notifications (user_id, organisation_id, type, load_id, version, file_name, change_count, created_at)
    select told.id, ${organisationId}::int, 'Question_news', ${loadId}::bigint, ${questionId}, ${name}, ${newWinners}::int, ${at.toISOString()}::timestamptz
    from told
    on conflict do nothing`)
}
