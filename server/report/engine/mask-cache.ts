import { getActiveReportFilters } from '#contract/report/report-params.ts'
import { SharedResultCache } from '#server/platform/route/shared-result-cache.ts'
import type { ReportScope, ReportSnapshot } from '#server/report/report-scope.ts'
import type { CachedReportTabMatches } from './cached-matches.ts'
import type { EngineFilterSet } from './engine-filter-set.ts'
import type { FailedFilterConditions } from './failed-filter-conditions.ts'
import { computeFailedFilterConditions } from './failure-masks.ts'
import type { InMemoryReportQuery } from './in-memory-report-query.ts'
import { usesPursuits } from './pursuit-cache.ts'

/** Memory limit of the cache: about nine queries over 650,000 matches, or three hundred over 20,000. */
const MAX_CACHE_BYTES = 32 * 2 ** 20

type MaskQuery = {
  readonly query: InMemoryReportQuery
  readonly cachedTab: CachedReportTabMatches
  readonly snapshot: ReportSnapshot
}

/**
 * Caches the filter results of recent queries. A screen requests a page and its facets almost at once, then the next
 * page, all with the same filters. An entry is valid only for the same tab, snapshot and marks.
 */
export class FailedFilterConditionsCache {
  readonly #filters: EngineFilterSet
  readonly #masks = new SharedResultCache<FailedFilterConditions>({ maxBytes: MAX_CACHE_BYTES, bytesOf })
  /** Cache keys contain a number instead of the tab itself, so a cached result does not retain its tab. */
  readonly #numbers = new WeakMap<CachedReportTabMatches, number>()
  #lastNumber = 0

  constructor(filters: EngineFilterSet) {
    this.#filters = filters
  }

  get heldBytes(): number {
    return this.#masks.bytes
  }

  clear(): void {
    this.#masks.clear()
  }

  async masksOf({ query, cachedTab, snapshot }: MaskQuery, scope: ReportScope): Promise<FailedFilterConditions> {
    const key = `${this.#numberOf(cachedTab)} ${keyOf(query, snapshot, scope)}`
    // If the cached computation failed, for example by a timeout, compute again, because this attempt may still
    // succeed.
    const cachedMasks = await this.#masks.get(key)?.catch(() => undefined)
    return cachedMasks ?? (await this.#masks.add(key, computeFailedFilterConditions(query, this.#filters)))
  }

  #numberOf(cachedTab: CachedReportTabMatches): number {
    const number = this.#numbers.get(cachedTab)
    if (number !== undefined) return number
    this.#lastNumber += 1
    this.#numbers.set(cachedTab, this.#lastNumber)
    return this.#lastNumber
  }
}

/** Heap overhead of one typed array, on top of its bytes. */
const ARRAY_BYTES = 256

function bytesOf({ failed, isOut, passing, failingOnly }: FailedFilterConditions): number {
  return [failed, isOut, passing, ...failingOnly].reduce((sum, { byteLength }) => sum + ARRAY_BYTES + byteLength, 0)
}

function keyOf(
  { search, visit, documents, deepMatches }: InMemoryReportQuery,
  { marks, board }: ReportSnapshot,
  { organisationId, userId }: ReportScope,
): string {
  const filters = getActiveReportFilters(search).map((name) => [name, search[name]])
  const userData = [
    marks.hidden,
    search.project_bookmark && marks.bookmarked,
    search.project_label__in && marks.labelled,
    search.project_since_visit && visit?.loads,
    search.document_text__in && documents?.version,
    deepMatches?.version,
    usesPursuits(search) && board,
  ]
  return JSON.stringify([organisationId, userId, search.is_archived === true, filters, userData])
}
