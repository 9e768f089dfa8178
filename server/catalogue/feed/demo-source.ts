import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'

export const DEMO_SOURCE = 'sample'

export async function hasDemoData(db: Db): Promise<boolean> {
  return (await db.query(sql`select from loads where source = ${DEMO_SOURCE} and state <> 'failed' limit 1`)).length > 0
}

/**
 * Returns the last ISO day up to which demo data was published; undefined when never. The day is part of the load
 * fingerprint.
 */
export async function readLatestDemoDay(db: Db): Promise<string | undefined> {
  const rows = await db.query<{ day: string | null }>(sql`
    select max(split_part(fingerprint, ':', 3)) as day from loads
    where source = ${DEMO_SOURCE} and state = 'published' and fingerprint like ${`${DEMO_SOURCE}:%`}`)
  return rows[0]?.day ?? undefined
}

export function buildDemoFingerprint(seed: number, day: string): string {
  return `${DEMO_SOURCE}:${seed}:${day}`
}
