import sql, { empty, type Sql } from 'sql-template-tag'
import {
  COVERAGE_MORNING,
  type CoverageAgencyKind,
  type CoverageNightOutcome,
  type ProjectCoverage,
} from '#contract/catalogue/coverage.ts'
import type { Db } from '#server/platform/engine/db.ts'

const SOURCE = 'egp-rss'
const INVITATION = 'D0'
/**
 * Agencies publish in office hours. An answer after this time therefore lists the whole day; whatever is published
 * later appears in the answer of the next night.
 */
const OFFICE_DAY_ENDS = '17:30'
/** The intake deletes gaps older than this (`planNightlyRun`). */
export const GAP_RETENTION_DAYS = 30

/** Restricts figures to agencies with these codes; undefined: all. */
export type AgencyCodes = readonly string[] | undefined

const within = (column: Sql, codes: AgencyCodes): Sql =>
  codes === undefined ? empty : sql`and ${column} = any (${[...codes]}::text[])`

const NO_TIMEOUT = { timeoutMs: 60_000 }

/** Agencies with kind, province (local bodies only), and the last day that their answers cover. */
const agencies = (codes: AgencyCodes): Sql => sql`
  agency as (
    select a.code, a.name, a.answered_at, a.hung_nights,
      case when length(a.code) = 7 or c.province is not null then 'local' when d.ministry like 'รัฐวิสาหกิจ%' then 'state_enterprise'
        when d.ministry like 'กระทรวง%' or d.ministry = 'สำนักนายกรัฐมนตรี' then 'ministry' else 'other' end as kind,
      c.province, ((q.asked_at at time zone 'Asia/Bangkok') - ${OFFICE_DAY_ENDS}::interval)::date as known_through
    from intake_agencies a left join agency_codes c on c.code = a.code left join agency_directory d on d.name_key = a.name_key
    left join intake_queries q on q.agency = a.code and q.type = ${INVITATION} and q.day = '' and q.unit = ''
    where true ${within(sql`a.code`, codes)}
  )`

/**
 * Time at which customers could see an announcement. A later change overwrites `applied_at`, so the time of receipt is
 * used then; the load follows it within half a minute.
 */
const VISIBLE_AT = sql`case when p.project_id is null then null when n.changed_at is not null then n.first_seen_at else n.applied_at end`

const morningAfter = (days: number): Sql =>
  sql`((n.published_on + ${days}::int + ${COVERAGE_MORNING}::time) at time zone 'Asia/Bangkok')`

export type CoverageGroupKey = { readonly kind: CoverageAgencyKind; readonly province: number | null }

/** Figures per group and bucket: a day from `daysFrom` on, a month (its first day) before. */
export type CoverageCount = CoverageGroupKey & {
  readonly bucket: string
  readonly received: number
  readonly had: number
  readonly first: number
  readonly second: number
}

export type CoveragePeriod = { readonly from: string; readonly daysFrom: string; readonly to: string }

export async function countInvitations(
  db: Db,
  { from, daysFrom, to }: CoveragePeriod,
  codes: AgencyCodes,
): Promise<CoverageCount[]> {
  return await db.query<CoverageCount>(
    sql`
    with ${agencies(codes)}, invitation as (
      select n.agency, case when n.published_on >= ${daysFrom}::date then n.published_on else date_trunc('month', n.published_on)::date end as bucket,
        ${VISIBLE_AT} as visible_at, ${morningAfter(1)} as first_at, ${morningAfter(2)} as second_at
      from intake_announcements n left join projects p on p.project_id = n.project_id
      where n.source = ${SOURCE} and n.type = ${INVITATION} and n.published_on between ${from}::date and ${to}::date ${within(sql`n.agency`, codes)}
    )
    select bucket, coalesce(a.kind, 'other') as kind, a.province, count(*)::int as received, count(visible_at)::int as had,
      (count(*) filter (where visible_at <= first_at))::int as first, (count(*) filter (where visible_at <= second_at))::int as second
    from invitation i left join agency a on a.code = i.agency group by 1, 2, 3`,
    NO_TIMEOUT,
  )
}

export type CoverageGap = CoverageGroupKey & { readonly day: string; readonly missing: number }

const STORED_OF_GAP = sql`(
  select count(*) from intake_announcements n where n.agency = g.agency and n.type = g.type and n.published_on = g.day)`

export async function countUnlistedInvitations(
  db: Db,
  { from, to }: CoveragePeriod,
  codes: AgencyCodes,
): Promise<CoverageGap[]> {
  return await db.query<CoverageGap>(sql`
    with ${agencies(codes)}
    select g.day, a.kind, a.province, sum(greatest(g.expected - ${STORED_OF_GAP}, 0))::int as missing
    from intake_gaps g join agency a on a.code = g.agency
    where g.type = ${INVITATION} and g.day between ${from}::date and ${to}::date group by 1, 2, 3`)
}

export type AgencyKnowledge = CoverageGroupKey & { readonly knownThrough: string | null; readonly agencies: number }

export async function countAgenciesByKnowledge(db: Db, codes: AgencyCodes): Promise<AgencyKnowledge[]> {
  return await db.query<AgencyKnowledge>(sql`
    with ${agencies(codes)}
    select kind, province, known_through as "knownThrough", count(*)::int as agencies from agency group by 1, 2, 3`)
}

export type PendingDay = CoverageGroupKey & { readonly day: string; readonly agencies: number }

/** Counts agencies that answered since, but whose list did not reach back to a day that is still to be queried. */
export async function countPendingDays(db: Db, codes: AgencyCodes): Promise<PendingDay[]> {
  return await db.query<PendingDay>(sql`
    with ${agencies(codes)}
    select q.day, a.kind, a.province, count(*)::int as agencies from intake_queries q join agency a on a.code = q.agency
    where q.type = ${INVITATION} and q.day <> '' and q.unit = '' and a.known_through >= q.day::date group by 1, 2, 3`)
}

export type CoverageNightRow = {
  readonly night: string
  readonly outcome: CoverageNightOutcome
  readonly unreadable: number
  readonly timeouts: number
}

export async function listCoverageNights(db: Db): Promise<CoverageNightRow[]> {
  return await db.query<CoverageNightRow>(sql`
    select night, coalesce(outcome, 'running') as outcome, unreadable_items as unreadable, timeouts
    from intake_nights where source = ${SOURCE} order by night`)
}

export async function isFeedOn(db: Db): Promise<boolean> {
  const rows = await db.query(sql`select from intake_sources where source = ${SOURCE} and is_on`)
  return rows.length > 0
}

/** Names that the organisation watches, and those that the user follows: of agencies or of their units. */
export async function listFollowedAgencyNames(
  db: Db,
  { organisationId, userId }: { readonly organisationId: number; readonly userId: number },
): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql`
    select word as name from keywords where organisation_id = ${organisationId}::int and list = 'deptsub_include'
    union select split_part(key, ' › ', 1) from follows where user_id = ${userId}::int and kind = 'department'`)
  return rows.map(({ name }) => name)
}

export async function findFeedAgencyCodes(db: Db, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return []
  const rows = await db.query<{ code: string }>(sql`
    select a.code from intake_agencies a
    where a.name = any (${[...names]}::text[])
      or a.name in (select d.name from departments d where d.sub_name = any (${[...names]}::text[]))`)
  return rows.map(({ code }) => code)
}

export type LateInvitation = {
  readonly id: number
  readonly projectId: string
  readonly title: string
  readonly agency: string
  readonly receivedAt: string | null
  readonly isApplied: boolean
}

/** Lists invitations of a day that customers could not see on its first morning. */
export async function listLateInvitations(db: Db, day: string, codes: AgencyCodes): Promise<LateInvitation[]> {
  return await db.query<LateInvitation>(sql`
    select n.id, n.project_id as "projectId", n.title, coalesce(a.name, n.agency) as agency, ${VISIBLE_AT} as "receivedAt",
      n.applied_at is not null as "isApplied"
    from intake_announcements n left join projects p on p.project_id = n.project_id left join intake_agencies a on a.code = n.agency
    where n.source = ${SOURCE} and n.type = ${INVITATION} and n.published_on = ${day}::date ${within(sql`n.agency`, codes)}
      and coalesce(${VISIBLE_AT}, 'infinity') > ${morningAfter(1)}
    order by "receivedAt" nulls first, agency, n.project_id`)
}

export type UnlistedInvitations = { readonly agency: string; readonly counted: number; readonly missing: number }

export async function listUnlistedInvitations(db: Db, day: string, codes: AgencyCodes): Promise<UnlistedInvitations[]> {
  return await db.query<UnlistedInvitations>(sql`
    select agency, counted, missing from (
      select a.name as agency, g.expected as counted, (g.expected - ${STORED_OF_GAP})::int as missing
      from intake_gaps g join intake_agencies a on a.code = g.agency
      where g.type = ${INVITATION} and g.day = ${day}::date ${within(sql`g.agency`, codes)}
    ) gap where missing > 0 order by missing desc, agency`)
}

export type UnknownAgency = {
  readonly agency: string
  readonly answeredAt: string | null
  readonly hungNights: number
  readonly total: number
}

/** Lists agencies whose answers do not cover a day yet; `total` counts those beyond `limit` too. */
export async function listUnknownAgencies(
  db: Db,
  day: string,
  codes: AgencyCodes,
  limit: number,
): Promise<UnknownAgency[]> {
  return await db.query<UnknownAgency>(sql`
    with ${agencies(codes)}
    select name as agency, answered_at as "answeredAt", hung_nights as "hungNights", (count(*) over ())::int as total from agency a
    where known_through is null or known_through < ${day}::date or exists (
      select from intake_queries q where q.agency = a.code and q.type = ${INVITATION} and q.day = ${day} and q.unit = '')
    order by hung_nights desc, name limit ${limit}::int`)
}

export async function findQuarantineReasons(
  db: Db,
  projectIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (projectIds.length === 0) return new Map()
  const rows = await db.query<{ key: string; reason: string }>(sql`
    select substring(q.raw from '"projectId":"([^"]+)"') || ' ' || substring(q.raw from '"type":"([^"]+)"') as key, q.reason
    from quarantined_rows q join loads l on l.id = q.load_id
    where l.source = ${SOURCE} and substring(q.raw from '"projectId":"([^"]+)"') = any (${[...projectIds]}::text[]) order by q.load_id, q.line`)
  return new Map(rows.map(({ key, reason }) => [key, reason]))
}

export const toQuarantineKey = (projectId: string, type = INVITATION) => `${projectId} ${type}`

/** Returns when the first load of a project was published; undefined when the product does not have it. */
export async function findProjectSince(db: Db, projectId: string): Promise<{ since: string | null } | undefined> {
  const [row] = await db.query<{ since: string | null }>(sql`
    select l.published_at as since from projects p left join loads l on l.id = p.first_load where p.project_id = ${projectId}`)
  return row
}

type AnnouncementRow = Omit<ProjectCoverage['announcements'][number], 'is_published' | 'detail'> & {
  readonly is_applied: boolean
}

export async function listProjectAnnouncements(db: Db, projectId: string): Promise<AnnouncementRow[]> {
  return await db.query<AnnouncementRow>(sql`
    select type, published_on, first_seen_at as received_at, applied_at is not null as is_applied
    from intake_announcements where project_id = ${projectId} order by published_on desc, id desc limit 50`)
}
