import { splitSearchByReportTab } from '#contract/report/archived-scope.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { ReportQueries } from '#server/report/report-queries.ts'
import type { ReportScope } from '#server/report/report-scope.ts'
import { countMorningFiguresFromMemory, getMorningQueueFromMemory } from './morning-queue-from-memory.ts'
import type { ProjectColumns } from './project-columns.ts'
import {
  type PreparedReportQuery,
  ReportCache,
  type ReportCacheOptions,
  type ReportCacheStats,
} from './report-cache.ts'
import {
  countAgencyUnitsFromMemory,
  countReportSearchResultsFromMemory,
  findAnnouncedProjectsFromMemory,
  findPassingProjectsFromMemory,
  getReportFacetsFromMemory,
  getReportIdsFromMemory,
  getReportPageFromMemory,
} from './report-from-memory.ts'

type SelectedProjects = {
  /** All projects in memory. The same object until rows are renumbered; a load may append rows. */
  readonly projects: Pick<ProjectColumns, 'size' | 'keys' | 'rowOf'>
  /** Returns 1 for the row of each matching project, and their number. */
  flagRows(): Promise<{ readonly passing: Uint8Array; readonly count: number }>
  isCurrent(): boolean
}

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
  open: ReportCache['open']
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
      morningFigures: (searches, scope) => countMorningFiguresFromMemory(rowDb, cache, searches, scope),
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

/** Selects the projects of both tabs; with `isMarket` all projects, archived ones only if the search includes them. */
async function selectProjects(
  cache: ReportCache,
  search: ReportSearch,
  { isMarket, ...scope }: ReportScope & { readonly isMarket: boolean },
): Promise<SelectedProjects | undefined> {
  const prepared = isMarket
    ? await cache.prepareMarket(search, scope)
    : await cache.prepareAll(splitSearchByReportTab(search), scope)
  if (!prepared) return undefined
  const projects = prepared[0]!.query.columns
  const requiredArchived = isMarket && search.is_archived ? 1 : undefined
  return {
    projects,
    flagRows: () => flagRows(prepared, projects, requiredArchived),
    isCurrent: () => prepared.every((preparedQuery) => preparedQuery.isCurrent()),
  }
}

async function flagRows(
  prepared: readonly PreparedReportQuery[],
  { size, kind, kinds }: ProjectColumns,
  requiredArchived: number | undefined,
) {
  const passing = new Uint8Array(size)
  let count = 0
  for (const { query, masks } of prepared) {
    const { passing: positions } = await masks()
    for (const position of positions) {
      const row = query.tab.rows[position]!
      if (requiredArchived !== undefined && kinds.flags.is_archived[kind[row]!] !== requiredArchived) continue
      passing[row] = 1
      count += 1
    }
  }
  return { passing, count }
}
