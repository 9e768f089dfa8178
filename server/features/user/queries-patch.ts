import type { Sql } from 'sql-template-tag'
import sql from 'sql-template-tag'
import type { ColumnSetting } from '#contract/report/column.ts'
import type { NotificationPatch } from '#contract/user/notification.ts'
import type { Db } from '#server/engine/db.ts'

/** Stars and hidden projects: lists of project ids, one table each. */
export type MarkKind = 'star' | 'hidden'
const TABLES: Readonly<Record<MarkKind, Sql>> = { star: sql`bookmarks`, hidden: sql`hidden_projects` }

/** Marks these projects in their order; answers how many were not marked before. */
export async function addMarks(tx: Db, kind: MarkKind, userId: number, projectIds: readonly string[]): Promise<number> {
  return tx.execute(sql`
    insert into ${TABLES[kind]} (user_id, project_id, created_at)
    select ${userId}::int, t.id, clock_timestamp() + t.place * interval '1 microsecond'
    from unnest(${projectIds}::text[]) with ordinality t (id, place)
    on conflict do nothing`)
}

export async function removeMarks(
  tx: Db,
  kind: MarkKind,
  userId: number,
  projectIds: readonly string[],
): Promise<void> {
  await tx.execute(
    sql`delete from ${TABLES[kind]} where user_id = ${userId}::int and project_id = any (${projectIds}::text[])`,
  )
}

export async function removeAllMarks(tx: Db, kind: MarkKind, userId: number): Promise<void> {
  await tx.execute(sql`delete from ${TABLES[kind]} where user_id = ${userId}::int`)
}

export async function countMarks(tx: Db, kind: MarkKind, userId: number): Promise<number> {
  const [row] = await tx.query<{ marked: number }>(
    sql`select count(*) as marked from ${TABLES[kind]} where user_id = ${userId}::int`,
  )
  return row!.marked
}

export async function setClickRead(tx: Db, userId: number, clickRead: boolean): Promise<void> {
  await tx.execute(sql`
    update users set notifications_click_read = ${clickRead}::boolean where id = ${userId}::int`)
}

/** Those that came later stay unread: their ids are higher (see the table). */
export async function readNotificationsUpTo(tx: Db, userId: number, id: number): Promise<void> {
  await tx.execute(sql`
    update notifications set read_at = now() where user_id = ${userId}::int and id <= ${id}::bigint and read_at is null`)
}

/** Of an id named twice the last mark counts. */
export async function markNotifications(
  tx: Db,
  userId: number,
  marks: NonNullable<NotificationPatch['notifications']>,
): Promise<void> {
  const wanted = [...new Map(marks.map(({ id, read }) => [Number(id), read]))].map(([id, read]) => ({ id, read }))
  await tx.execute(sql`
    update notifications n set read_at = case when w.read then now() end
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as w (id bigint, read boolean)
    where n.user_id = ${userId}::int and n.id = w.id and (n.read_at is not null) <> w.read`)
}

/**
 * Locks the user's row until the transaction ends, so that patches of parallel tabs are applied one after the other; answers the label
 * limit, or undefined when the user is gone. Not `for update`: that would also hold up whoever only refers to the user.
 */
export async function lockUser(
  tx: Db,
  userId: number,
): Promise<{ maxLabels: number; organisationId: number } | undefined> {
  const rows = await tx.query<{ maxLabels: number; organisationId: number }>(sql`
    select max_labels as "maxLabels", organisation_id as "organisationId" from users where id = ${userId}::int for no key update`)
  return rows[0]
}

/** Of these ids, how many name no project. */
export async function countUnknownProjects(tx: Db, projectIds: readonly string[]): Promise<number> {
  const [row] = await tx.query<{ unknown: number }>(sql`
    select count(*) as unknown from unnest(${projectIds}::text[]) t (id)
    where not exists (select from projects p where p.project_id = t.id)`)
  return row!.unknown
}

export type SettingsChange = {
  readonly firstName: string | undefined
  readonly lastName: string | undefined
  readonly isSendReportEmail: boolean | undefined
  readonly isNotiEBidding: boolean | undefined
  readonly columns: readonly ColumnSetting[] | undefined
}

/** Stores what is not undefined. */
export async function updateSettings(tx: Db, userId: number, change: SettingsChange): Promise<void> {
  const { firstName = null, lastName = null, isSendReportEmail = null, isNotiEBidding = null, columns } = change
  await tx.execute(sql`
    update users set
      first_name = coalesce(${firstName}::text, first_name),
      last_name = coalesce(${lastName}::text, last_name),
      is_send_report_email = coalesce(${isSendReportEmail}::boolean, is_send_report_email),
      is_noti_e_bidding = coalesce(${isNotiEBidding}::boolean, is_noti_e_bidding),
      customize_report_table = coalesce(${columns === undefined ? null : JSON.stringify(columns)}::jsonb, customize_report_table)
    where id = ${userId}::int`)
}
