import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#server/platform/engine/db.ts'
import { withoutDeadline } from '#server/platform/engine/deadline.ts'
import { asOwner } from '#server/platform/engine/tenant.ts'
import { HeldMatches } from './held-matches.ts'
import type { HeldProjects } from './held-projects.ts'
import { loadMatchSet } from './match-set.ts'

/** While an organisation's matches change all the time, reading them anew takes at most a fifth of it. */
const REST_FACTOR = 4
/** So long a question waits for what is being read: most loads and changes are read sooner, and SQL would take longer and hold the reading up. */
const PATIENCE_MS = 250

type Loading = { readonly done: Promise<void>; readonly since: number }

type Room = {
  readonly mostBytes: number
  /** What is held beside the matches. */
  readonly othersBytes: () => number
  readonly signal: AbortSignal
}

/** Matches of the organisations that asked last, as far as there is room. */
export class MatchesInMemory {
  readonly #db: Db
  readonly #room: Room
  /** The organisation that asked last stands last. */
  readonly #held = new Map<number, HeldMatches>()
  readonly #loading = new Map<number, Loading>()
  /** Organisations that are not to be read before this moment, or not before something changed: `performance.now()`. */
  readonly #restUntil = new Map<number, number>()
  /** Versions of projects and matches at which an organisation cannot be held: reading it again would end the same. */
  readonly #refused = new Map<number, string>()

  constructor(db: Db, room: Room) {
    this.#db = db
    this.#room = room
  }

  get size(): number {
    return this.#held.size
  }

  /** With what is held beside them. */
  get allBytes(): number {
    let bytes = this.#room.othersBytes()
    for (const matches of this.#held.values()) bytes += matches.heldBytes
    return bytes
  }

  /** Resolves when nothing is being read. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#loading.values()].map(({ done }) => done))
  }

  /** An organisation's matches as they stand at this version, in these columns; undefined when they are not held. */
  at(organisationId: number, { columns }: HeldProjects, version: string | null): HeldMatches | undefined {
    const matches = this.#held.get(organisationId)
    if (!matches?.isOf(columns) || matches.set.version !== version) return undefined
    this.#held.delete(organisationId)
    this.#held.set(organisationId, matches)
    return matches
  }

  /** Reads them; true when they are read within `PATIENCE_MS` of the beginning. */
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

  /** Lets matches of columns go that were read anew: their rows have other numbers, and they would keep the old columns. */
  dropOthers(projects: HeldProjects | undefined): void {
    for (const [organisationId, matches] of this.#held)
      if (!projects || !matches.isOf(projects.columns)) this.#held.delete(organisationId)
  }

  /** Lets those go that have not asked for longest. False when even alone there is no room. */
  #makeRoom(bytes: number): boolean {
    for (const organisationId of this.#held.keys()) {
      if (this.allBytes + bytes <= this.#room.mostBytes) return true
      this.#held.delete(organisationId)
    }
    return this.allBytes + bytes <= this.#room.mostBytes
  }
}

/** Whether it is done within `PATIENCE_MS` of `since`; false also when it fails. It goes on in any case: a database that is away is told to whoever asks it next. */
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
