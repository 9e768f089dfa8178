import sql from 'sql-template-tag'
import type { Db } from '#server/engine/db.ts'

/** Loads that were begun over a week ago and that nobody came back to; what they staged only takes room. */
export async function findAbandonedLoads(db: Db): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`
    select id from loads where state = 'staging' and started_at < now() - interval '7 days' order by id`)
  return rows.map(({ id }) => id)
}
