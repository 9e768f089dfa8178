import { filterDataSchema } from '#contract/report/filter-data.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { searchOfFilterData } from '#contract/user/saved-filter.ts'
import type { Db } from '#server/engine/db.ts'
import { withDeepSearch } from './deep-search.ts'
import { filterConditions } from './filter-sql.ts'
import type { ReportScope } from './queries.ts'
import { countSearches, findSavedFilters, type SearchCount } from './queries-saved-filters.ts'

/** The search of a stored filter; undefined when a part of it cannot be read, for the rest would count too much. */
export function searchOfStored(stored: unknown): ReportSearch | undefined {
  const data = filterDataSchema.safeParse(stored)
  if (!data.success) return undefined
  const { search, ignored } = searchOfFilterData(data.data)
  return ignored.some(({ reason }) => reason === 'invalid') ? undefined : search
}

/**
 * For each saved filter of the user how many projects it finds in their report now, and how many of them came in the latest load.
 * Filters that cannot be read are left out.
 */
export async function loadSavedFilterCounts(
  db: Db,
  asked: ReportScope,
): Promise<{ counts: Record<string, SearchCount> }> {
  const readable = (await findSavedFilters(db, asked.userId)).flatMap(({ id, filter_data }) => {
    const search = searchOfStored(filter_data)
    return search ? [{ id, search }] : []
  })
  const scope = await withDeepSearch(
    db,
    readable.map(({ search }) => search),
    asked,
  )
  // Apart, so that one filter with a text does not make the others leave the covering index.
  const readsText = ({ search }: { search: ReportSearch }) =>
    filterConditions(search, scope).some((condition) => condition.readsText)
  const groups = [readable.filter(readsText), readable.filter((filter) => !readsText(filter))]
  const counted = await Promise.all(
    groups.map(async (group) => {
      const counts = await countSearches(
        db,
        group.map(({ search }) => search),
        scope,
      )
      return group.map(({ id }, i) => [id, counts[i]!] as const)
    }),
  )
  return { counts: Object.fromEntries(counted.flat()) }
}
