import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import { IS_NOTIFIABLE_USER_SQL, NO_STATEMENT_TIMEOUT } from './queries.ts'

export type ComparedDocument = {
  readonly id: string
  readonly organisationId: number
  readonly projectId: string
  readonly changes: number
}

export function insertDocumentComparedNotification(
  tx: Db,
  { id, organisationId, projectId, changes }: ComparedDocument,
  at: Date,
): Promise<number> {
  return tx.execute(sql`
    with news as materialized (
      select u.id from bookmarks b join users u on u.id = b.user_id join organisations o on o.id = u.organisation_id
      where b.project_id = ${projectId} and u.organisation_id = ${organisationId}::int and ${IS_NOTIFIABLE_USER_SQL}
        and not exists (select from hidden_projects h where h.user_id = u.id and h.project_id = ${projectId})
        and not exists (
          select from notifications n where n.user_id = u.id and n.type = 'Document_compared' and n.version = ${id})
    ),
    told as (
      update users u set notifications_click_read = true where u.id in (select id from news) returning u.id
    )
    insert into notifications (user_id, organisation_id, type, project_id, version, change_count, created_at)
    select told.id, ${organisationId}::int, 'Document_compared', ${projectId}, ${id}, ${changes}::int, ${at.toISOString()}::timestamptz
    from told
    on conflict do nothing`)
}

export type SavedFilterDocumentMatch = {
  readonly userId: number
  readonly projectId: string
  readonly filterId: string
}

export async function insertDocumentMatchNotification(
  tx: Db,
  { userId, projectId, filterId }: SavedFilterDocumentMatch,
  at: Date,
): Promise<boolean> {
  const insertedCount = await tx.execute(sql`
    with news as materialized (
      select u.id, u.organisation_id from users u join organisations o on o.id = u.organisation_id
      where u.id = ${userId}::int and ${IS_NOTIFIABLE_USER_SQL} and not exists (
        select from notifications n
        where n.user_id = u.id and n.type = 'Document_found' and n.project_id = ${projectId} and n.version = ${filterId})
    ),
    told as (
      update users u set notifications_click_read = true where u.id in (select id from news) returning u.id, u.organisation_id
    )
    insert into notifications (user_id, organisation_id, type, project_id, version, created_at)
    select told.id, told.organisation_id, 'Document_found', ${projectId}, ${filterId}, ${at.toISOString()}::timestamptz
    from told
    on conflict do nothing`)
  return insertedCount > 0
}

export type DocumentKeywordMatch = {
  readonly organisationId: number
  readonly projectId: string
  readonly keywordId: number
  readonly word: string
  readonly page: number
  readonly userIds: readonly number[]
}

export function insertDocumentKeywordNotifications(
  tx: Db,
  { organisationId, projectId, keywordId, word, page, userIds }: DocumentKeywordMatch,
  at: Date,
): Promise<number> {
  const version = `word:${keywordId}`
  return tx.execute(sql`
    with news as materialized (
      select u.id from users u join organisations o on o.id = u.organisation_id
      where u.id = any (${[...userIds]}::int[]) and u.organisation_id = ${organisationId}::int and ${IS_NOTIFIABLE_USER_SQL}
        and not exists (select from hidden_projects h where h.user_id = u.id and h.project_id = ${projectId})
        and not exists (
          select from notifications n
          where n.user_id = u.id and n.type = 'Document_found' and n.project_id = ${projectId} and n.version = ${version})
    ),
    told as (
      update users u set notifications_click_read = true where u.id in (select id from news) returning u.id
    )
    insert into notifications (user_id, organisation_id, type, project_id, version, file_name, change_count, created_at)
    select told.id, ${organisationId}::int, 'Document_found', ${projectId}, ${version}, ${word}, ${page}::int, ${at.toISOString()}::timestamptz
    from told order by told.id
    on conflict do nothing`)
}

export async function insertDocumentChangedNotifications(
  tx: Db,
  projectId: string,
  version: string,
  at: Date,
): Promise<void> {
  await tx.execute(
    sql`
    with found as materialized (
      select u.id as user_id, u.organisation_id
      from bookmarks b join users u on u.id = b.user_id join organisations o on o.id = u.organisation_id
      join project_matches m on m.organisation_id = u.organisation_id and m.project_id = b.project_id
      where b.project_id = ${projectId} and ${IS_NOTIFIABLE_USER_SQL}
        and not exists (select from hidden_projects h where h.user_id = u.id and h.project_id = b.project_id)
    ), told as (
      update users u set notifications_click_read = true where u.id in (select user_id from found) returning u.id
    )
    insert into notifications (user_id, organisation_id, type, project_id, version, created_at)
    select f.user_id, f.organisation_id, 'Document_changed', ${projectId}, ${version}, ${at.toISOString()}::timestamptz
    from found f where (select count(*) from told) > 0
    on conflict do nothing`,
    NO_STATEMENT_TIMEOUT,
  )
}
