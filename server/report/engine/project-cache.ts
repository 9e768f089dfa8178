import type { Db } from '#server/platform/engine/db.ts'
import {
  findDataLoadsWithProjects,
  loadDepartmentsIntoColumns,
  loadProjectDataState,
  loadProjectsIntoColumns,
  type ProjectDataState,
} from './load-projects-into-columns.ts'
import { ProjectColumns } from './project-columns.ts'
import { TermOccurrenceCache } from './term-occurrence-cache.ts'

export type CachedProjects = {
  readonly columns: ProjectColumns
  readonly words: TermOccurrenceCache
  readonly version: string
}

/**
 * In-memory columns of the public data of all projects, updated after each load. `current` is undefined while they are
 * incomplete: before the first read and while a load is being applied.
 */
export class ProjectCache {
  current: CachedProjects | undefined
  readonly #db: Db
  readonly #maxBytes: number
  readonly #signal: AbortSignal
  isReadingAll = false
  #columns = new ProjectColumns()
  #words = new TermOccurrenceCache(this.#columns)
  #applied: ProjectDataState | undefined
  #refused: string | undefined

  constructor(db: Db, { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal }) {
    this.#db = db
    this.#maxBytes = maxBytes
    this.#signal = signal
  }

  get usedBytes(): number {
    return this.#columns.usedBytes + this.#words.usedBytes
  }

  /** Updates the columns to the current database state. The caller must not run two updates at once. */
  async refresh(): Promise<void> {
    try {
      await this.#catchUp()
    } finally {
      this.isReadingAll = false
    }
  }

  async #catchUp(): Promise<void> {
    for (;;) {
      const state = await loadProjectDataState(this.#db)
      // A load is being published in parts, or the projects, unchanged since, exceeded the memory budget.
      if (state.isFilling || state.version === this.#refused) return
      if (state.version === this.current?.version) return
      if (state.version === this.#applied?.version) {
        this.current = { columns: this.#columns, words: this.#words, version: state.version }
        return
      }
      this.current = undefined
      if (!(await this.#applyChanges(state))) {
        this.#reset()
        this.#refused = state.version
        return
      }
    }
  }

  /**
   * Applies the changes between the applied state and `state`. The caller compares versions again afterwards and so
   * detects writes made meanwhile.
   */
  async #applyChanges(state: ProjectDataState): Promise<boolean> {
    const loads = this.#applied && (await loadsSince(this.#db, this.#applied, state))
    // Forget the applied state until everything is applied, so that after a failure the next read starts from scratch.
    this.#applied = undefined
    this.#words.clear()
    if (!loads || !(await this.#putLoads(loads))) {
      this.#reset()
      this.isReadingAll = true
      this.#columns.reserve(Math.ceil(state.estimate * 1.02) + 1_024)
      await loadDepartmentsIntoColumns(this.#db, this.#columns)
      if (!(await this.#put())) return false
    }
    this.#applied = state
    return true
  }

  async #putLoads(loads: readonly number[]): Promise<boolean> {
    for (const loadId of loads) if (!(await this.#put({ loadId }))) return false
    return true
  }

  async #put(of: { readonly loadId?: number } = {}): Promise<boolean> {
    const options = { ...of, signal: this.#signal, maxBytes: this.#maxBytes }
    return (await loadProjectsIntoColumns(this.#db, this.#columns, options)) !== undefined
  }

  #reset(): void {
    this.#columns = new ProjectColumns()
    this.#words = new TermOccurrenceCache(this.#columns)
    this.#applied = undefined
  }
}

/**
 * Returns the loads that wrote projects between two states; each load is one transaction. Undefined if another kind of
 * write happened too, because its changes cannot be identified.
 */
async function loadsSince(db: Db, before: ProjectDataState, now: ProjectDataState): Promise<number[] | undefined> {
  const knownLoads = new Set(before.published)
  const loads = await findDataLoadsWithProjects(
    db,
    now.published.filter((id) => !knownLoads.has(id)),
  )
  return now.writes - before.writes === loads.length ? loads : undefined
}
