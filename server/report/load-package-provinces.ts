import sql from 'sql-template-tag'
import { toPackageProvinces } from '#server/matching/compile-match-rules.ts'
import type { Db } from '#server/platform/engine/db.ts'

export async function loadPackageProvinces(db: Db, organisationId: number): Promise<ReadonlySet<number>> {
  const [organisation] = await db.query<{ areas: Readonly<Record<string, readonly string[]>> }>(
    sql`select o.areas_with_provinces as areas from organisations o where o.id = ${organisationId}::int`,
    { name: 'package_provinces' },
  )
  return toPackageProvinces(organisation?.areas ?? {})
}
