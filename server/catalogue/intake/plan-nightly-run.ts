import sql, { join, type Sql } from 'sql-template-tag'
import { addDays } from '#contract/thai/thai-date.ts'
import { storeCoverageDays } from '#server/catalogue/announcement-coverage/queries.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { NightlyRunWindow } from './opening-hours.ts'
import { isWeekend } from './opening-hours.ts'

/**
 * Announcement types to query, most urgent first. e-GP's other three (P0, W1, W2) do not fit into one night at this
 * pace.
 */
const QUERIED_ANNOUNCEMENT_TYPES = ['D0', 'B0', 'D1', 'D2', '15', 'W0'] as const

export const isDraftOrInvitationType = (type: string) => type === 'D0' || type === 'B0'

type Tier = 'A' | 'B' | 'C'
type QuerySchedule = { readonly tier: Tier; readonly type: string; readonly nights: number; readonly priority: number }

/**
 * Number of agencies in tier A. The busiest 500 agencies publish 49 % of all invitations, the busiest 2,000 publish 77
 * % (2568, 1.39 million contracts).
 */
const TIER_A_SIZE = 500
const TIER_B_SIZE = 1_500

/** Interval in nights and priority per tier and type. A short night drops tier C first and never A. */
const QUERY_SCHEDULES: readonly QuerySchedule[] = QUERIED_ANNOUNCEMENT_TYPES.flatMap((type): QuerySchedule[] => [
  { tier: 'A', type, nights: 1, priority: type === 'D0' ? 0 : 1 },
  { tier: 'B', type, nights: isDraftOrInvitationType(type) ? 1 : 3, priority: isDraftOrInvitationType(type) ? 2 : 5 },
  { tier: 'C', type, ...(type === 'D0' ? { nights: 2, priority: 3 } : { nights: type === 'B0' ? 3 : 6, priority: 6 }) },
])

/**
 * Types that only follow a draft or an invitation are queried monthly when the agency has had neither for this long: 95
 * % of projects take less time from that point to the contract.
 */
const QUIET_AFTER_DAYS = 130
const SWEEP_NIGHTS = 30
/**
 * A quiet agency that published an invitation within about three weeks is queried for invitations every night. This
 * halves the number of invitations delayed by a failed night.
 */
const RECENT_RATE = 0.3
/** A response covers seven days, so queries that were last sent seven days ago take precedence. */
const REACH_DAYS = 7
const REACH_PRIORITY = 4
/**
 * A nightly run is complete when no query more urgent than this remains; the rest can run on later nights without loss.
 */
export const DEFERRABLE_QUERY_PRIORITY = REACH_PRIORITY + 1
/** The feed answers single-day queries for days up to this long ago. */
const DATED_DAYS = 30
export const ANNOUNCEMENT_RATE_HALF_LIFE_DAYS = 14
const NO_TIMEOUT = { timeoutMs: 0 }

export async function planNightlyRun(tx: Db, source: string, { night }: NightlyRunWindow, at: Date): Promise<number> {
  await updateTiers(tx, night)
  await addQueries(tx, night)
  await storeCoverageDays(tx, { through: addDays(night, -DATED_DAYS - 1) })
  await tx.execute(
    sql`delete from intake_queries where day <> '' and day < ${addDays(night, -DATED_DAYS)}::text`,
    NO_TIMEOUT,
  )
  await tx.execute(sql`delete from intake_gaps where day < ${addDays(night, -DATED_DAYS)}::date`)
  const planned = await markDue(tx, night)
  await tx.execute(sql`
    insert into intake_nights (source, night, begun_at, planned)
    values (${source}, ${night}::date, ${at.toISOString()}::timestamptz, ${planned}::int)
    on conflict (source, night) do update set planned = excluded.planned, ended_at = null, outcome = null`)
  await tx.execute(sql`
    update intake_sources set night = ${night}::date, timeouts_in_row = 0, stops = 0, resume_at = null where source = ${source}`)
  return planned
}

/** Ranks agencies by activity. An agency that a user watches, directly or through a unit, is always in tier A. */
async function updateTiers(tx: Db, night: string): Promise<void> {
  await tx.execute(
    sql`
    with watched as (
      select a.code from intake_agencies a where exists (
        select from keywords k where k.list = 'deptsub_include' and (k.word = a.name or k.word in (
          select d.sub_name from departments d where d.name = a.name
        ))
      )
    ), ranked as (
      select a.code, row_number() over (order by a.rate * power(0.5, (${night}::date - coalesce(a.rate_on, ${night}::date)) / ${ANNOUNCEMENT_RATE_HALF_LIFE_DAYS}::float8) desc, a.last_notice_on desc nulls last, a.code) as place, w.code is not null as is_watched
      from intake_agencies a left join watched w on w.code = a.code
    ), next as (
      select code, is_watched, case when is_watched or place <= ${TIER_A_SIZE}::int then 'A' when place <= ${TIER_A_SIZE + TIER_B_SIZE}::int then 'B' else 'C' end as tier
      from ranked
    )
    update intake_agencies a set tier = n.tier, is_watched = n.is_watched from next n
    where n.code = a.code and (a.tier, a.is_watched) is distinct from (n.tier, n.is_watched)`,
    NO_TIMEOUT,
  )
}

/** Adds the queries of new agencies, starting on different nights so that the load stays evenly spread. */
async function addQueries(tx: Db, night: string): Promise<void> {
  await tx.execute(
    sql`
    insert into intake_queries (agency, type, due)
    select a.code, r.type, ${night}::date + mod(hashtext(a.code || r.type) & 2147483647, r.nights)
    from intake_agencies a join ${rhythmTable()} on r.tier = a.tier
    on conflict do nothing`,
    NO_TIMEOUT,
  )
}

const rhythmTable = (): Sql =>
  sql`(values ${join(
    QUERY_SCHEDULES.map(
      ({ tier, type, nights, priority }) => sql`(${tier}::text, ${type}::text, ${nights}::int, ${priority}::smallint)`,
    ),
  )}) as r (tier, type, nights, priority)`

/**
 * Marks all due queries, including those missed last night. An agency that timed out for three nights gets a single
 * query.
 */
async function markDue(tx: Db, night: string): Promise<number> {
  const weekend = isWeekend(night)
  const lastWorkday = lastWorkingDay(night)
  await tx.execute(
    sql`update intake_queries set is_planned = false, deferred = 0, tries = 0 where is_planned or tries > 0`,
    NO_TIMEOUT,
  )
  const dueCount = await tx.execute(
    sql`
    with own as (
      select q.agency, q.type, r.priority,
        case when a.tier = 'C' and q.type not in ('D0', 'B0') and coalesce(a.last_notice_on, '-infinity') < ${night}::date - ${QUIET_AFTER_DAYS}::int
          then ${SWEEP_NIGHTS}::int
          when a.tier = 'C' and q.type = 'D0' and a.rate * power(0.5, (${night}::date - coalesce(a.rate_on, ${night}::date)) / ${ANNOUNCEMENT_RATE_HALF_LIFE_DAYS}::float8) >= ${RECENT_RATE}::float8
          then 1 else r.nights end as nights,
        a.hung_nights, q.asked_on, q.due
      from intake_queries q join intake_agencies a on a.code = q.agency join ${rhythmTable()} on r.tier = a.tier and r.type = q.type
      where q.day = ''
    )
    update intake_queries q set is_planned = true, due = least(q.due, ${night}::date),
      priority = case when o.nights < ${SWEEP_NIGHTS}::int and o.asked_on <= ${night}::date - ${REACH_DAYS - 1}::int
        then least(o.priority, ${REACH_PRIORITY}::smallint) else o.priority end
    from own o
    where q.agency = o.agency and q.type = o.type and q.day = '' and (o.hung_nights < 3 or q.type = 'D0')
      and case when o.asked_on is null then o.due <= ${night}::date
        when ${weekend}::boolean and o.nights = 1 then o.asked_on < ${lastWorkday}::date
        -- Every second night by a number of the agency's own: after a night that failed, all would else come together for ever.
        when o.nights = 2 and o.asked_on < ${night}::date and mod(${night}::date - date '2000-01-01' + (hashtext(o.agency) & 1), 2) = 0 then true
        else o.asked_on + o.nights <= ${night}::date end`,
    NO_TIMEOUT,
  )
  const dated = await tx.execute(sql`update intake_queries set is_planned = true where day <> ''`, NO_TIMEOUT)
  return dueCount + dated
}

/**
 * Returns the last working day. Nothing is published at weekends, so queries from Friday evening are still up to date.
 */
function lastWorkingDay(night: string): string {
  let day = night
  while (isWeekend(day)) day = addDays(day, -1)
  return day
}
