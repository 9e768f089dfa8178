import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'

export async function loadKeywordGroupNames(
  db: Db,
  organisationId: number,
  groups: readonly string[] | undefined,
): Promise<string[]> {
  if (groups === undefined) return []
  const rows = await db.query<{ name: string }>(sql`
    select g.name from keyword_groups g where g.organisation_id = ${organisationId}::int and g.id = any (${groups.map(Number)}::int[]) order by g.name`)
  return rows.map(({ name }) => name)
}
