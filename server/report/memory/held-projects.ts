import type { Db } from '#server/platform/engine/db.ts'
import { AheadReader } from './ahead/ahead-reader.ts'
import {
  loadsThatWrote,
  type ProjectsState,
  putDepartments,
  putProjects,
  putProjectsOf,
  readProjectsState,
} from './load-projects.ts'
import { ProjectColumns } from './project-columns.ts'
import { WordSets } from './word-sets.ts'

export type HeldProjects = { readonly columns: ProjectColumns; readonly words: WordSets; readonly version: string }

/**
 * In-memory columns of all projects' public data, updated after each load. `held` is undefined while they are
 * incomplete: before the first read and while a load is being applied.
 */
export class ProjectsInMemory {
  held: HeldProjects | undefined
  readonly #db: Db
  readonly #mostBytes: number
  readonly #signal: AbortSignal
  /** When applying new loads started (`performance.now()`); undefined when idle. */
  movingSince: number | undefined
  isReadingAll = false
  #columns = new ProjectColumns()
  #ahead: AheadReader
  #words = new WordSets(this.#columns)
  #known: ProjectsState | undefined
  /** Version at which the projects exceeded the memory budget. */
  #refused: string | undefined

  constructor(db: Db, { mostBytes, signal }: { readonly mostBytes: number; readonly signal: AbortSignal }) {
    this.#db = db
    this.#mostBytes = mostBytes
    this.#signal = signal
    this.#ahead = new AheadReader(db, this.#columns, mostBytes)
  }

  get heldBytes(): number {
    return this.#columns.heldBytes + this.#words.heldBytes
  }

  /** Updates the columns to the current database state. The caller must not run two at once. */
  async refresh(): Promise<void> {
    try {
      await this.#moveOn()
    } finally {
      this.movingSince = undefined
      this.isReadingAll = false
    }
  }

  async #moveOn(): Promise<void> {
    for (;;) {
      const state = await readProjectsState(this.#db)
      // Wait while a load is published in parts. After exceeding the budget, retry only when projects change.
      if (state.isFilling || state.version === this.#refused) return
      if (state.version === this.held?.version) {
        if (this.#signal.aborted || !(await this.#ahead.readOn(state.ahead))) return
        continue
      }
      if (state.version === this.#known?.version) {
        this.held = { columns: this.#columns, words: this.#words, version: state.version }
        return
      }
      this.held = undefined
      if (!(await this.#takeIn(state))) {
        this.#forget()
        this.#refused = state.version
        return
      }
    }
  }

  /** Applies changes up to `state`. Writes made meanwhile are detected by the caller, which compares versions again. */
  async #takeIn(state: ProjectsState): Promise<boolean> {
    if (this.#known) this.movingSince = performance.now()
    const loads = this.#known && (await loadsSince(this.#db, this.#known, state))
    // Nothing is trusted until everything is applied: after a failure the next read starts from scratch.
    this.#known = undefined
    this.#words.clear()
    if (!loads || !(await this.#putLoads(loads))) {
      this.#forget()
      this.movingSince = undefined
      this.isReadingAll = true
      this.#columns.reserve(Math.ceil(state.estimate * 1.02) + 1_024)
      await putDepartments(this.#db, this.#columns)
      if ((await this.#put()) === undefined) return false
    }
    this.#known = state
    return true
  }

  /** False when the result exceeds the memory budget. */
  async #putLoads(loads: readonly number[]): Promise<boolean> {
    // Preloaded rows first: the load may have rewritten some of them.
    const ahead = await this.#ahead.takeIn(loads)
    if (ahead) await putProjectsOf(this.#db, this.#columns, ahead.rewritten)
    if (this.#columns.heldBytes > this.#mostBytes) return false
    for (const loadId of loads) if (loadId !== ahead?.loadId && (await this.#put(loadId)) === undefined) return false
    return true
  }

  async #put(loadId?: number): Promise<number | undefined> {
    const options = { signal: this.#signal, mostBytes: this.#mostBytes }
    return await putProjects(this.#db, this.#columns, loadId === undefined ? options : { ...options, loadId })
  }

  #forget(): void {
    this.#columns = new ProjectColumns()
    this.#ahead = new AheadReader(this.#db, this.#columns, this.#mostBytes)
    this.#words = new WordSets(this.#columns)
    this.#known = undefined
  }
}

/**
 * Loads that wrote projects between two states; each load is one transaction. Undefined if another kind of write
 * happened too, because its changes cannot be identified.
 */
async function loadsSince(db: Db, before: ProjectsState, now: ProjectsState): Promise<number[] | undefined> {
  const known = new Set(before.published)
  const loads = await loadsThatWrote(
    db,
    now.published.filter((id) => !known.has(id)),
  )
  return now.writes - before.writes === loads.length ? loads : undefined
}
