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

/** The columns and the write to `projects` after which they stood so. */
export type HeldProjects = { readonly columns: ProjectColumns; readonly words: WordSets; readonly version: string }

/**
 * The public columns of all projects, moved on by each load. `held` is undefined while they are not whole: before the first reading, and while the
 * rows of a load are being put in.
 */
export class ProjectsInMemory {
  held: HeldProjects | undefined
  readonly #db: Db
  readonly #mostBytes: number
  readonly #signal: AbortSignal
  /** They are being moved on by what loads brought: since when (`performance.now()`). */
  movingSince: number | undefined
  /** All projects are being read from the beginning. */
  isReadingAll = false
  #columns = new ProjectColumns()
  #ahead: AheadReader
  #words = new WordSets(this.#columns)
  /** What the columns hold, all of it. */
  #known: ProjectsState | undefined
  /** Version at which the projects were too many. */
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

  /** Brings the columns to what stands in the database now. One at a time: the caller sees to that. */
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
      // A load that comes in by parts is waited for; after what could not be held one tries again when projects have changed.
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

  /** Reads what is new at `state`. What is written meanwhile is seen by the caller, who compares the version again. */
  async #takeIn(state: ProjectsState): Promise<boolean> {
    if (this.#known) this.movingSince = performance.now()
    const loads = this.#known && (await loadsSince(this.#db, this.#known, state))
    // Until all is in, nothing counts as known: a reading that fails begins again from nothing.
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

  /** False when what a load wrote cannot be held. */
  async #putLoads(loads: readonly number[]): Promise<boolean> {
    // Before the others: what these wrote again they say.
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
 * Loads that wrote projects between two states, when nothing but they has written: a load is one transaction, and none when it brought nothing.
 * Undefined when something else wrote too, of which one cannot tell what.
 */
async function loadsSince(db: Db, before: ProjectsState, now: ProjectsState): Promise<number[] | undefined> {
  const known = new Set(before.published)
  const loads = await loadsThatWrote(
    db,
    now.published.filter((id) => !known.has(id)),
  )
  return now.writes - before.writes === loads.length ? loads : undefined
}
