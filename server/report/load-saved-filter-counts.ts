import sql from 'sql-template-tag'
import { storedFilterCriteriaSchema } from '#contract/account/filter-criteria.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { parseFilterCriteria } from '#contract/report/saved-filter-search.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { ReportQuerySource } from './choose-report-queries.ts'
import { findReportSearchCounts } from './find-report-lists.ts'
import type { ReportSearchCount } from './report-queries.ts'
import type { ReportScope } from './report-scope.ts'

/**
 * Returns the filters shared with the user, then the user's saved filters, as stored. They may be in the format of an
 * older version.
 */
export async function findSavedFilters(db: Db, userId: number): Promise<{ id: string; filter_data: unknown }[]> {
  return db.query(sql`
    select f.id, f.filter_data from saved_filters f
    where f.user_id = ${userId}::int or f.shared_with = (select u.organisation_id from users u where u.id = ${userId}::int)
    order by f.user_id = ${userId}::int, f.created_at, f.id`)
}

/**
 * Returns undefined if any part of the stored filter is unreadable or from a newer release, because the remaining parts
 * alone would match too much.
 */
export function parseStoredFilterSearch(stored: unknown): ReportSearch | undefined {
  const data = storedFilterCriteriaSchema.safeParse(stored)
  if (!data.success) return undefined
  const { search, ignored } = parseFilterCriteria(data.data)
  return ignored.length > 0 ? undefined : search
}

export async function loadSavedFilterCounts(
  source: ReportQuerySource,
  scope: ReportScope,
): Promise<{ counts: Record<string, ReportSearchCount> }> {
  const readable = (await findSavedFilters(source.db, scope.userId)).flatMap(({ id, filter_data }) => {
    const search = parseStoredFilterSearch(filter_data)
    return search ? [{ id, search }] : []
  })
  const searches = readable.map(({ search }) => search)
  const counts = await findReportSearchCounts(source, searches, scope)
  return { counts: Object.fromEntries(readable.map(({ id }, i) => [id, counts[i]!] as const)) }
}
