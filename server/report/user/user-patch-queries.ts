import type { Sql } from 'sql-template-tag'
import sql from 'sql-template-tag'
import type { FilterCriteria } from '#contract/account/filter-criteria.ts'
import type { Label } from '#contract/account/label.ts'
import type { NotificationPatch } from '#contract/account/notification.ts'
import type { SavedFilter } from '#contract/account/saved-filter.ts'
import type { ColumnSetting } from '#contract/catalogue/column.ts'
import type { SavedFilterAction } from '#contract/report/user-patch.ts'
import type { Db } from '#server/platform/engine/db.ts'

export type StoredSavedFilter = {
  id: string
  name: string
  isSame: boolean
  isShared: boolean
  data: unknown
}

export async function findOwnSavedFilters(tx: Db, userId: number, data?: FilterCriteria): Promise<StoredSavedFilter[]> {
  const json = data === undefined ? null : JSON.stringify(data)
  return tx.query<StoredSavedFilter>(sql`
    select id, name, coalesce(filter_data = ${json}::jsonb, false) as "isSame", shared_with is not null as "isShared", filter_data as data
    from saved_filters where user_id = ${userId}::int`)
}

/**
 * Appends a filter. `created_at` is bumped past the newest one, so that two inserts in one clock tick keep their order.
 * The filter becomes the start view only if there is none.
 */
export async function insertSavedFilter(tx: Db, userId: number, filter: SavedFilter): Promise<void> {
  await tx.execute(sql`
    insert into saved_filters (user_id, id, name, filter_data, is_send, is_start, shared_with, created_at)
    values (${userId}::int, ${filter.id}, ${filter.filterName}, ${JSON.stringify(filter.filterData)}::jsonb, ${filter.isSend}::boolean,
      ${filter.isStart}::boolean and not exists (select from saved_filters f where f.user_id = ${userId}::int and f.is_start),
      (select u.organisation_id from users u where u.id = ${userId}::int and ${filter.isShared ?? false}::boolean),
      greatest(clock_timestamp(), (select max(f.created_at) + interval '1 microsecond' from saved_filters f where f.user_id = ${userId}::int)))`)
}

export async function removeSavedFilter(tx: Db, userId: number, filterId: string): Promise<void> {
  await tx.execute(sql`delete from saved_filters where user_id = ${userId}::int and id = ${filterId}`)
}

export async function updateSavedFilterName(tx: Db, userId: number, filterId: string, name: string): Promise<void> {
  await tx.execute(sql`update saved_filters set name = ${name} where user_id = ${userId}::int and id = ${filterId}`)
}

export async function updateSavedFilterCriteria(
  tx: Db,
  userId: number,
  filterId: string,
  data: FilterCriteria,
): Promise<void> {
  await tx.execute(sql`
    update saved_filters set filter_data = ${JSON.stringify(data)}::jsonb where user_id = ${userId}::int and id = ${filterId}`)
}

export async function updateSavedFilterMailEnabled(
  tx: Db,
  userId: number,
  filterId: string,
  wish: boolean | undefined,
): Promise<void> {
  await tx.execute(sql`
    update saved_filters set is_send = coalesce(${wish ?? null}::boolean, not is_send)
    where user_id = ${userId}::int and id = ${filterId}`)
}

export async function updateStartViewFilter(tx: Db, userId: number, filterId: string, isStart: boolean): Promise<void> {
  // Clear the current start view first, because a unique index allows only one per user.
  await tx.execute(sql`
    update saved_filters set is_start = false
    where user_id = ${userId}::int and is_start and (${isStart}::boolean or id = ${filterId})`)
  if (!isStart) return
  await tx.execute(sql`update saved_filters set is_start = true where user_id = ${userId}::int and id = ${filterId}`)
  await tx.execute(sql`delete from team_view_starts where user_id = ${userId}::int`)
}

export async function setSavedFilterShared(tx: Db, userId: number, filterId: string, isShared: boolean): Promise<void> {
  await tx.execute(sql`
    update saved_filters set shared_with = (select u.organisation_id from users u where u.id = ${userId}::int and ${isShared}::boolean)
    where user_id = ${userId}::int and id = ${filterId}`)
}

export async function countSharedSavedFilters(tx: Db, userId: number): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from saved_filters f join users u on u.organisation_id = f.shared_with where u.id = ${userId}::int`)
  return row!.count
}

/**
 * Increments the board version if the action affects a shared filter, so that colleagues' tabs reload. Call before
 * locking the user's row: writing a note also locks the board first, so this order prevents deadlocks.
 */
export async function bumpPursuitBoardVersionIfShared(
  tx: Db,
  userId: number,
  action: SavedFilterAction,
): Promise<void> {
  const isSharing = action.action === 'share' || (action.action === 'add' && action.is_shared === true)
  await tx.execute(sql`
    insert into pursuit_boards (organisation_id, version)
    select u.organisation_id, 1 from users u
    where u.id = ${userId}::int and (${isSharing}::boolean or exists (
      select from saved_filters f where f.user_id = u.id and f.id = ${action.filter_id} and f.shared_with is not null
    ))
    on conflict (organisation_id) do update set version = pursuit_boards.version + 1`)
}

export async function findUserLabels(tx: Db, userId: number): Promise<Label[]> {
  return tx.query<Label>(sql`select id, name, color from labels where user_id = ${userId}::int order by created_at, id`)
}

export async function insertUserLabel(tx: Db, userId: number, { id, name, color }: Label): Promise<void> {
  await tx.execute(sql`
    insert into labels (user_id, id, name, color, created_at)
    values (${userId}::int, ${id}, ${name}, ${color},
      greatest(clock_timestamp(), (select max(l.created_at) + interval '1 microsecond' from labels l where l.user_id = ${userId}::int)))`)
}

export async function updateUserLabel(tx: Db, userId: number, label: Label): Promise<void> {
  await tx.execute(
    sql`update labels set name = ${label.name}, color = ${label.color} where user_id = ${userId}::int and id = ${label.id}`,
  )
}

/** Deletes a label. The database then deletes the label's assignments as well. */
export async function deleteUserLabel(tx: Db, userId: number, labelId: string): Promise<void> {
  await tx.execute(sql`delete from labels where user_id = ${userId}::int and id = ${labelId}`)
}

export type LabelAssignment = { readonly projectId: string; readonly labelId: string }

export async function addLabelAssignments(tx: Db, userId: number, pairs: readonly LabelAssignment[]): Promise<number> {
  return tx.execute(sql`
    insert into label_assignments (user_id, project_id, label_id, created_at)
    select ${userId}::int, t.project_id, t.label_id, clock_timestamp() + t.place * interval '1 microsecond'
    from unnest(${pairs.map((pair) => pair.projectId)}::text[], ${pairs.map((pair) => pair.labelId)}::text[])
      with ordinality t (project_id, label_id, place)
    on conflict do nothing`)
}

export async function removeLabelAssignments(
  tx: Db,
  userId: number,
  projectIds: readonly string[],
  labelId?: string,
): Promise<void> {
  const label = labelId ?? null
  await tx.execute(sql`
    delete from label_assignments
    where user_id = ${userId}::int and project_id = any (${projectIds}::text[]) and (${label}::text is null or label_id = ${label}::text)`)
}

export async function countLabelledProjects(tx: Db, userId: number): Promise<number> {
  const [row] = await tx.query<{ labelled: number }>(
    sql`select count(distinct project_id) as labelled from label_assignments where user_id = ${userId}::int`,
  )
  return row!.labelled
}

export type UserProjectMarkKind = 'star' | 'hidden'
const TABLES: Readonly<Record<UserProjectMarkKind, Sql>> = { star: sql`bookmarks`, hidden: sql`hidden_projects` }

export async function addUserProjectMarks(
  tx: Db,
  kind: UserProjectMarkKind,
  userId: number,
  projectIds: readonly string[],
): Promise<number> {
  return tx.execute(sql`
    insert into ${TABLES[kind]} (user_id, project_id, created_at)
    select ${userId}::int, t.id, clock_timestamp() + t.place * interval '1 microsecond'
    from unnest(${projectIds}::text[]) with ordinality t (id, place)
    on conflict do nothing`)
}

export async function removeUserProjectMarks(
  tx: Db,
  kind: UserProjectMarkKind,
  userId: number,
  projectIds: readonly string[],
): Promise<void> {
  await tx.execute(
    sql`delete from ${TABLES[kind]} where user_id = ${userId}::int and project_id = any (${projectIds}::text[])`,
  )
}

export async function removeAllUserProjectMarks(tx: Db, kind: UserProjectMarkKind, userId: number): Promise<void> {
  await tx.execute(sql`delete from ${TABLES[kind]} where user_id = ${userId}::int`)
}

export async function countUserProjectMarks(tx: Db, kind: UserProjectMarkKind, userId: number): Promise<number> {
  const [row] = await tx.query<{ marked: number }>(
    sql`select count(*) as marked from ${TABLES[kind]} where user_id = ${userId}::int`,
  )
  return row!.marked
}

export async function setMarkReadOnClick(tx: Db, userId: number, clickRead: boolean): Promise<void> {
  await tx.execute(sql`
    update users set notifications_click_read = ${clickRead}::boolean where id = ${userId}::int`)
}

/**
 * Marks notifications up to this id as read. Notifications that arrived later stay unread: ids increase over time (see
 * the table).
 */
export async function markNotificationsReadUpTo(tx: Db, userId: number, id: number): Promise<void> {
  await tx.execute(sql`
    update notifications set read_at = now() where user_id = ${userId}::int and id <= ${id}::bigint and read_at is null`)
}

/** Marks notifications as read or unread. If an id occurs twice, its last entry wins. */
export async function updateNotificationReadStates(
  tx: Db,
  userId: number,
  marks: NonNullable<NotificationPatch['notifications']>,
): Promise<void> {
  const states = [...new Map(marks.map(({ id, read }) => [Number(id), read]))].map(([id, read]) => ({ id, read }))
  await tx.execute(sql`
    update notifications n set read_at = case when w.read then now() end
    from jsonb_to_recordset(${JSON.stringify(states)}::jsonb) as w (id bigint, read boolean)
    where n.user_id = ${userId}::int and n.id = w.id and (n.read_at is not null) <> w.read`)
}

/**
 * Locks the user's row until the transaction ends, which serialises patches of parallel tabs. Returns the label limit
 * and the organisation, or undefined if the user does not exist. Not `for update`, which would also block foreign key
 * checks.
 */
export async function lockUserForPatch(
  tx: Db,
  userId: number,
): Promise<{ maxLabels: number; organisationId: number } | undefined> {
  const rows = await tx.query<{ maxLabels: number; organisationId: number }>(sql`
    select max_labels as "maxLabels", organisation_id as "organisationId" from users where id = ${userId}::int for no key update`)
  return rows[0]
}

export async function countUnknownProjects(tx: Db, projectIds: readonly string[]): Promise<number> {
  const [row] = await tx.query<{ unknown: number }>(sql`
    select count(*) as unknown from unnest(${projectIds}::text[]) t (id)
    where not exists (select from projects p where p.project_id = t.id)`)
  return row!.unknown
}

export type UserSettingsChange = {
  readonly firstName: string | undefined
  readonly lastName: string | undefined
  readonly isSendReportEmail: boolean | undefined
  readonly isNotiEBidding: boolean | undefined
  /**
   * If true, colleagues see which projects the user views from `at` on. If sharing was already enabled, its start time
   * does not change.
   */
  readonly sharesLooks: boolean | undefined
  readonly at: Date
  readonly columns: readonly ColumnSetting[] | undefined
}

export async function updateUserSettings(tx: Db, userId: number, change: UserSettingsChange): Promise<void> {
  const { firstName = null, lastName = null, isSendReportEmail = null, isNotiEBidding = null, columns } = change
  const { sharesLooks = null, at } = change
  await tx.execute(sql`
    update users set
      first_name = coalesce(${firstName}::text, first_name),
      last_name = coalesce(${lastName}::text, last_name),
      is_send_report_email = coalesce(${isSendReportEmail}::boolean, is_send_report_email),
      is_noti_e_bidding = coalesce(${isNotiEBidding}::boolean, is_noti_e_bidding),
      shares_looks_since = case ${sharesLooks}::boolean when true then coalesce(shares_looks_since, ${at.toISOString()}::timestamptz)
        when false then null else shares_looks_since end,
      customize_report_table = coalesce(${columns === undefined ? null : JSON.stringify(columns)}::jsonb, customize_report_table)
    where id = ${userId}::int`)
}
