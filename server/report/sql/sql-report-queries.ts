import type { Db } from '#server/platform/engine/db.ts'
import { isReportTabEmpty } from '#server/report/present-report-page.ts'
import { loadReportPage } from '#server/report/queries.ts'
import type { ReportQueries } from '#server/report/report-queries.ts'
import { loadAgencyUnitCounts, loadFacets } from './facet-queries.ts'
import { loadAnnouncedProjects } from './load-announced-projects.ts'
import { loadMorningFigures, loadMorningQueue } from './morning-queue-queries.ts'
import {
  countReportSearchResults,
  loadFilterToRelax,
  loadProjectIds,
  loadProjectsPassingSearches,
} from './search-queries.ts'

export const createSqlReportQueries = (db: Db): ReportQueries => ({
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
