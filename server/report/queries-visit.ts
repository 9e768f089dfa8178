import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'sql-template-tag'
import sql from 'sql-template-tag'
import { MAX_PROJECTS_PER_ACTION } from '#contract/report/bookmark.ts'
import type { ReportIds } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { inLatestLoads } from '#server/matching/latest-loads.ts'
import { type Db, DbUnavailable, QueryTimeout } from '#server/platform/engine/db.ts'
import { readingFromPrimary } from '#server/platform/engine/replica-reads.ts'
import { matchesOf } from './deep/deep-hits.ts'
import { allOf, conditionsOfMatches, filterConditions, reportCondition, type Visit } from './filter-sql.ts'
import type { ReportScope } from './queries.ts'
import { orderSql } from './rows-sql.ts'
import { withFound } from './with-found.ts'

/** The first ids of a search in its order, as many as one action may name, and how many it finds. Page and page size say nothing here. */
export async function loadIds(db: Db, search: ReportSearch, asked: ReportScope): Promise<ReportIds> {
  const scope = await withFound(db, [search], asked)
  const filters = allOf(conditionsOfMatches(filterConditions(search, scope)))
  const [found] = await db.query<ReportIds>(sql`
    with hits as materialized (
      select m.project_id, row_number() over (order by ${orderSql(search, scope.organisationId)}) as place
      from ${matchesOf(search, scope)} where ${reportCondition(scope, search)} and ${filters}
    )
    select (select count(*) from hits) as total,
      array(select h.project_id from hits h where h.place <= ${MAX_PROJECTS_PER_ACTION}::int order by h.place) as ids`)
  return found!
}

/** A visit ends when the report was not opened for this long: lunch goes on with it, the next morning does not. */
export const VISIT_ENDS_HOURS = 4

const moment = (now: Date) => sql`${now.toISOString()}::timestamptz`
/** When the visit before the one of `now` ended, also when nobody has noted yet that a new one began. */
const previous = (now: Date) => sql`
  case when u.last_seen_at < ${moment(now)} - make_interval(hours => ${VISIT_ENDS_HOURS}::int) then u.last_seen_at else u.previous_visit_at end`

/** The report does not wait longer for its visit to be noted: without a standby a write waits for seconds, and holds a turn of its organisation meanwhile. */
const NOTED_WITHIN_MS = 250
/** What noting may take in all. */
const NOTE_LIMIT_MS = 1_000
/** Notes under way at once, of the pool's connections; who finds as many is noted by their next question. */
const MOST_NOTES = 4
/** Users whose visit is being noted, for each database. */
const noting = new WeakMap<Db, Set<number>>()

/** Written at most once a minute. */
const isDue = (now: Date) => sql`(u.last_seen_at is null or u.last_seen_at < ${moment(now)} - interval '1 minute')`

/** Null of both: no such user, or no visit before. */
export type VisitRow = {
  readonly ended_at: string | null
  readonly loads: readonly number[]
  readonly is_due?: boolean | null
}
const columns = (endedAt: Sql) => sql`
  ${endedAt} as ended_at, array(select l.id from loads l where l.state = 'published' and not l.is_history and l.published_at > ${endedAt} order by l.id) as loads`
export const visitOf = (row: VisitRow | undefined): Visit | undefined =>
  row?.ended_at ? { endedAt: new Date(row.ended_at).toISOString(), loads: row.loads } : undefined

/** The previous visit of user `u`, and whether this one is to be noted: `VisitRow`. For a statement that reads more at the same moment. */
export const visitColumns = (now: Date): Sql => sql`${columns(previous(now))}, ${isDue(now)} as is_due`

/** The user's previous visit; undefined on the first. */
export async function previousVisit(db: Db, userId: number, now: Date): Promise<Visit | undefined> {
  return visitOf(await readVisit(db, userId, now))
}

async function readVisit(db: Db, userId: number, now: Date): Promise<VisitRow | undefined> {
  const [row] = await db.query<VisitRow>(sql`select ${visitColumns(now)} from users u where u.id = ${userId}::int`, {
    name: 'report_visit',
  })
  return row
}

/**
 * The same, and remembers that the user has the report before them now: written at most once a minute, by whichever of their devices
 * asks first. Two that open a new visit at once move it on only once, for the second sees what the first wrote. A note that takes long, or fails, holds up no answer:
 * what it would answer is known before. `read`: what the caller has read of it just now.
 */
export async function recordVisit(db: Db, userId: number, now: Date, read?: VisitRow): Promise<Visit | undefined> {
  const known = read ?? (await readVisit(db, userId, now))
  const notes = noting.get(db) ?? new Set()
  if (!known?.is_due || notes.has(userId) || notes.size >= MOST_NOTES) return visitOf(known)
  noting.set(db, notes.add(userId))
  const noted = storeVisit(db, userId, now).finally(() => notes.delete(userId))
  const patience = new AbortController()
  // Nobody may wait for how it ends.
  noted.catch(() => undefined)
  try {
    return (
      (await Promise.race([noted, sleep(NOTED_WITHIN_MS, undefined, { signal: patience.signal })])) ?? visitOf(known)
    )
  } catch (error) {
    // Where nothing can be written now the report is still answered; the next question notes the visit.
    if (error instanceof DbUnavailable || error instanceof QueryTimeout) return visitOf(known)
    throw error
  } finally {
    patience.abort()
  }
}

async function storeVisit(db: Db, userId: number, now: Date): Promise<Visit | undefined> {
  const update = sql`
    update users u set previous_visit_at = ${previous(now)}, last_seen_at = ${moment(now)}
    where u.id = ${userId}::int and ${isDue(now)}
    returning ${columns(sql`u.previous_visit_at`)}`
  // The rows that follow may come from a replica all the same.
  const [row] = await readingFromPrimary(() => db.query<VisitRow>(update, { timeoutMs: NOTE_LIMIT_MS }))
  return row ? visitOf(row) : await previousVisit(db, userId, now)
}

/** The loads that New and Updated speak of; none before the first. */
export async function findLatestLoads(db: Db): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`
    select l.id from loads l where l.state = 'published' and ${inLatestLoads(sql`l.id`)} order by l.id`)
  return rows.map(({ id }) => id)
}
