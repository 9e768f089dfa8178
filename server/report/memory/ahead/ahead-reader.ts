import type { Db } from '#server/platform/engine/db.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import { rowsOf } from '#server/report/memory/load-projects.ts'
import type { ProjectColumns } from '#server/report/memory/project-columns.ts'
import { type AheadPart, type Attempt, readPart, readSealed, unpackPart } from './ahead-parts.ts'

/** About 2 ms of work between yields to the event loop. */
const ROWS_A_TURN = 200

type At = Attempt & { next: number; projects: number }

/**
 * Preloads the new projects of a running load into rows past the visible end of the columns, so nothing is left to read
 * when the load becomes visible. Rows of an abandoned load are overwritten.
 */
export class AheadReader {
  readonly #db: Db
  readonly #columns: ProjectColumns
  readonly #mostBytes: number
  #at: At | undefined
  #over: string | undefined

  constructor(db: Db, columns: ProjectColumns, mostBytes: number) {
    this.#db = db
    this.#columns = columns
    this.#mostBytes = mostBytes
  }

  /** Reads the next stored part; false when there is none yet. */
  async readOn(writing: Attempt | null): Promise<boolean> {
    if (!writing || writing.attempt === this.#over) return false
    if (this.#at?.attempt !== writing.attempt) {
      this.#columns.dropAhead()
      this.#at = { loadId: writing.loadId, attempt: writing.attempt, next: 0, projects: 0 }
    }
    return await this.#putNext(this.#at)
  }

  /**
   * Call when `loads` became visible. Publishes the preloaded rows of one of them and returns its id and the projects
   * still to be read; undefined if nothing usable was preloaded.
   */
  async takeIn(
    loads: readonly number[],
  ): Promise<{ readonly loadId: number; readonly rewritten: readonly string[] } | undefined> {
    const at = this.#at
    if (!at || !loads.includes(at.loadId)) {
      // The published loads need the rows past the end, so the preload of the running load restarts.
      this.#beginAgain()
      return undefined
    }
    const sealed = await readSealed(this.#db, at)
    if (!sealed || !(await this.#readAll(at, sealed.parts)) || at.projects !== sealed.projects) {
      this.#giveUp()
      return undefined
    }
    this.#columns.takeAhead()
    this.#giveUp()
    return { loadId: at.loadId, rewritten: sealed.rewritten }
  }

  #giveUp(): void {
    this.#over = this.#at?.attempt ?? this.#over
    this.#beginAgain()
  }

  #beginAgain(): void {
    this.#columns.dropAhead()
    this.#at = undefined
  }

  async #readAll(at: At, parts: number): Promise<boolean> {
    while (at.next < parts) if (!(await this.#putNext(at))) return false
    return true
  }

  async #putNext(at: At): Promise<boolean> {
    const bytes = await readPart(this.#db, at, at.next)
    if (!bytes) return false
    const part = await unpackPart(bytes).catch(() => undefined)
    const isPut = part && (await this.#put(part).catch((error: unknown) => this.#failed(error)))
    if (isPut) {
      at.next += 1
      at.projects += part.projects.project_id.length
      return true
    }
    this.#giveUp()
    return false
  }

  /** A partly inserted part cannot be resumed. */
  #failed(error: unknown): never {
    this.#beginAgain()
    throw error
  }

  /** False when the rows exceed the memory budget or a project already exists. */
  async #put({ projects, departments }: AheadPart): Promise<boolean> {
    const columns = this.#columns
    const rows = rowsOf(projects)
    if (!columns.canHold(rows.length, this.#mostBytes)) return false
    for (const department of departments) columns.addDepartmentAhead(department)
    for (const [at, row] of rows.entries()) {
      if (!columns.putAhead(row)) return false
      if (at % ROWS_A_TURN === ROWS_A_TURN - 1) await yieldToEventLoop()
    }
    return true
  }
}
