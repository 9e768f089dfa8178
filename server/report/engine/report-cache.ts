import { MAX_CONTRACT_END_COUNT_DAYS } from '#contract/catalogue/contract-end.ts'
import { getArchivedScope } from '#contract/report/archived-scope.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { withoutDeadline } from '#server/platform/engine/deadline.ts'
import { runWithoutTenant, usesDemoSchema } from '#server/platform/engine/tenant.ts'
import { toDayNumber } from '#server/platform/text/day-number.ts'
import type { SemanticSearchCandidateFinder } from '#server/report/deep/run-deep-search.ts'
import { resolveReportSearchScope } from '#server/report/report-filter-sql.ts'
import type { ReportFilterSet, ReportScope, ReportSnapshot } from '#server/report/report-queries.ts'
import {
  computeFailedFilterConditions,
  createSemanticSearchCandidateFinder,
  type FailedFilterConditions,
  type InMemoryReportQuery,
  toInMemoryReportQuery,
} from './in-memory-report-query.ts'
import {
  type CachedMatches,
  MatchCache,
  NO_MARKED_PROJECT_POSITIONS,
  ProjectMarkCache,
  PursuitCache,
} from './match-cache.ts'
import { ProjectCache } from './project-cache.ts'
import { readReportSnapshot } from './report-snapshot.ts'
import {
  type CachedProjects,
  type CachedReportTabMatches,
  createAllProjectsTabMatches,
  findFitCandidates,
  restrictReportTabToProjects,
} from './report-tab.ts'

export type ReportCacheStats = {
  readonly projects: number
  readonly organisations: number
  readonly bytes: number
  /** True while the cache reads all projects from the database, which takes longer if the database is busy. */
  readonly isReadingAll: boolean
}

export type ReportCacheOptions = { readonly megabytes: number; readonly filters: ReportFilterSet }

export type PreparedReportQuery = {
  readonly query: InMemoryReportQuery
  readonly cachedTab: CachedReportTabMatches
  readonly snapshot: ReportSnapshot
  /**
   * The same query over the active and archived matches whose contracts end soon. Set only if the counts of all marks
   * are requested.
   */
  readonly ending: InMemoryReportQuery | undefined
  masks(): Promise<FailedFilterConditions>
  /** False if projects changed since the query was prepared. Its result then belongs to no snapshot. */
  isCurrent(): boolean
}

type PrepareOptions = {
  readonly forFacets?: boolean
  /** Restricts the queries to these projects. */
  readonly among?: readonly string[] | undefined
}

type CurrentData = {
  readonly projects: CachedProjects
  readonly matches: CachedMatches
  readonly snapshot: ReportSnapshot
}

/**
 * In-process cache of projects and matches. Each query first reads the database's snapshot version (`readReportSnapshot`).
 * Memory answers only if it has exactly that snapshot, so a load, list change or mark written by another process shows
 * in the next response. Otherwise SQL answers and the cache reloads for the next query.
 *
 * Matches are accessed only through `prepareAll`, which uses the organisation of the scope.
 */
export class ReportCache {
  readonly filters: ReportFilterSet
  readonly #db: Db
  readonly #maxBytes: number
  readonly #stopping = new AbortController()
  readonly #projects: ProjectCache
  readonly #marks: ProjectMarkCache
  readonly #pursuits: PursuitCache
  readonly #matches: MatchCache
  #refreshing: Promise<void> | undefined

  constructor(db: Db, { megabytes, filters }: ReportCacheOptions) {
    this.filters = filters
    this.#db = db
    this.#maxBytes = megabytes * 2 ** 20
    this.#marks = new ProjectMarkCache(db)
    this.#pursuits = new PursuitCache(db)
    this.#projects = new ProjectCache(db, { maxBytes: this.#maxBytes, signal: this.#stopping.signal })
    const otherBytes = () => this.#projects.usedBytes + this.#marks.usedBytes + this.#pursuits.usedBytes
    this.#matches = new MatchCache(db, { maxBytes: this.#maxBytes, otherBytes, signal: this.#stopping.signal })
  }

  async close(): Promise<void> {
    this.#stopping.abort()
    await Promise.allSettled([this.#refreshing, this.#matches.settled()])
  }

  stats(): ReportCacheStats {
    return {
      projects: this.#projects.current?.columns.size ?? 0,
      organisations: this.#matches.size,
      bytes: this.#matches.allBytes,
      isReadingAll: this.#projects.isReadingAll,
    }
  }

  async load(organisationIds: readonly number[] = [], { canEvict = true } = {}): Promise<void> {
    await this.#refresh()
    for (const organisationId of organisationIds)
      if (this.#projects.current && !this.#stopping.signal.aborted)
        await this.#matches.loadIfStale(organisationId, this.#projects.current, { canEvict })
  }

  async #refresh(): Promise<void> {
    if (this.#stopping.signal.aborted) return
    // All waiting queries share this work, so it runs without the first caller's tenant and deadline.
    this.#refreshing ??= runWithoutTenant(() => withoutDeadline(() => this.#projects.refresh())).finally(() => {
      this.#refreshing = undefined
      this.#matches.evictStale(this.#projects.current)
    })
    await this.#refreshing
  }

  async prepare(
    search: ReportSearch,
    scope: ReportScope,
    options?: PrepareOptions,
  ): Promise<PreparedReportQuery | undefined> {
    return (await this.prepareAll([search], scope, options))?.[0]
  }

  /** Prepares several queries on one snapshot, in the given order. */
  async prepareAll(
    searches: readonly ReportSearch[],
    scope: ReportScope,
    { forFacets = false, among }: PrepareOptions = {},
  ): Promise<PreparedReportQuery[] | undefined> {
    // Memory contains only the customers' projects. The separate demo schema is small, so SQL answers its queries.
    if (usesDemoSchema()) return undefined
    const current = await this.#loadCurrent(scope)
    if (!current) return undefined
    const { projects, matches, snapshot } = current
    const { organisationId } = scope
    const tabVersion = { projects: projects.version, latest: snapshot.latest, today: toDayNumber(scope.today) }
    const find: SemanticSearchCandidateFinder = (needles) =>
      createSemanticSearchCandidateFinder(projects, matches.tabAt(tabVersion, undefined).tab)(needles)
    const resolved = await resolveReportSearchScope(this.#db, searches, scope, {
      find,
      findFitCandidates: () => findFitCandidates(projects.columns, matches.tabAt(tabVersion, false).tab, scope.today),
      hasFacets: forFacets,
    })
    const tabs = new Map<boolean | undefined, CachedReportTabMatches>()
    const prepared: PreparedReportQuery[] = []
    const toQuery = async (search: ReportSearch, cachedTab: CachedReportTabMatches) => {
      const at = { cachedTab, columns: projects.columns }
      const positions = await this.#marks.find(scope.userId, snapshot.marks, at)
      const pursued = await this.#pursuits.find(organisationId, snapshot.board, at)
      return (
        positions &&
        pursued &&
        toInMemoryReportQuery(search, scope, { projects, cachedTab, positions, pursued, resolved })
      )
    }
    for (const search of searches) {
      const isArchived = getArchivedScope(search)
      const fullTab = matches.tabAt(tabVersion, isArchived)
      const cachedTab =
        tabs.get(isArchived) ??
        (among ? restrictReportTabToProjects(fullTab, projects.columns, tabVersion, among) : fullTab)
      tabs.set(isArchived, cachedTab)
      const query = await toQuery(search, cachedTab)
      const endingTab = forFacets ? matches.endingAt(tabVersion, MAX_CONTRACT_END_COUNT_DAYS) : undefined
      const ending = endingTab && (await toQuery(this.filters.withoutWideningFilters(search), endingTab))
      if (!query || (endingTab && !ending)) return undefined
      prepared.push({
        cachedTab,
        snapshot,
        query,
        ending,
        masks: () => computeFailedFilterConditions(query, this.filters),
        isCurrent: () => this.#projects.current === projects,
      })
    }
    return prepared
  }

  /**
   * Prepares a query over all projects in memory, whether or not the organisation matches them. Positions equal rows,
   * and archived work is included. There are no marks or changes, so the search must not filter by them.
   */
  async prepareMarket(search: ReportSearch, scope: ReportScope): Promise<PreparedReportQuery[] | undefined> {
    // A joined filter selects among the organisation's matches.
    if (usesDemoSchema() || this.filters.getActiveFilters(search).some(({ filter }) => filter.isJoined))
      return undefined
    const current = await this.#findCurrentProjects(scope)
    if (!current) return undefined
    const { projects, snapshot } = current
    const cachedTab = createAllProjectsTabMatches(projects)
    const resolved = await resolveReportSearchScope(this.#db, [search], scope)
    const parts = { projects, cachedTab, positions: NO_MARKED_PROJECT_POSITIONS, pursued: [], resolved }
    const query = toInMemoryReportQuery(search, { ...scope, visit: undefined }, parts)
    const prepared: PreparedReportQuery = {
      cachedTab,
      snapshot,
      query,
      ending: undefined,
      masks: () => computeFailedFilterConditions(query, this.filters),
      isCurrent: () => this.#projects.current === projects,
    }
    return [prepared]
  }

  /**
   * Returns cached data of the current snapshot. If the cache is stale or the data does not fit into memory, returns
   * undefined, so that SQL answers, and reloads in the background.
   */
  async #loadCurrent(scope: ReportScope): Promise<CurrentData | undefined> {
    const current = await this.#findCurrentProjects(scope)
    if (!current) return undefined
    const { projects, snapshot } = current
    const matches = this.#matches.at(scope.organisationId, projects, snapshot.matches)
    if (!matches) this.#matches.loadInBackground(scope.organisationId, projects, snapshot.matches)
    return matches && { projects, matches, snapshot }
  }

  async #findCurrentProjects(scope: ReportScope): Promise<Pick<CurrentData, 'projects' | 'snapshot'> | undefined> {
    const projects = this.#projects.current
    const snapshot = projects && (await readReportSnapshot(this.#db, scope))
    if (projects && snapshot?.projects === projects.version && this.#projects.current === projects)
      return { projects, snapshot }
    // Ignore a failure: the next query reports an unreachable database.
    this.#refresh().catch(() => undefined)
    return undefined
  }
}
