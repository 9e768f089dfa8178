import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#server/platform/engine/db.ts'
import { withoutDeadline } from '#server/platform/engine/deadline.ts'
import { asOwner } from '#server/platform/engine/tenant.ts'
import { HeldMatches } from './held-matches.ts'
import type { HeldProjects } from './held-projects.ts'
import { loadMatchSet } from './match-set.ts'

/**
 * After a load, wait this many times its duration, so an organisation whose matches change constantly spends at most a
 * fifth of the time reloading.
 */
const REST_FACTOR = 4
/**
 * How long a query waits for a load in progress before falling back to SQL. Most loads finish sooner, and SQL would be
 * slower and delay the load.
 */
const PATIENCE_MS = 250

type Loading = { readonly done: Promise<void>; readonly since: number }

type Room = {
  readonly mostBytes: number
  /** Memory used by everything except the matches. */
  readonly othersBytes: () => number
  readonly signal: AbortSignal
}

/** LRU cache of matches per organisation within the memory budget. */
export class MatchesInMemory {
  readonly #db: Db
  readonly #room: Room
  readonly #held = new Map<number, HeldMatches>()
  readonly #loading = new Map<number, Loading>()
  /** Do not reload an organisation before this time (`performance.now()`), or before something changed. */
  readonly #restUntil = new Map<number, number>()
  /** Versions of projects and matches at which an organisation did not fit; retrying would fail again. */
  readonly #refused = new Map<number, string>()

  constructor(db: Db, room: Room) {
    this.#db = db
    this.#room = room
  }

  get size(): number {
    return this.#held.size
  }

  /** Total including `othersBytes`. */
  get allBytes(): number {
    let bytes = this.#room.othersBytes()
    for (const matches of this.#held.values()) bytes += matches.heldBytes
    return bytes
  }

  async settled(): Promise<void> {
    await Promise.allSettled([...this.#loading.values()].map(({ done }) => done))
  }

  /** Returns an organisation's matches at this version for these columns, or undefined if not cached. */
  at(organisationId: number, { columns }: HeldProjects, version: string | null): HeldMatches | undefined {
    const matches = this.#held.get(organisationId)
    if (!matches?.isOf(columns) || matches.set.version !== version) return undefined
    this.#held.delete(organisationId)
    this.#held.set(organisationId, matches)
    return matches
  }

  /** Loads the matches; true if done within `PATIENCE_MS` of the start of the load. */
  async come(organisationId: number, projects: HeldProjects, version: string | null): Promise<boolean> {
    const isResting = performance.now() < (this.#restUntil.get(organisationId) ?? 0)
    if (isResting || this.#refused.get(organisationId) === `${projects.version} ${version}`) return false
    const done = this.load(organisationId, projects)
    return await comesSoon(done, this.#loading.get(organisationId)?.since ?? performance.now())
  }

  async load(organisationId: number, projects: HeldProjects): Promise<void> {
    const known = this.#loading.get(organisationId)
    const done = known?.done ?? asOwner(() => withoutDeadline(() => this.#read(organisationId, projects)))
    if (!known) {
      const forget = () => this.#loading.delete(organisationId)
      this.#loading.set(organisationId, { done, since: performance.now() })
      done.then(forget, forget)
    }
    await done
  }

  async #read(organisationId: number, projects: HeldProjects): Promise<void> {
    const { signal } = this.#room
    if (signal.aborted) return
    const startedAt = performance.now()
    try {
      const loaded = await loadMatchSet(this.#db, organisationId, projects.columns, signal)
      this.#held.delete(organisationId)
      if (!loaded) return
      const matches = loaded.set && new HeldMatches(loaded.set, projects.columns)
      if (matches && this.#makeRoom(matches.heldBytes)) this.#held.set(organisationId, matches)
      else this.#refused.set(organisationId, `${projects.version} ${loaded.version}`)
    } finally {
      const endedAt = performance.now()
      this.#restUntil.set(organisationId, endedAt + (endedAt - startedAt) * REST_FACTOR)
    }
  }

  /** Evicts matches of replaced columns: their row numbers are stale and they would retain the old columns. */
  dropOthers(projects: HeldProjects | undefined): void {
    for (const [organisationId, matches] of this.#held)
      if (!projects || !matches.isOf(projects.columns)) this.#held.delete(organisationId)
  }

  /** Evicts least recently used organisations until `bytes` fits; false if it cannot fit at all. */
  #makeRoom(bytes: number): boolean {
    for (const organisationId of this.#held.keys()) {
      if (this.allBytes + bytes <= this.#room.mostBytes) return true
      this.#held.delete(organisationId)
    }
    return this.allBytes + bytes <= this.#room.mostBytes
  }
}

/**
 * True if `done` resolves within `PATIENCE_MS` of `since`; false on timeout or failure. The work continues either way:
 * a database failure surfaces in the next query.
 */
export async function comesSoon(done: Promise<void>, since: number): Promise<boolean> {
  const isDone = done.then(
    () => true,
    () => false,
  )
  const left = since + PATIENCE_MS - performance.now()
  if (left <= 0) return false
  const over = new AbortController()
  const isLate = sleep(left, false, { signal: over.signal }).catch(() => false)
  return await Promise.race([isDone, isLate]).finally(() => over.abort())
}
