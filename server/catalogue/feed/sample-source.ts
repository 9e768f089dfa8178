import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'

/** `source` of the loads and projects that the sample is made of. */
export const SAMPLE_SOURCE = 'sample'

/** Whether customers still see the sample. */
export async function isSampleIn(db: Db): Promise<boolean> {
  return (
    (await db.query(sql`select from loads where source = ${SAMPLE_SOURCE} and state <> 'failed' limit 1`)).length > 0
  )
}
