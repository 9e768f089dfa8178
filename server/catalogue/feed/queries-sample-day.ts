import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'

/** The last day (ISO date) up to which the sample source was published; undefined when it never was. Its loads carry the day in their fingerprint. */
export async function latestSampleDay(db: Db): Promise<string | undefined> {
  const rows = await db.query<{ day: string | null }>(sql`
    select max(split_part(fingerprint, ':', 3)) as day from loads
    where source = 'sample' and state = 'published' and fingerprint like 'sample:%'`)
  return rows[0]?.day ?? undefined
}

/** Fingerprint of the sample made from `seed` as it stands on `day`. */
export function sampleFingerprint(seed: number, day: string): string {
  return `sample:${seed}:${day}`
}
