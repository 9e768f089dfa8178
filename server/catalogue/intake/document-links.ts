import sql, { type Sql } from 'sql-template-tag'
import { DEMO_ORGANISATION_CODE, OPERATOR_ORGANISATION_CODE } from '#contract/reserved-organisations.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { IntakeFileReport } from './files.ts'
import type { NightlyRunWindow } from './opening-hours.ts'

/**
 * A link whose document should be fetched. `hash` identifies the last fetched content; null if it was never fetched.
 */
export type PendingDocumentLink = {
  readonly id: number
  readonly projectId: string
  readonly type: string
  readonly link: string
  readonly tries: number
  readonly hash: string | null
  readonly version: number
}

export type FetchedDocumentFile = { readonly hash: string; readonly type: string; readonly bytes: number }

/**
 * Invitations are fetched for this many days, because they expire within weeks. A draft with its TOR stays useful for
 * the whole tender.
 */
const INVITATION_DAYS = 30
const DRAFT_DAYS = 120
/** Links of followed projects are re-fetched at this interval, even if the announcement is unchanged. */
const REFETCH_DAYS = 3
/** A failed link is retried this many times per night for three nights. */
const LINK_FETCH_TRIES_PER_NIGHT = 3
const MAX_TRIES = 3 * LINK_FETCH_TRIES_PER_NIGHT

/** SQL: matches whose documents are fetched, as alias `m`. Excludes closed organisations and the demo organisation. */
const MATCHES = sql`project_matches m join organisations o on o.id = m.organisation_id and not o.is_disabled and o.code <> ${DEMO_ORGANISATION_CODE}`

/**
 * SQL condition: the organisation of match row `m` follows the project, i.e. one of its users starred it or uploaded a
 * document.
 */
export const IS_TRACKED_PROJECT_SQL: Sql = sql`(
  exists (select from bookmarks b join users u on u.id = b.user_id where b.project_id = m.project_id and u.organisation_id = m.organisation_id and not u.is_demo_visitor)
  or exists (select from documents d where d.project_id = m.project_id and d.organisation_id = m.organisation_id and d.link is null))`

/**
 * Queues links to fetch: invitations (D0) of every project in an organisation's report, drafts (B0) of followed
 * projects. Uses only links from the feed. Fetched links are queued again when their announcement changed, and every
 * third night while followed. Returns the number of newly queued links.
 */
export async function queueDocumentLinks(tx: Db, at: Date, { startsAt }: NightlyRunWindow): Promise<number> {
  const now = sql`${at.toISOString()}::timestamptz`
  const fresh = await tx.execute(
    sql`
    insert into intake_links (project_id, type, link, agency, published_on, found_at)
    select a.project_id, a.type, a.link, a.agency, a.published_on, ${now} from intake_announcements a
    where a.link <> '' and (
      a.type = 'D0' and a.published_on > (${now} - make_interval(days => ${INVITATION_DAYS}::int))::date and exists (select from ${MATCHES} where m.project_id = a.project_id)
      or a.type = 'B0' and a.published_on > (${now} - make_interval(days => ${DRAFT_DAYS}::int))::date and exists (select from ${MATCHES} where m.project_id = a.project_id and ${IS_TRACKED_PROJECT_SQL}))
    on conflict (project_id, type, link) do nothing`,
    { timeoutMs: 0 },
  )
  const requeued = await tx.execute(
    sql`
    update intake_links l set state = 'waiting', tries = case when l.state = 'had' then 0 else l.tries end
    where l.state = 'failed' and l.tries < ${MAX_TRIES}::int and l.asked_at < ${startsAt.toISOString()}::timestamptz
      or l.state = 'had' and exists (
        select from intake_announcements a where a.project_id = l.project_id and a.type = l.type and a.link = l.link and a.changed_at > l.asked_at)
      or l.state = 'had' and l.asked_at < ${now} - make_interval(hours => ${REFETCH_DAYS * 24 - 12}::int)
        and l.published_on > (${now} - make_interval(days => ${INVITATION_DAYS}::int))::date
        and exists (select from ${MATCHES} where m.project_id = l.project_id and ${IS_TRACKED_PROJECT_SQL})`,
    { timeoutMs: 0 },
  )
  return fresh + requeued
}

/**
 * Returns the next link to fetch: fewest failures first, invitations before drafts, newest first. While the feed round
 * is running, returns only links of agencies in tiers whose notices are complete.
 */
export async function findNextDocumentLink(db: Db, night: string): Promise<PendingDocumentLink | undefined> {
  const [link] = await db.query<PendingDocumentLink>(sql`
    with open as (
      select min(a.tier) as tier from intake_queries q join intake_agencies a on a.code = q.agency
      where q.is_planned and q.type in ('D0', 'B0') and exists (
        select from intake_nights n join intake_sources s on s.source = n.source
        where n.source = 'egp-rss' and n.night = ${night}::date and n.outcome is null and s.is_on and s.halted_at is null)
    )
    select l.id, l.project_id as "projectId", l.type, l.link, l.tries, v.hash, coalesce(v.version, 0) as version
    from intake_links l
    left join intake_agencies a on a.code = l.agency
    left join lateral (select * from intake_versions v where v.link_id = l.id order by v.version desc limit 1) v on true
    where l.state = 'waiting' and not coalesce((select coalesce(a.tier, 'C') >= o.tier from open o), false)
    order by l.tries, l.type desc, l.published_on desc, l.id limit 1`)
  return link
}

export async function countWaitingDocumentLinks(db: Db): Promise<number> {
  const [row] = await db.query<{ n: number }>(sql`select count(*)::int as n from intake_links where state = 'waiting'`)
  return row!.n
}

export async function findAnyDocumentLink(db: Db): Promise<string | undefined> {
  const [row] = await db.query<{ link: string }>(
    sql`select link from intake_announcements where type in ('D0', 'B0') and link <> '' order by published_on desc, id desc limit 1`,
  )
  return row?.link
}

export async function recordUnchangedDocumentLink(tx: Db, { id }: PendingDocumentLink, at: Date): Promise<void> {
  await tx.execute(sql`
    update intake_links set state = 'had', tries = 0, reason = null, asked_at = ${at.toISOString()}::timestamptz where id = ${id}::bigint`)
}

export async function addDocumentVersion(
  tx: Db,
  link: PendingDocumentLink,
  { hash, type, bytes }: FetchedDocumentFile,
  at: Date,
): Promise<number> {
  const version = link.version + 1
  await recordUnchangedDocumentLink(tx, link, at)
  await tx.execute(sql`
    insert into intake_versions (link_id, version, hash, type, bytes, fetched_at)
    values (${link.id}::bigint, ${version}::int, ${hash}, ${type}, ${bytes}::bigint, ${at.toISOString()}::timestamptz)`)
  return version
}

/**
 * Records a failed fetch. With `isForTonight` the link is not tried again this night; otherwise it is retried after the
 * others.
 */
export async function recordFailedDocumentLink(
  tx: Db,
  { id, tries }: PendingDocumentLink,
  { reason, isForTonight, at }: { readonly reason: string; readonly isForTonight: boolean; readonly at: Date },
): Promise<void> {
  const newTries = isForTonight ? tries - (tries % LINK_FETCH_TRIES_PER_NIGHT) + LINK_FETCH_TRIES_PER_NIGHT : tries + 1
  await tx.execute(sql`
    update intake_links set tries = ${newTries}::int, reason = ${reason}, asked_at = ${at.toISOString()}::timestamptz,
      state = ${newTries % LINK_FETCH_TRIES_PER_NIGHT === 0 ? 'failed' : 'waiting'}
    where id = ${id}::bigint`)
}

export async function retryDocumentLinks(tx: Db): Promise<void> {
  await tx.execute(sql`update intake_links set state = 'waiting', tries = 0, reason = null where state = 'failed'`)
}

/**
 * Returns true if the file was fetched from a link. Such a file is evidence and is kept even when no document row
 * refers to it.
 */
export async function isFileKeptAsEvidence(db: Db, hash: string): Promise<boolean> {
  const references = await db.query(sql`
    select from intake_versions where hash = ${hash} union all select from fetched_facts where hash = ${hash} limit 1`)
  return references.length > 0
}

export async function countDocumentVersions(db: Db): Promise<number> {
  const [row] = await db.query<{ n: number }>(sql`select count(*)::int as n from intake_versions`)
  return row!.n
}

export async function listDocumentLinks(db: Db, limit: number): Promise<IntakeFileReport[]> {
  return await db.query<IntakeFileReport>(sql`
    select l.id, l.link as address, l.type || ' ' || l.project_id as name, '' as version,
      case l.state when 'had' then 'imported' else l.state end as state, v.bytes::float8 as bytes,
      case when v.version is null then 0 else 1 end as "rowsRead", 0 as "rowsQuarantined",
      case when v.version = 1 then 1 else 0 end as "newProjects", case when v.version > 1 then 1 else 0 end as "updatedProjects",
      l.reason, l.found_at as "foundAt", l.asked_at as "finishedAt"
    from intake_links l left join lateral (select * from intake_versions v where v.link_id = l.id order by v.version desc limit 1) v on true
    where l.asked_at is not null order by l.asked_at desc, l.id desc limit ${limit}::int`)
}

/**
 * Minimum retention. For 120 days a link is re-fetched and its newest version shared with organisations, so content
 * deleted within that time would only be fetched again.
 */
const MIN_RETENTION_DAYS = 180
const VERSIONS_PER_BATCH = 500

/**
 * Deletes fetched versions past the retention period, together with the facts extracted for manual checks. The period
 * is set with `set-limit operation document-days`: at least 180 days; 0 or unset means unlimited. Judgements of facts
 * remain as counts per hash. Returns the hashes of files that may be obsolete.
 */
export async function deleteExpiredDocumentVersions(
  tx: Db,
  at: Date,
): Promise<{ readonly hashes: readonly string[]; readonly days: number }> {
  const [limit] = await tx.query<{ days: number | null }>(sql`
    select nullif((customer_config ->> 'limit_document_days')::int, 0) as days from organisations where code = ${OPERATOR_ORGANISATION_CODE}`)
  if (!limit?.days) return { hashes: [], days: 0 }
  const days = Math.max(limit.days, MIN_RETENTION_DAYS)
  const expired = await tx.query<{ hash: string }>(sql`
    delete from intake_versions v using (
      select link_id, version from intake_versions
      where fetched_at < ${at.toISOString()}::timestamptz - make_interval(days => ${days}::int)
      order by fetched_at limit ${VERSIONS_PER_BATCH}::int
    ) old where v.link_id = old.link_id and v.version = old.version returning v.hash`)
  const hashes = [...new Set(expired.map(({ hash }) => hash))]
  // Another link may have fetched the same file later, so its facts must stay.
  await tx.execute(sql`
    delete from fetched_facts f where f.hash = any (${hashes}::text[])
      and not exists (select from intake_versions v where v.hash = f.hash)`)
  return { hashes, days }
}
