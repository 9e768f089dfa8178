import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '#server/engine/db.ts'
import type { Visit } from './filter-sql.ts'

/** A visit ends when the report was not opened for this long: lunch goes on with it, the next morning does not. */
export const VISIT_ENDS_HOURS = 4

const moment = (now: Date) => sql`${now.toISOString()}::timestamptz`
/** When the visit before the one of `now` ended, also when nobody has noted yet that a new one began. */
const previous = (now: Date) => sql`
  case when u.last_seen_at < ${moment(now)} - make_interval(hours => ${VISIT_ENDS_HOURS}::int) then u.last_seen_at else u.previous_visit_at end`

type Row = { ended_at: string | null; loads: number[] }
const columns = (endedAt: Sql) => sql`
  ${endedAt} as ended_at, array(select l.id from loads l where l.state = 'published' and l.published_at > ${endedAt} order by l.id) as loads`
const visitOf = (row: Row | undefined): Visit | undefined =>
  row?.ended_at ? { endedAt: new Date(row.ended_at).toISOString(), loads: row.loads } : undefined

/** The user's previous visit; undefined on the first. */
export async function previousVisit(db: Db, userId: number, now: Date): Promise<Visit | undefined> {
  const [row] = await db.query<Row>(sql`select ${columns(previous(now))} from users u where u.id = ${userId}::int`)
  return visitOf(row)
}

/**
 * The same, and remembers that the user has the report before them now: written at most once a minute, by whichever of their devices
 * asks first. Two that open a new visit at once move it on only once, for the second sees what the first wrote.
 */
export async function recordVisit(db: Db, userId: number, now: Date): Promise<Visit | undefined> {
  const [row] = await db.query<Row>(sql`
    update users u set previous_visit_at = ${previous(now)}, last_seen_at = ${moment(now)}
    where u.id = ${userId}::int and (u.last_seen_at is null or u.last_seen_at < ${moment(now)} - interval '1 minute')
    returning ${columns(sql`u.previous_visit_at`)}`)
  return row ? visitOf(row) : previousVisit(db, userId, now)
}
