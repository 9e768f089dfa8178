import sql from 'sql-template-tag'
import type { DataSourceGaps } from '#contract/operation/sources.ts'
import type { Db } from '#server/platform/engine/db.ts'

const MAX_GAPS = 100

export async function listDataSourceGaps(db: Db): Promise<DataSourceGaps> {
  const never = await db.query<DataSourceGaps['never'][number]>(sql`
    select code, name from intake_agencies where answered_at is null order by rate desc, code limit ${MAX_GAPS}::int`)
  const incomplete = await db.query<DataSourceGaps['incomplete'][number]>(sql`
    select g.agency as code, a.name, g.type, g.day, g.expected, g.found
    from intake_gaps g join intake_agencies a on a.code = g.agency
    where g.found < g.expected order by g.day desc, g.expected - g.found desc, g.agency, g.type limit ${MAX_GAPS}::int`)
  return { never, incomplete }
}
