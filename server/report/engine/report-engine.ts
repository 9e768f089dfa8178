import type { ReportSearch } from '#contract/report/report-params.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { ReportQueries } from '#server/report/report-queries.ts'
import type { ReportScope } from '#server/report/report-scope.ts'
import type { ProjectMarkKindSelection } from './mark-cache.ts'
import { getMorningQueueFromMemory } from './morning-queue-from-memory.ts'
import { ReportCache, type ReportCacheOptions, type ReportCacheStats } from './report-cache.ts'
import { getReportFacetsFromMemory, getReportPageFromMemory } from './report-from-memory.ts'
import {
  countAgencyUnitsFromMemory,
  countReportSearchResultsFromMemory,
  findAnnouncedProjectsFromMemory,
  findPassingProjectsFromMemory,
  getReportIdsFromMemory,
} from './report-lists-from-memory.ts'
import type { ReportSessionContext, ReportViewer } from './report-snapshot.ts'
import { type SelectedProjects, selectProjects } from './select-projects.ts'

export type { FactCounts } from './count-project-facets.ts'
export type { InMemoryReportQuery } from './in-memory-report-query.ts'

/**
 * The report's queries over typed arrays in this process. Answers only if it has the database's current snapshot, so
 * every answer equals that of SQL at that moment. This file is the only one that others may import of this folder.
 */
export type ReportEngine = {
  /** Returns the queries; `db` reads the rows of a page. An undefined answer means that SQL must answer. */
  queries(db: Db): ReportQueries<undefined>
  /** Returns the rows of all projects that a search finds, for counts over other facts of the same projects. */
  select(search: ReportSearch, scope: ReportScope & { isMarket: boolean }): Promise<SelectedProjects | undefined>
  /** Reads the snapshot and the user's previous visit in one statement; undefined before the first load. */
  open(
    search: ReportSearch,
    viewer: ReportViewer,
    marks: ProjectMarkKindSelection,
    now: Date,
  ): Promise<ReportSessionContext | undefined>
  start(onFailure: (error: unknown) => void): void
  refresh(): Promise<void>
  loadOrganisation(organisationId: number): Promise<void>
  /** Loads the columns and the matches of these organisations if they are stale, in this order while memory lasts. */
  preload(organisationIds: readonly number[]): Promise<void>
  recordHit(source: 'memory' | 'sql'): void
  stats(): ReportCacheStats
  close(): Promise<void>
}

export function createReportEngine(db: Db, options: ReportCacheOptions): ReportEngine {
  const cache = new ReportCache(db, options)
  return {
    queries: (rowDb) => ({
      page: (search, scope, files) => getReportPageFromMemory(rowDb, cache, search, scope, files),
      facets: (search, scope) => getReportFacetsFromMemory(cache, search, scope),
      ids: (searches, scope, { limit }) => getReportIdsFromMemory(rowDb, cache, searches, scope, limit),
      counts: (searches, scope) => countReportSearchResultsFromMemory(cache, searches, scope),
      passing: (searches, scope, projectIds) => findPassingProjectsFromMemory(cache, searches, scope, projectIds),
      announced: (searches, scope, options) => findAnnouncedProjectsFromMemory(cache, searches, scope, options),
      agencyUnits: (search, scope, without) => countAgencyUnitsFromMemory(cache, search, scope, without),
      queue: (search, scope) => getMorningQueueFromMemory(rowDb, cache, search, scope),
    }),
    select: (search, scope) => selectProjects(cache, search, scope),
    open: (search, viewer, marks, now) => cache.open(search, viewer, marks, now),
    start: (onFailure) => cache.start(onFailure),
    refresh: () => cache.refresh(),
    loadOrganisation: (organisationId) => cache.loadOrganisation(organisationId),
    preload: (organisationIds) => cache.preload(organisationIds),
    recordHit: (source) => cache.recordHit(source),
    stats: () => cache.stats(),
    close: () => cache.close(),
  }
}
