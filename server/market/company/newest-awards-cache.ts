import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import { runWithoutTenant, usesDemoSchema } from '#server/platform/engine/tenant.ts'
import { SharedResultCache } from '#server/platform/route/shared-result-cache.ts'
import { COMPANY_FIGURES_VERSION } from './company-scope.ts'
import { loadNewestAwards, type StoredNewestAwards } from './queries/winners.ts'

/** The newest awards of 150 organisations; each takes about 100 kB. */
const MAX_BYTES = 16 * 2 ** 20

async function readVersion(db: Db, organisationId: number): Promise<string> {
  const [row] = await db.query<{ version: string }>(sql`
    select concat_ws(' ', v.version, (select m.version from match_versions m where m.organisation_id = ${organisationId}::int), (
      select concat_ws(' ', count(*), max(l.published_at)) from loads l
      where l.state = 'published' and l.companies_version = ${COMPANY_FIGURES_VERSION}::smallint
    )) as version
    from project_version v`)
  return row!.version
}

/**
 * Caches `loadNewestAwards` of each organisation until projects, its matches or the company figures change: checking
 * which of a week's awards a large organisation matches takes 0.1 to 0.4 s.
 */
export function createNewestAwardsCache(
  db: Db,
): (organisationId: number, today: string) => Promise<StoredNewestAwards> {
  const cache = new SharedResultCache<StoredNewestAwards>({
    maxBytes: MAX_BYTES,
    bytesOf: (awards) => JSON.stringify(awards).length * 2,
  })
  return async (organisationId, today) => {
    if (usesDemoSchema()) return await loadNewestAwards(db, organisationId, today)
    const key = `${organisationId} ${today} ${await readVersion(db, organisationId)}`
    return await (cache.get(key) ??
      cache.add(
        key,
        runWithoutTenant(() => loadNewestAwards(db, organisationId, today)),
      ))
  }
}
