import sql from 'sql-template-tag'
import type { Db } from '#server/engine/db.ts'

/** Forgets the words that were deleted more than a day ago: until then a deletion can be taken back. */
export async function pruneDeletedKeywords(db: Db, now: Date): Promise<void> {
  await db.execute(sql`
    delete from deleted_keywords where deleted_at < ${now.toISOString()}::timestamptz - interval '1 day'`)
}
