import sql from 'sql-template-tag'
import { addDays, countDaysBetween, getBangkokToday } from '#contract/thai/thai-date.ts'
import { recordSourceCount } from '#server/catalogue/announcement-coverage/queries.ts'
import type { RssResponse } from '#server/catalogue/feed/sources/egp-rss-response.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { storeAnnouncements } from './announcements.ts'
import { ANNOUNCEMENT_RATE_HALF_LIFE_DAYS, isDraftOrInvitationType } from './plan-nightly-run.ts'

/** One query to the feed. With empty `day` and `unit` it returns the latest announcements of the whole agency. */
export type AnnouncementQuery = {
  readonly agency: string
  readonly type: string
  readonly day: string
  readonly unit: string
  readonly lastQueriedOn: string | null
  readonly hash: string | null
  readonly dayCount: number | null
}

const MAX_FEED_RESPONSE_ITEMS = 20
const REACH_DAYS = 7
const DATED_DAYS = 30
const MAX_UNIT_QUERIES = 100

export async function findNextAnnouncementQueries(db: Db, limit: number): Promise<AnnouncementQuery[]> {
  return db.query<AnnouncementQuery>(sql`
    select agency, type, day, unit, asked_on as "lastQueriedOn", hash, day_count as "dayCount" from intake_queries where is_planned
    order by deferred, priority, due, agency, type, day, unit limit ${limit}::int`)
}

export async function findLastAnsweredAnnouncementQuery(db: Db): Promise<AnnouncementQuery | undefined> {
  const [query] = await db.query<AnnouncementQuery>(sql`
    select q.agency, q.type, '' as day, '' as unit, q.asked_on as "lastQueriedOn", q.hash, q.day_count as "dayCount"
    from intake_queries q join intake_agencies a on a.code = q.agency
    where q.day = '' order by a.answered_at desc nulls last, q.type = 'D0' desc limit 1`)
  return query
}

export type FeedQueryOutcome = {
  readonly newIds: readonly number[]
  readonly changedIds: readonly number[]
  readonly isFull: boolean
}

type QueryContext = { readonly source: string; readonly night: string; readonly at: Date; readonly today: string }

export async function recordFeedResponse(
  tx: Db,
  query: AnnouncementQuery,
  response: RssResponse,
  context: QueryContext,
): Promise<FeedQueryOutcome> {
  const isSame = query.hash === response.hash && query.dayCount === (response.dayCount ?? null)
  const stored = isSame
    ? { newIds: [], changedIds: [] }
    : await storeAnnouncements(tx, query, response.announcements, { ...context, isRepaired: response.isRepaired })
  if (query.type === 'D0' && query.unit === '')
    await recordSourceCount(tx, {
      agency: query.agency,
      // Without a day, the feed counts the day on which it is queried.
      day: query.day === '' ? getBangkokToday(context.at) : query.day,
      counted: response.dayCount ?? (query.day !== '' && isShort(response) ? response.announcements.length + 1 : 0),
    })
  const days = isSame ? [] : findAnnouncementDaysToQuery(query, response, context)
  if (days.length > 0) await queueDays(tx, query, days, context)
  if (query.day !== '') await settleDay(tx, query, response)
  const isFull = days.length > 0 || (query.unit === '' && query.day !== '' && isShort(response))
  await recordResponse(tx, query, response, { ...context, ...stored, isFull })
  return { ...stored, isFull }
}

const isShort = ({ announcements, rejected, dayCount }: RssResponse) => {
  const items = announcements.length + rejected.length
  return dayCount === undefined ? items >= MAX_FEED_RESPONSE_ITEMS : dayCount > items
}

/**
 * Returns the days that an undated response may have omitted. If the list is full and does not reach back to the
 * agency's last query, these are all days since that query; if the last query is older than the feed's seven-day range,
 * also the days before that range.
 */
function findAnnouncementDaysToQuery(
  query: AnnouncementQuery,
  response: RssResponse,
  { night, today }: Pick<QueryContext, 'night' | 'today'>,
): string[] {
  if (query.day !== '') return []
  const { lastQueriedOn } = query
  const since = lastQueriedOn ?? addDays(night, 1 - REACH_DAYS)
  const reach = addDays(night, -REACH_DAYS)
  const days: string[] = []
  if (lastQueriedOn !== null && lastQueriedOn < reach && isDraftOrInvitationType(query.type))
    days.push(...daysFromTo(lastQueriedOn, addDays(reach, -1)))
  const oldest = response.announcements.reduce((day, { publishedOn }) => (publishedOn < day ? publishedOn : day), today)
  const items = response.announcements.length + response.rejected.length
  const isFull = (response.dayCount ?? 0) > items || (items >= MAX_FEED_RESPONSE_ITEMS && oldest >= since)
  if (isFull) days.push(...daysFromTo(since > reach ? since : reach, today))
  return days.filter((day) => countDaysBetween(day, night) <= DATED_DAYS)
}

function daysFromTo(from: string, to: string): string[] {
  const days: string[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day)
  return days
}

async function queueDays(
  tx: Db,
  { agency, type }: AnnouncementQuery,
  days: readonly string[],
  { night }: QueryContext,
): Promise<void> {
  await tx.execute(sql`
    insert into intake_queries (agency, type, day, due, is_planned, priority)
    select ${agency}, ${type}, d, ${night}::date, true,
      (select priority from intake_queries where agency = ${agency} and type = ${type} and day = '' and unit = '')
    from unnest(${[...days]}::text[]) d
    on conflict (agency, type, day, unit) do update set is_planned = true`)
}

/**
 * Replaces a query for a day whose list was full with one query per unit. Items that are still missing count as the
 * agency's gap.
 */
async function settleDay(tx: Db, query: AnnouncementQuery, response: RssResponse): Promise<void> {
  const { agency, type, day, unit } = query
  const isUnit = unit !== ''
  if (!isUnit && isShort(response)) {
    const expected = response.dayCount ?? response.announcements.length + 1
    await tx.execute(sql`
      insert into intake_gaps (agency, type, day, expected, found) values (${agency}, ${type}, ${day}::date, ${expected}::int, 0)
      on conflict (agency, type, day) do update set expected = greatest(intake_gaps.expected, excluded.expected)`)
  }
  const [gap] = await tx.query<{ isOpen: boolean }>(sql`
    update intake_gaps set found = (
      select count(*) from intake_announcements where agency = ${agency} and type = ${type} and published_on = ${day}::date
    ) where agency = ${agency} and type = ${type} and day = ${day}::date returning found < expected as "isOpen"`)
  if (!isUnit && gap?.isOpen)
    await tx.execute(sql`
      insert into intake_queries (agency, type, day, unit, due, is_planned, priority)
      select agency, ${type}, ${day}, code, q.due, true, q.priority
      from (select agency, code from intake_units where agency = ${agency} order by code limit ${MAX_UNIT_QUERIES}::int) u
      cross join (select due, priority from intake_queries where agency = ${agency} and type = ${type} and day = ${day} and unit = '') q
      on conflict (agency, type, day, unit) do update set is_planned = true`)
  await tx.execute(
    sql`delete from intake_queries where agency = ${agency} and type = ${type} and day = ${day} and unit = ${unit}`,
  )
}

type RecordedOutcome = QueryContext & FeedQueryOutcome

async function recordResponse(
  tx: Db,
  query: AnnouncementQuery,
  response: RssResponse,
  outcome: RecordedOutcome,
): Promise<void> {
  const { agency, type, day, unit } = query
  const { source, night, newIds, changedIds, isFull } = outcome
  const at = sql`${outcome.at.toISOString()}::timestamptz`
  // When the list is full, the feed's own count for the day is more accurate than the number of new items.
  const published = isDraftOrInvitationType(type)
    ? Math.max(newIds.length, isFull && day === '' ? (response.dayCount ?? 0) : 0)
    : 0
  const lastNotice = isDraftOrInvitationType(type)
    ? response.announcements.reduce<string | null>(
        (last, { publishedOn }) => (last === null || publishedOn > last ? publishedOn : last),
        null,
      )
    : null
  const items = response.announcements.length
  await tx.execute(sql`
    with question as (
      update intake_queries set is_planned = false, deferred = 0, asked_on = ${night}::date, asked_at = ${at}, tries = tries + 1, hash = ${response.hash},
        items = ${items}::int, day_count = ${response.dayCount ?? null}::int
      where agency = ${agency} and type = ${type} and day = ${day} and unit = ${unit}
    ), agency as (
      update intake_agencies set answered_at = ${at}, hung_nights = 0,
        rate = case when ${published}::int = 0 then rate
          else rate * power(0.5, (${night}::date - coalesce(rate_on, ${night}::date)) / ${ANNOUNCEMENT_RATE_HALF_LIFE_DAYS}::float8) + ${published}::int end,
        rate_on = case when ${published}::int = 0 then rate_on else ${night}::date end,
        last_notice_on = greatest(last_notice_on, ${lastNotice}::date)
      where code = ${agency}
    ), night as (
      update intake_nights set requests = requests + 1, answers = answers + 1, items = items + ${items}::int, new_items = new_items + ${newIds.length}::int,
        changed_items = changed_items + ${changedIds.length}::int, unreadable_items = unreadable_items + ${response.rejected.length}::int,
        full_answers = full_answers + ${isFull ? 1 : 0}::int
      where source = ${source} and night = ${night}::date
    )
    update intake_sources set last_request_at = ${at}, last_answer_at = ${at}, timeouts_in_row = 0 where source = ${source}`)
}

/** Per night: maximum attempts per query, and maximum times an agency's queries may be deferred. */
const MAX_TRIES = 2

/**
 * Handles a timeout: moves the agency's queries to the end of the queue, the second time to the next night. Returns the
 * number of consecutive timeouts.
 */
export async function recordFeedTimeout(
  tx: Db,
  { agency, type, day, unit }: AnnouncementQuery,
  { source, night, at }: QueryContext,
): Promise<number> {
  await tx.execute(sql`
    update intake_queries set deferred = deferred + 1, is_planned = deferred + 1 < ${MAX_TRIES}::int,
      tries = tries + case when (type, day, unit) = (${type}, ${day}, ${unit}) then 1 else 0 end
    where agency = ${agency} and is_planned`)
  await tx.execute(sql`
    update intake_agencies set hung_nights = hung_nights + 1
    where code = ${agency} and coalesce(answered_at, '-infinity') < ${at.toISOString()}::timestamptz - interval '12 hours'
      and not exists (select from intake_queries where agency = ${agency} and is_planned)`)
  await tx.execute(sql`
    update intake_nights set requests = requests + 1, timeouts = timeouts + 1 where source = ${source} and night = ${night}::date`)
  const [row] = await tx.query<{ inRow: number }>(sql`
    update intake_sources set last_request_at = ${at.toISOString()}::timestamptz, timeouts_in_row = timeouts_in_row + 1
    where source = ${source} returning timeouts_in_row as "inRow"`)
  return row!.inRow
}

/** Handles a truncated response: the query is retried once, at the end of the queue. */
export async function recordDamagedFeedResponse(
  tx: Db,
  { agency, type, day, unit }: AnnouncementQuery,
  { source, night, at }: QueryContext,
): Promise<void> {
  await tx.execute(sql`
    update intake_queries set deferred = deferred + 1, is_planned = deferred + 1 < ${MAX_TRIES}::int, tries = tries + 1
    where agency = ${agency} and type = ${type} and day = ${day} and unit = ${unit}`)
  await tx.execute(sql`
    update intake_nights set requests = requests + 1, unreadable_items = unreadable_items + 1 where source = ${source} and night = ${night}::date`)
  await tx.execute(
    sql`update intake_sources set last_request_at = ${at.toISOString()}::timestamptz, timeouts_in_row = 0 where source = ${source}`,
  )
}
