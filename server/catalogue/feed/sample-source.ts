import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'

export const SAMPLE_SOURCE = 'sample'

/** Returns true while demo data is visible to customers. */
export async function isSampleIn(db: Db): Promise<boolean> {
  return (
    (await db.query(sql`select from loads where source = ${SAMPLE_SOURCE} and state <> 'failed' limit 1`)).length > 0
  )
}
