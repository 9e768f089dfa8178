import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'

/**
 * Returns the filters shared with the user, then the user's saved filters, as stored. They may be in the format of an
 * older version.
 */
export async function findSavedFilters(db: Db, userId: number): Promise<{ id: string; filter_data: unknown }[]> {
  return db.query(sql`
    select f.id, f.filter_data from saved_filters f
    where f.user_id = ${userId}::int or f.shared_with = (select u.organisation_id from users u where u.id = ${userId}::int)
    order by f.user_id = ${userId}::int, f.created_at, f.id`)
}
