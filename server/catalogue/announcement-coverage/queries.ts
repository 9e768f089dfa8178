import sql, { empty, type Sql } from 'sql-template-tag'
import {
  COVERAGE_MORNING,
  type CoverageAgencyKind,
  type CoverageNightOutcome,
  type CoverageReach,
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
/** The intake deletes gaps and queries of days older than this (`planNightlyRun`). */
export const GAP_RETENTION_DAYS = 30

export type AgencyCodes = readonly string[] | undefined

const within = (column: Sql, codes: AgencyCodes): Sql =>
  codes === undefined ? empty : sql`and ${column} = any (${[...codes]}::text[])`

const NO_TIMEOUT = { timeoutMs: 60_000 }

/** Last day whose figures are stored for good; its announcements and queries may have been deleted since. */
const STORED_THROUGH = sql`(select coalesce(max(day), '-infinity'::date) from coverage_days)`

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

const liveCounts = (from: Sql, to: Sql, codes: AgencyCodes): Sql => sql`
  live_count as (
    select day, agency, greatest(max(counted), sum(listed))::int as counted, sum(listed)::int as listed, count(visible_at)::int as had,
      (count(*) filter (where visible_at <= first_at))::int as by_first_morning,
      (count(*) filter (where visible_at <= second_at))::int as by_second_morning
    from (
      select n.published_on as day, n.agency, 0 as counted, 1 as listed, ${VISIBLE_AT} as visible_at, ${morningAfter(1)} as first_at, ${morningAfter(2)} as second_at
      from intake_announcements n left join projects p on p.project_id = n.project_id
      where n.source = ${SOURCE} and n.type = ${INVITATION} and n.published_on between ${from} and ${to} ${within(sql`n.agency`, codes)}
      union all
      select day, agency, counted, 0, null, null, null from coverage_counts where day between ${from} and ${to} ${within(sql`agency`, codes)}
    ) item group by day, agency
  )`

export type CoverageGroupKey = { readonly kind: CoverageAgencyKind; readonly province: number | null }

/** Figures per group and bucket: a day from `daysFrom` on, a month (its first day) before. */
export type CoverageCount = CoverageGroupKey & {
  readonly bucket: string
  readonly counted: number
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
    with ${agencies(codes)}, ${liveCounts(sql`greatest(${from}::date, ${STORED_THROUGH} + 1)`, sql`${to}::date`, codes)}, figure as (
      select n.day, coalesce(a.kind, 'other') as kind, a.province, n.counted, n.had, n.by_first_morning, n.by_second_morning
      from live_count n left join agency a on a.code = n.agency
      union all
      select day, kind, province, counted, had, by_first_morning, by_second_morning from coverage_counts
      where day between ${from}::date and least(${to}::date, ${STORED_THROUGH}) and kind is not null ${within(sql`agency`, codes)}
    )
    select case when day >= ${daysFrom}::date then day else date_trunc('month', day)::date end as bucket, kind, province,
      sum(counted)::int as counted, sum(had)::int as had, sum(by_first_morning)::int as first, sum(by_second_morning)::int as second
    from figure group by 1, 2, 3`,
    NO_TIMEOUT,
  )
}

export type AgencyGroup = CoverageGroupKey & { readonly agencies: number }

export async function countAgencies(db: Db, codes: AgencyCodes): Promise<AgencyGroup[]> {
  return await db.query<AgencyGroup>(sql`
    with ${agencies(codes)} select kind, province, count(*)::int as agencies from agency group by 1, 2`)
}

/** Days for which an agency has not answered; `to` is null while it has not answered since. */
export type UnansweredDays = CoverageGroupKey & {
  readonly agency: string
  readonly from: string
  readonly to: string | null
}

/**
 * Lists the agencies whose answers do not cover some days: stored days, per month; days since the last answer; and days
 * that are still to be queried, because a later list did not reach back to them.
 */
export async function listUnansweredDays(
  db: Db,
  { from, to }: CoveragePeriod,
  codes: AgencyCodes,
): Promise<UnansweredDays[]> {
  return await db.query<UnansweredDays>(
    sql`
    with ${agencies(codes)}
    select code as agency, kind, province, greatest(${from}::date, known_through + 1, ${STORED_THROUGH} + 1) as "from", null::date as "to"
    from agency where known_through is null or known_through < ${to}::date
    union all
    select a.code, a.kind, a.province, q.day::date, q.day::date from intake_queries q join agency a on a.code = q.agency
    where q.type = ${INVITATION} and q.day <> '' and q.unit = '' and a.known_through >= q.day::date
    union all
    select a.code, a.kind, a.province, min(d.day), max(d.day)
    from coverage_days d cross join lateral unnest(d.unknown_agencies) as u (agency) join agency a on a.code = u.agency
    where d.day between ${from}::date and ${to}::date group by a.code, a.kind, a.province, date_trunc('month', d.day)`,
    NO_TIMEOUT,
  )
}

export async function findFirstStoredDay(db: Db): Promise<string | null> {
  const [row] = await db.query<{ day: string | null }>(sql`select min(day) as day from coverage_days`)
  return row!.day
}

/** Remembers how many invitations of a day the feed counted; its largest count remains. */
export async function recordSourceCount(
  tx: Db,
  { agency, day, counted }: { readonly agency: string; readonly day: string; readonly counted: number },
): Promise<void> {
  if (counted === 0) return
  await tx.execute(sql`
    insert into coverage_counts as c (day, agency, counted) values (${day}::date, ${agency}, ${counted}::int)
    on conflict (day, agency) do update set counted = excluded.counted where c.counted < excluded.counted and c.kind is null`)
}

/**
 * Stores the figures of the days up to `through` for good, because their gaps and queries are deleted next. Starts after
 * the last stored day; before the first one, at the oldest day whose gaps the previous night left.
 */
export async function storeCoverageDays(tx: Db, { through }: { readonly through: string }): Promise<void> {
  const [period] = await tx.query<{ from: string | null }>(sql`
    select coalesce(max(d.day) + 1, (select greatest(min(night), max(night) - ${GAP_RETENTION_DAYS}::int) from intake_nights where source = ${SOURCE})) as "from"
    from coverage_days d`)
  const from = period!.from
  if (from === null || from > through) return
  const [first, last] = [sql`${from}::date`, sql`${through}::date`]
  await tx.execute(
    sql`
    with ${agencies(undefined)}, ${liveCounts(first, last, undefined)}
    insert into coverage_counts (day, agency, counted, kind, province, listed, had, by_first_morning, by_second_morning)
    select n.day, n.agency, n.counted, coalesce(a.kind, 'other'), a.province, n.listed, n.had, n.by_first_morning, n.by_second_morning
    from live_count n left join agency a on a.code = n.agency
    on conflict (day, agency) do update set counted = excluded.counted, kind = excluded.kind, province = excluded.province, listed = excluded.listed,
      had = excluded.had, by_first_morning = excluded.by_first_morning, by_second_morning = excluded.by_second_morning`,
    NO_TIMEOUT,
  )
  await tx.execute(
    sql`
    with ${agencies(undefined)}
    insert into coverage_days (day, unknown_agencies)
    select d.day, array(select agency.code from agency where ${isUnanswered(sql`d.day`)} order by 1)
    from (select generate_series(${first}, ${last}, interval '1 day')::date as day) d on conflict do nothing`,
    NO_TIMEOUT,
  )
}

const isUnanswered = (day: Sql): Sql => sql`(agency.known_through is null or agency.known_through < ${day} or exists (
  select from intake_queries q where q.agency = agency.code and q.type = ${INVITATION} and q.day = to_char(${day}, 'YYYY-MM-DD') and q.unit = ''))`

/** Counts agencies by kind and code length; those that are not queried are last, with their latest probe. */
export async function listReach(db: Db, now: Date): Promise<CoverageReach[]> {
  const at = sql`${now.toISOString()}::timestamptz`
  return await db.query<CoverageReach>(
    sql`
    with ${agencies(undefined)}, listed as (
      select distinct agency from intake_announcements
      where type = ${INVITATION} and published_on > (${at} at time zone 'Asia/Bangkok')::date - 30
    ), probe as (
      select distinct on (length(agency)) length(agency) as digits, probed_on, outcome from coverage_probes
      order by length(agency), probed_on desc, outcome = 'listed' desc, outcome = 'empty' desc
    )
    select kind, length(code) as digits, count(*)::int as agencies, true as is_queried,
      (count(*) filter (where answered_at > ${at} - interval '7 days'))::int as answered,
      (count(*) filter (where code in (select l.agency from listed l)))::int as listed, null::json as probe
    from agency group by kind, length(code)
    union all
    select case when c.province is null then 'other' else 'local' end, length(c.code), count(*)::int, false, 0, 0,
      case when p.outcome is not null then json_build_object('on', to_char(p.probed_on, 'YYYY-MM-DD'), 'outcome', p.outcome) end
    from agency_codes c left join probe p on p.digits = length(c.code)
    where not exists (select from intake_agencies a where a.code = c.code) group by 1, length(c.code), p.probed_on, p.outcome
    order by is_queried desc, agencies desc, kind, digits`,
    NO_TIMEOUT,
  )
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

/** Name of a followed agency or unit, and its province (DOPA code) if only the units there are followed. */
export type FollowedAgency = { readonly name: string; readonly province: string | null }

export async function listFollowedAgencies(
  db: Db,
  { organisationId, userId }: { readonly organisationId: number; readonly userId: number },
): Promise<FollowedAgency[]> {
  return await db.query<FollowedAgency>(sql`
    select word as name, null as province from keywords where organisation_id = ${organisationId}::int and list = 'deptsub_include'
    union select split_part(key, ' › ', 1), nullif(split_part(key, ' › ', 3), '')
    from follows where user_id = ${userId}::int and kind = 'department'`)
}

/** A local government has a province in the directory, so one elsewhere of the same name is left out. */
export async function findFeedAgencyCodes(db: Db, followed: readonly FollowedAgency[]): Promise<string[]> {
  if (followed.length === 0) return []
  const rows = await db.query<{ code: string }>(sql`
    with followed as (select * from json_to_recordset(${JSON.stringify(followed)}::text::json) as t (name text, province text)),
    agency as (
      select f.name, f.province from followed f
      union select d.name, coalesce(f.province, d.province::text) from followed f join departments d on d.sub_name = f.name
    )
    select distinct a.code from agency f join intake_agencies a on a.name = f.name left join agency_codes c on c.code = a.code
    where f.province is null or c.province is null or c.province::text = f.province`)
  return rows.map(({ code }) => code)
}

export type LateInvitation = {
  readonly id: number
  readonly projectId: string
  readonly title: string
  readonly agency: string
  readonly province: number | null
  readonly receivedAt: string | null
  readonly isApplied: boolean
}

export async function listLateInvitations(db: Db, day: string, codes: AgencyCodes): Promise<LateInvitation[]> {
  return await db.query<LateInvitation>(sql`
    select n.id, n.project_id as "projectId", n.title, coalesce(a.name, n.agency) as agency, c.province, ${VISIBLE_AT} as "receivedAt",
      n.applied_at is not null as "isApplied"
    from intake_announcements n left join projects p on p.project_id = n.project_id left join intake_agencies a on a.code = n.agency
    left join agency_codes c on c.code = n.agency
    where n.source = ${SOURCE} and n.type = ${INVITATION} and n.published_on = ${day}::date ${within(sql`n.agency`, codes)}
      and coalesce(${VISIBLE_AT}, 'infinity') > ${morningAfter(1)}
    order by "receivedAt" nulls first, agency, n.project_id`)
}

export type UnlistedInvitations = {
  readonly agency: string
  readonly province: number | null
  readonly counted: number
  readonly missing: number
}

export async function listUnlistedInvitations(db: Db, day: string, codes: AgencyCodes): Promise<UnlistedInvitations[]> {
  return await db.query<UnlistedInvitations>(sql`
    select agency, province, counted, counted - listed as missing from (
      select coalesce(a.name, c.agency) as agency, k.province, c.counted, coalesce(c.listed, (
        select count(*) from intake_announcements n where n.source = ${SOURCE} and n.agency = c.agency and n.type = ${INVITATION} and n.published_on = c.day
      ))::int as listed
      from coverage_counts c left join intake_agencies a on a.code = c.agency left join agency_codes k on k.code = c.agency
      where c.day = ${day}::date ${within(sql`c.agency`, codes)}
    ) count where counted > listed order by missing desc, agency`)
}

export type UnknownAgency = {
  readonly agency: string
  readonly province: number | null
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
    select name as agency, province, answered_at as "answeredAt", hung_nights as "hungNights", (count(*) over ())::int as total from agency
    where case when ${day}::date > ${STORED_THROUGH} then ${isUnanswered(sql`${day}::date`)}
      else exists (select from coverage_days d where d.day = ${day}::date and agency.code = any (d.unknown_agencies)) end
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
