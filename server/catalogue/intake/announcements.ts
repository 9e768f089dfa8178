import { createHash } from 'node:crypto'
import sql from 'sql-template-tag'
import type { RssAnnouncement } from '#server/catalogue/feed/sources/egp-rss-response.ts'
import type { Db } from '#server/platform/engine/db.ts'

type StoredIds = { readonly newIds: number[]; readonly changedIds: number[] }

/**
 * Stores announcements from the feed. An announcement is identified by project (or plan), type and link; another title,
 * day or method under the same key is a change. Returns the ids of new and changed rows. `isRepaired`: the response was
 * invalid XML; its first new or changed row records that, so that the load counts each such response once.
 */
export async function storeAnnouncements(
  tx: Db,
  { agency, type }: { readonly agency: string; readonly type: string },
  announcements: readonly RssAnnouncement[],
  { source, at, isRepaired = false }: { readonly source: string; readonly at: Date; readonly isRepaired?: boolean },
): Promise<StoredIds> {
  if (announcements.length === 0) return { newIds: [], changedIds: [] }
  // One statement cannot upsert a row twice, so the later item wins.
  const unique = new Map(announcements.map((item) => [`${item.projectId} ${item.link}`, item]))
  const rows = [...unique.values()].map(({ projectId, title, link, method, label, publishedOn }) => ({
    ...{ project_id: projectId, title, link, method, label, published_on: publishedOn },
    hash: createHash('sha256')
      .update(JSON.stringify([title, method, label, publishedOn]))
      .digest('base64url'),
  }))
  const seenAt = sql`${at.toISOString()}::timestamptz`
  const upserted = await tx.query<{ id: number; isNew: boolean; isChanged: boolean }>(sql`
    with given as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json)
        as g (project_id text, title text, link text, method text, label text, published_on date, hash text)
    ), known as (
      select a.project_id, a.link, a.hash from intake_announcements a join given g on a.project_id = g.project_id and a.link = g.link and a.type = ${type}
    )
    insert into intake_announcements as a (source, project_id, type, link, title, method, label, published_on, agency, first_seen_at, last_seen_at, hash)
    select ${source}, g.project_id, ${type}, g.link, g.title, g.method, g.label, g.published_on, ${agency}, ${seenAt}, ${seenAt}, g.hash
    from given g order by g.published_on, g.project_id
    on conflict (project_id, type, link) do update set last_seen_at = excluded.last_seen_at, title = excluded.title, method = excluded.method,
      label = excluded.label, published_on = excluded.published_on, hash = excluded.hash,
      applied_at = case when a.hash <> excluded.hash then null else a.applied_at end,
      changed_at = case when a.hash <> excluded.hash then excluded.last_seen_at else a.changed_at end,
      is_xml_repaired = a.is_xml_repaired and a.hash = excluded.hash
    returning a.id, not exists (select from known k where k.project_id = a.project_id and k.link = a.link) as "isNew",
      exists (select from known k where k.project_id = a.project_id and k.link = a.link and k.hash <> a.hash) as "isChanged"`)
  const [firstId] = upserted.flatMap(({ id, isNew, isChanged }) => (isNew || isChanged ? [id] : []))
  if (isRepaired && firstId !== undefined)
    await tx.execute(sql`update intake_announcements set is_xml_repaired = true where id = ${firstId}::bigint`)
  return {
    newIds: upserted.filter(({ isNew }) => isNew).map(({ id }) => id),
    changedIds: upserted.filter(({ isChanged }) => isChanged).map(({ id }) => id),
  }
}

export type WaitingAnnouncement = {
  readonly id: number
  readonly projectId: string
  readonly type: string
  readonly title: string
  readonly link: string
  readonly method: string
  readonly publishedOn: string
  readonly agencyCode: string
  readonly isXmlRepaired: boolean
}

export async function listWaitingAnnouncements(db: Db, source: string): Promise<WaitingAnnouncement[]> {
  return db.query<WaitingAnnouncement>(
    sql`
    select id, project_id as "projectId", type, title, link, method, published_on as "publishedOn", agency as "agencyCode",
      is_xml_repaired as "isXmlRepaired"
    from intake_announcements where source = ${source} and applied_at is null order by id`,
    { timeoutMs: 0 },
  )
}

export async function hasWaitingAnnouncements(db: Db, source: string): Promise<boolean> {
  const rows = await db.query(
    sql`select from intake_announcements where source = ${source} and applied_at is null limit 1`,
  )
  return rows.length > 0
}

export async function markAnnouncementsApplied(db: Db, ids: readonly number[], at: Date): Promise<void> {
  await db.execute(
    sql`update intake_announcements set applied_at = ${at.toISOString()}::timestamptz where id = any (${[...ids]}::bigint[])`,
    { timeoutMs: 0 },
  )
}
