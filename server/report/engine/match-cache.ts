import type { Db } from '#server/platform/engine/db.ts'
import { withoutDeadline } from '#server/platform/engine/deadline.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'
import { CachedMatches } from './cached-matches.ts'
import { loadMatchSet } from './match-set.ts'
import type { CachedProjects } from './project-cache.ts'

/**
 * Cooldown after a load, as a multiple of its duration, so that an organisation whose matches change constantly spends
 * at most a fifth of the time reloading.
 */
const COOLDOWN_FACTOR = 4

type MemoryBudget = {
  readonly maxBytes: number
  readonly otherBytes: () => number
  readonly signal: AbortSignal
}

export class MatchCache {
  readonly #db: Db
  readonly #budget: MemoryBudget
  readonly #matches = new Map<number, CachedMatches>()
  readonly #loading = new Map<number, Promise<void>>()
  /** Time (`performance.now()`) before which the matches of an organisation are not reloaded, by organisation. */
  readonly #cooldownUntil = new Map<number, number>()
  /**
   * Versions of projects and matches at which the matches of an organisation did not fit into memory, by organisation.
   * At the same versions they would not fit again, so the cache does not retry.
   */
  readonly #refused = new Map<number, string>()

  constructor(db: Db, budget: MemoryBudget) {
    this.#db = db
    this.#budget = budget
  }

  get size(): number {
    return this.#matches.size
  }

  get allBytes(): number {
    let bytes = this.#budget.otherBytes()
    for (const matches of this.#matches.values()) bytes += matches.usedBytes
    return bytes
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#loading.values())
  }

  at(organisationId: number, { columns }: CachedProjects, version: string | null): CachedMatches | undefined {
    const matches = this.#matches.get(organisationId)
    if (!matches?.isOf(columns) || matches.set.version !== version) return undefined
    this.#matches.delete(organisationId)
    this.#matches.set(organisationId, matches)
    return matches
  }

  /** Starts to load the matches for later queries, unless they were loaded just now or did not fit. */
  loadInBackground(organisationId: number, projects: CachedProjects, version: string | null): void {
    const isResting = performance.now() < (this.#cooldownUntil.get(organisationId) ?? 0)
    if (isResting || this.#refused.get(organisationId) === `${projects.version} ${version}`) return
    // Ignore a failure: the next query reports an unreachable database.
    this.load(organisationId, projects).catch(() => undefined)
  }

  async load(organisationId: number, projects: CachedProjects): Promise<void> {
    const loading = this.#loading.get(organisationId)
    const done = loading ?? runWithoutTenant(() => withoutDeadline(() => this.#read(organisationId, projects)))
    if (!loading) {
      const forget = () => this.#loading.delete(organisationId)
      this.#loading.set(organisationId, done)
      done.then(forget, forget)
    }
    await done
  }

  async #read(organisationId: number, projects: CachedProjects): Promise<void> {
    const { signal } = this.#budget
    if (signal.aborted) return
    const startedAt = performance.now()
    try {
      const loaded = await loadMatchSet(this.#db, organisationId, projects.columns, signal)
      this.#matches.delete(organisationId)
      if (!loaded) return
      const matches = loaded.set && new CachedMatches(loaded.set, projects.columns)
      if (matches && this.#evictUntilFits(matches.usedBytes)) this.#matches.set(organisationId, matches)
      else this.#refused.set(organisationId, `${projects.version} ${loaded.version}`)
    } finally {
      const endedAt = performance.now()
      this.#cooldownUntil.set(organisationId, endedAt + (endedAt - startedAt) * COOLDOWN_FACTOR)
    }
  }

  /**
   * Evicts matches of columns that were replaced: the row numbers in these matches are stale, and they would keep the
   * old columns in memory.
   */
  evictStale(projects: CachedProjects | undefined): void {
    for (const [organisationId, matches] of this.#matches)
      if (!projects || !matches.isOf(projects.columns)) this.#matches.delete(organisationId)
  }

  #evictUntilFits(bytes: number): boolean {
    for (const organisationId of this.#matches.keys()) {
      if (this.allBytes + bytes <= this.#budget.maxBytes) return true
      this.#matches.delete(organisationId)
    }
    return this.allBytes + bytes <= this.#budget.maxBytes
  }
}
