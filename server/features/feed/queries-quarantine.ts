import sql from 'sql-template-tag'
import type { Db } from '#server/engine/db.ts'

export type QuarantinedRow = { readonly line: number; readonly reason: string; readonly raw: string }

/** The next rejected rows of a load behind line `after`, in the order of the file. */
export async function findQuarantined(db: Db, loadId: number, after: number, limit: number): Promise<QuarantinedRow[]> {
  return await db.query<QuarantinedRow>(sql`
    select line, reason, raw from quarantined_rows where load_id = ${loadId} and line > ${after} order by line limit ${limit}`)
}
