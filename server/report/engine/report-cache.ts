import { getArchivedScope } from '#contract/report/archived-scope.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { withoutDeadline } from '#server/platform/engine/deadline.ts'
import { runWithoutTenant, usesDemoSchema } from '#server/platform/engine/tenant.ts'
import { toDayNumber } from '#server/platform/text/day-number.ts'
import type { ReportFilterSet, ReportScope } from '#server/report/report-queries.ts'
import { resolveReportSearchScope } from '#server/report/resolve-report-search-scope.ts'
import { createInMemoryReportQuery, type InMemoryReportQuery } from './in-memory-report-query.ts'
import { createMarkCache, createPursuitCache, MatchCache, pickEndingMatches } from './match-cache.ts'
import { findFitCandidates } from './page-order.ts'
import { type CachedProjects, ProjectCache } from './project-cache.ts'
import { type ReportSnapshot, readReportSnapshot, type SnapshotColumns } from './report-snapshot.ts'
import { createAllProjectsTab, findProjectPositions, pickFromTab, type ReportTab } from './report-tab.ts'

export type ReportCacheStats = {
  readonly projects: number
  readonly organisations: number
  readonly bytes: number
  /** True while the cache reads all projects from the database, which takes longer if the database is busy. */
  readonly isReadingAll: boolean
}

export type ReportCacheOptions = { readonly megabytes: number; readonly filters: ReportFilterSet }

export type PreparedReport<Extra extends object = object> = {
  /** One per search, in the given order. */
  readonly queries: readonly InMemoryReportQuery[]
  /**
   * The first search without the filters that widen it, over the active and archived matches whose contracts end soon.
   * Set only for facets.
   */
  readonly ending?: InMemoryReportQuery
  readonly snapshot: ReportSnapshot & Extra
  /** False if projects changed since the queries were prepared. Their results then belong to no snapshot. */
  isCurrent(): boolean
}

type PrepareOptions = {
  readonly forFacets?: boolean
  /** Restricts the queries to these projects. */
  readonly among?: readonly string[] | undefined
  /** Further columns of the snapshot. */
  readonly extra?: SnapshotColumns
}

/**
 * In-process cache of projects and matches. Each query first reads the database's snapshot version (`readReportSnapshot`).
 * Memory answers only if it has exactly that snapshot, so a load, list change or mark written by another process shows
 * in the next response. Otherwise SQL answers and the cache reloads for the next query.
 *
 * Matches are accessed only through `prepare`, which uses the organisation of the scope.
 */
export class ReportCache {
  readonly #filters: ReportFilterSet
  readonly #db: Db
  readonly #stopping = new AbortController()
  readonly #projects: ProjectCache
  readonly #marks: ReturnType<typeof createMarkCache>
  readonly #pursuits: ReturnType<typeof createPursuitCache>
  readonly #matches: MatchCache
  #refreshing: Promise<void> | undefined

  constructor(db: Db, { megabytes, filters }: ReportCacheOptions) {
    this.#filters = filters
    this.#db = db
    const budget = { maxBytes: megabytes * 2 ** 20, signal: this.#stopping.signal }
    this.#marks = createMarkCache(db)
    this.#pursuits = createPursuitCache(db)
    this.#projects = new ProjectCache(db, budget)
    const otherBytes = () => this.#projects.usedBytes + this.#marks.usedBytes + this.#pursuits.usedBytes
    this.#matches = new MatchCache(db, { ...budget, otherBytes })
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
    for (const organisationId of organisationIds) {
      const projects = this.#projects.current
      if (!projects || this.#stopping.signal.aborted) return
      if (!(await this.#matches.loadIfStale(organisationId, projects, canEvict))) return
    }
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

  /**
   * Prepares queries on the current snapshot. If the cache is stale or the data does not fit into memory, returns
   * undefined, so that SQL answers, and reloads in the background.
   */
  async prepare<Extra extends object = object>(
    searches: readonly ReportSearch[],
    scope: ReportScope,
    { forFacets = false, among, extra }: PrepareOptions = {},
  ): Promise<PreparedReport<Extra> | undefined> {
    const current = await this.#findCurrent<Extra>(scope, extra)
    if (!current) return undefined
    const { projects, snapshot } = current
    const { words } = projects
    const { organisationId, userId } = scope
    const matches = this.#matches.at(organisationId, projects, snapshot.matches)
    if (!matches) this.#matches.loadInBackground(organisationId, projects, snapshot.matches)
    const pursuedIn = matches && (await this.#pursuits.find(organisationId, snapshot.board))
    const marksIn = matches && (await this.#marks.find(userId, snapshot.marks))
    if (!pursuedIn || !marksIn) return undefined
    const context = { projects: projects.version, latest: snapshot.latest, today: toDayNumber(scope.today) }
    // The version in memory: the database may already have a newer one.
    const version = JSON.stringify([projects.version, snapshot.matches])
    const resolved = await resolveReportSearchScope(this.#db, searches, scope, {
      names: {
        version,
        find: (needles) => words.findSemanticSearchCandidates(needles, matches.tabAt(context, undefined).rows),
      },
      fitCandidates: { version, find: () => findFitCandidates(matches.tabAt(context, false)) },
      hasFacets: forFacets,
    })
    const toParts = (tab: ReportTab) => ({
      filters: this.#filters,
      tab,
      words,
      marks: marksIn(tab),
      pursued: pursuedIn(tab),
    })
    const parts = new Map<boolean | undefined, ReturnType<typeof toParts>>()
    const queries = searches.map((search) => {
      const isArchived = getArchivedScope(search)
      const tab = matches.tabAt(context, isArchived)
      const ofTab = parts.get(isArchived) ?? toParts(among ? pickFromTab(tab, findProjectPositions(tab, among)) : tab)
      parts.set(isArchived, ofTab)
      return createInMemoryReportQuery(search, resolved, ofTab)
    })
    const isCurrent = () => this.#projects.current === projects
    if (!forFacets) return { queries, snapshot, isCurrent }
    const widest = this.#filters.withoutWideningFilters(searches[0]!)
    const endingTab = pickEndingMatches(matches.tabAt(context, undefined))
    const ending = createInMemoryReportQuery(widest, resolved, toParts(endingTab))
    return { queries, ending, snapshot, isCurrent }
  }

  /**
   * Prepares a query over all projects in memory, whether or not the organisation matches them. Positions equal rows,
   * and archived work is included. There are no marks or changes, so the search must not filter by them.
   */
  async prepareMarket(search: ReportSearch, scope: ReportScope): Promise<PreparedReport | undefined> {
    // A joined filter selects among the organisation's matches.
    if (this.#filters.getActiveFilters(search).some(({ filter }) => filter.isJoined)) return undefined
    const current = await this.#findCurrent(scope)
    if (!current) return undefined
    const { projects, snapshot } = current
    const resolved = await resolveReportSearchScope(this.#db, [search], { ...scope, visit: undefined })
    const tab = createAllProjectsTab(projects.columns, toDayNumber(scope.today))
    const none = new Int32Array(0)
    const marks = { hidden: none, bookmarked: none, labels: new Map(), labelled: none }
    const parts = { filters: this.#filters, tab, words: projects.words, marks, pursued: [] }
    const query = createInMemoryReportQuery(search, resolved, parts)
    return { queries: [query], snapshot, isCurrent: () => this.#projects.current === projects }
  }

  async #findCurrent<Extra extends object>(
    scope: ReportScope,
    extra?: SnapshotColumns,
  ): Promise<{ readonly projects: CachedProjects; readonly snapshot: ReportSnapshot & Extra } | undefined> {
    // Memory contains only the customers' projects. The separate demo schema is small, so SQL answers its queries.
    if (usesDemoSchema()) return undefined
    const projects = this.#projects.current
    const snapshot = projects && (await readReportSnapshot<Extra>(this.#db, scope, extra))
    if (projects && snapshot?.projects === projects.version && this.#projects.current === projects)
      return { projects, snapshot }
    // Ignore a failure: the next query reports an unreachable database.
    this.#refresh().catch(() => undefined)
    return undefined
  }
}
