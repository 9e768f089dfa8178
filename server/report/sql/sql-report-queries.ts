import type { MorningFigures } from '#contract/report/morning-queue.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { isReportTabEmpty } from '#server/report/present-report-page.ts'
import { loadReportPage } from '#server/report/queries.ts'
import type { ReportQueries } from '#server/report/report-queries.ts'
import type { ReportScope } from '#server/report/report-scope.ts'
import { loadAgencyUnitCounts, loadFacets } from './facet-queries.ts'
import { loadAnnouncedProjects } from './load-announced-projects.ts'
import { loadMorningFigures, loadMorningQueue } from './morning-queue-queries.ts'
import {
  countReportSearchResults,
  loadFilterToRelax,
  loadProjectIds,
  loadProjectsPassingSearches,
} from './search-queries.ts'

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
  ids: (searches, scope, options) => loadProjectIds(db, searches, scope, options),
  counts: (searches, scope) => countReportSearchResults(db, searches, scope),
  passing: (searches, scope, projectIds) => loadProjectsPassingSearches(db, searches, scope, projectIds),
  announced: (searches, scope, options) => loadAnnouncedProjects(db, searches, scope, options),
  agencyUnits: (search, scope, without) => loadAgencyUnitCounts(db, search, scope, without),
  queue: (search, scope) => loadMorningQueue(db, search, scope),
  morningFigures: (searches, scope) => loadMorningFigures(db, searches, scope),
})
