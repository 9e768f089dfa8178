import type { MorningFigures } from '#contract/report/morning-queue.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { isReportTabEmpty } from '#server/report/present-report-page.ts'
import { loadReportPage } from '#server/report/queries.ts'
import type { ReportFacetResult, ReportIdOptions, ReportIds, ReportQueries } from '#server/report/report-queries.ts'
import type { ReportScope } from '#server/report/report-scope.ts'
import { resolveReportSearchScope } from '#server/report/with-resolved-searches.ts'
import { countFacets } from './count-facets.ts'
import { countReportSearchResults } from './count-report-search-results.ts'
import {
  loadAgencyUnitCounts,
  loadMarkFacetCounts,
  loadPackedFacetRows,
  loadProjectMatchValues,
} from './facet-queries.ts'
import { loadFilterToRelax } from './load-filter-to-relax.ts'
import { loadProjectIds } from './load-project-ids.ts'
import { loadProjectsPassingSearches } from './load-projects-passing-searches.ts'
import { loadMorningFigures, loadMorningQueue } from './morning-queue-queries.ts'

export type SqlReportQueries = ReportQueries & {
  /** By SQL alone: a mail or message with several filters, which no user waits for (`findMorningFigures`). */
  morningFigures(searches: readonly ReportSearch[], scope: ReportScope): Promise<MorningFigures>
}

export const createSqlReportQueries = (db: Db): SqlReportQueries => ({
  page: async (search, scope, files) => {
    const stored = await loadReportPage(db, search, scope, files)
    const isRelaxed = stored.total === 0 && !isReportTabEmpty(stored)
    return { stored, filterToRelax: isRelaxed ? await loadFilterToRelax(db, search, scope) : undefined }
  },
  facets: (search, scope) => loadFacets(db, search, scope),
  ids: (searches, scope, options) => loadIds(db, searches, scope, options),
  counts: (searches, scope) => countReportSearchResults(db, searches, scope),
  passing: (searches, scope, projectIds) => loadProjectsPassingSearches(db, searches, scope, projectIds),
  agencyUnits: (search, scope, without) => loadAgencyUnitCounts(db, search, scope, without),
  queue: (search, scope) => loadMorningQueue(db, search, scope),
  morningFigures: (searches, scope) => loadMorningFigures(db, searches, scope),
})

async function loadFacets(db: Db, search: ReportSearch, requestScope: ReportScope): Promise<ReportFacetResult> {
  const scope = await resolveReportSearchScope(db, [search], requestScope, { hasFacets: true })
  const [packed, marks] = await Promise.all([
    loadPackedFacetRows(db, search, scope),
    loadMarkFacetCounts(db, search, scope),
  ])
  // Load the values after the rows, so that every value id in a row can be resolved.
  return { counts: countFacets(packed, await loadProjectMatchValues(db), scope), marks }
}

async function loadIds(
  db: Db,
  searches: readonly ReportSearch[],
  requestScope: ReportScope,
  options: ReportIdOptions,
): Promise<ReportIds> {
  const scope = await resolveReportSearchScope(db, searches, requestScope)
  const results = await Promise.all(searches.map((search) => loadProjectIds(db, search, scope, options)))
  const { load = null, dataTime = null } = results[0] ?? {}
  return { lists: results.map(({ ids, total }) => ({ ids, total })), load, dataTime }
}
