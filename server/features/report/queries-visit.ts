import sql from 'sql-template-tag'
import type { Db } from '#server/db/db.ts'

/** A visit ends when the report was not opened for this long: lunch goes on with it, the next morning does not. */
export const VISIT_ENDS_HOURS = 4

const gone = (now: Date) =>
  sql`u.last_seen_at < ${now.toISOString()}::timestamptz - make_interval(hours => ${VISIT_ENDS_HOURS}::int)`
/** When the visit before the one of `now` ended, also when nobody has noted yet that a new one began. */
const previous = (now: Date) => sql`case when ${gone(now)} then u.last_seen_at else u.previous_visit_at end`

/** When the user's previous visit ended, UTC ISO; null on the first. */
export async function previousVisit(db: Db, userId: number, now: Date): Promise<string | null> {
  const [user] = await db.query<{ previous: string | null }>(sql`
    select ${previous(now)} as previous from users u where u.id = ${userId}::int`)
  return user?.previous ?? null
}

/**
 * The same, and remembers that the user has the report before them now: written at most once a minute, by whichever of their devices
 * asks first. Two that open a new visit at once move it on only once, for the second sees what the first wrote.
 */
export async function noteVisit(db: Db, userId: number, now: Date): Promise<string | null> {
  const moved = await db.query<{ previous: string | null }>(sql`
    update users u set previous_visit_at = ${previous(now)}, last_seen_at = ${now.toISOString()}::timestamptz
    where u.id = ${userId}::int
      and (u.last_seen_at is null or u.last_seen_at < ${now.toISOString()}::timestamptz - interval '1 minute')
    returning u.previous_visit_at as previous`)
  return moved.length > 0 ? moved[0]!.previous : previousVisit(db, userId, now)
}
