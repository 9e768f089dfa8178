import sql from 'sql-template-tag'
import type { CalendarFeed, CalendarFeedFormat, NewCalendarFeed } from '#contract/team/calendar-feed.ts'
import type { Db } from '#server/platform/engine/db.ts'

export async function listCalendarFeeds(db: Db, userId: number): Promise<CalendarFeed[]> {
  return db.query<CalendarFeed>(sql`
    select f.id, f.source, f.format, coalesce(s.name, v.name) as name, f.created_at, f.fetched_at,
      case when f.source = 'view' then coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.email) end as owner_name,
      f.source = 'view' and v.id is null as is_over
    from calendar_feeds f left join saved_filters s on s.user_id = f.user_id and s.id = f.filter_id
    left join saved_filters v on v.user_id = f.view_owner and v.id = f.view_id and v.shared_with = f.organisation_id
    left join users u on u.id = f.view_owner
    where f.user_id = ${userId}::int order by f.created_at desc, f.id desc`)
}

type NewFeed = NewCalendarFeed & {
  readonly format: CalendarFeedFormat
  readonly userId: number
  readonly organisationId: number
  readonly tokenHash: string
  readonly at: Date
  readonly most: number
}

/**
 * Stores a feed unless the user has reached the limit; returns whether it was stored. Call in a transaction, so that
 * the count stays valid.
 */
export async function storeCalendarFeed(tx: Db, feed: NewFeed): Promise<boolean> {
  await tx.query(sql`select from users where id = ${feed.userId}::int for update`)
  const { filter_id: id = null } = feed
  const ofView = feed.source === 'view'
  const stored = await tx.execute(sql`
    insert into calendar_feeds (organisation_id, user_id, source, filter_id, view_owner, view_id, format, token_hash, created_at)
    select ${feed.organisationId}::int, ${feed.userId}::int, ${feed.source}, ${ofView ? null : id}::text, ${ofView ? feed.owner : null}::int, ${ofView ? id : null}::text,
      ${feed.format}, ${feed.tokenHash}, ${feed.at.toISOString()}::timestamptz
    where (select count(*) from calendar_feeds f where f.user_id = ${feed.userId}::int) < ${feed.most}::int`)
  return stored === 1
}

export async function removeCalendarFeed(db: Db, userId: number, id: number): Promise<boolean> {
  return (await db.execute(sql`delete from calendar_feeds where id = ${id}::int and user_id = ${userId}::int`)) === 1
}

export type StoredCalendarFeed = {
  readonly id: number
  readonly userId: number
  readonly organisationId: number
  readonly source: NewCalendarFeed['source']
  readonly filterId: string | null
  readonly viewOwner: number | null
  readonly viewId: string | null
  readonly format: CalendarFeedFormat
}

/** Finds a feed by the hash of its token; undefined if its URL was revoked or its owner lost access to the report. */
export async function findCalendarFeed(db: Db, tokenHash: string): Promise<StoredCalendarFeed | undefined> {
  const [feed] = await db.query<StoredCalendarFeed>(sql`
    select f.id, f.user_id as "userId", f.organisation_id as "organisationId", f.source, f.filter_id as "filterId", f.format,
      f.view_owner as "viewOwner", f.view_id as "viewId"
    from calendar_feeds f
    join users u on u.id = f.user_id and u.organisation_id = f.organisation_id
    join organisations o on o.id = f.organisation_id
    where f.token_hash = ${tokenHash} and not u.is_disabled and not o.is_disabled and not o.is_access_budget_year_only`)
  return feed
}

export async function recordCalendarFeedFetch(db: Db, id: number, now: Date): Promise<void> {
  const at = now.toISOString()
  await db.execute(sql`
    update calendar_feeds set fetched_at = ${at}::timestamptz
    where id = ${id}::int and (fetched_at is null or fetched_at < ${at}::timestamptz - interval '1 hour')`)
}

/** Returns, per project, when the load that last changed its public facts was published (UTC ISO). */
export async function findProjectLastChangeTimes(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ id: string; at: string }>(sql`
    select p.project_id as id, l.published_at as at from projects p join loads l on l.id = p.written_load
    where p.project_id = any(${[...ids]}::text[]) and l.published_at is not null`)
  return new Map(rows.map(({ id, at }) => [id, new Date(at).toISOString()]))
}
