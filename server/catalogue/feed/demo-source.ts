import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'

export const DEMO_SOURCE = 'sample'

export async function hasDemoData(db: Db): Promise<boolean> {
  return (await db.query(sql`select from loads where source = ${DEMO_SOURCE} and state <> 'failed' limit 1`)).length > 0
}
