import type { Db } from '#server/platform/engine/db.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import { toProjectRows } from '#server/report/engine/load-projects-into-columns.ts'
import type { ProjectColumns } from '#server/report/engine/project-columns.ts'
import {
  type DataLoadStagingAttempt,
  decompressProjectPreloadBatch,
  loadCompletedProjectPreload,
  loadProjectPreloadBatch,
  type ProjectPreloadBatch,
} from './preload-parts.ts'

/** Rows inserted before yielding to the event loop: about 2 ms of work. */
const ROWS_PER_SLICE = 200

type PreloadProgress = DataLoadStagingAttempt & { next: number; projects: number }

/**
 * Preloads the new projects of a running load into rows past the visible end of the columns, so that nothing needs to
 * be read when the load is published. Rows of an abandoned load are overwritten.
 */
export class ProjectPreloadReader {
  readonly #db: Db
  readonly #columns: ProjectColumns
  readonly #mostBytes: number
  #at: PreloadProgress | undefined
  #over: string | undefined

  constructor(db: Db, columns: ProjectColumns, maxBytes: number) {
    this.#db = db
    this.#columns = columns
    this.#mostBytes = maxBytes
  }

  async readNextPart(writing: DataLoadStagingAttempt | null): Promise<boolean> {
    if (!writing || writing.attempt === this.#over) return false
    if (this.#at?.attempt !== writing.attempt) {
      this.#columns.dropPreloaded()
      this.#at = { loadId: writing.loadId, attempt: writing.attempt, next: 0, projects: 0 }
    }
    return await this.#putNext(this.#at)
  }

  /**
   * Call this when `loads` were published. If the running load is among them, publishes its preloaded rows and returns
   * its id and the projects that must still be read. Returns undefined if nothing usable was preloaded.
   */
  async publish(
    loads: readonly number[],
  ): Promise<{ readonly loadId: number; readonly rewritten: readonly string[] } | undefined> {
    const at = this.#at
    if (!at || !loads.includes(at.loadId)) {
      // The published loads will write rows past the end of the columns, where the preloaded rows are, so preload
      // again.
      this.#beginAgain()
      return undefined
    }
    const sealed = await loadCompletedProjectPreload(this.#db, at)
    if (!sealed || !(await this.#readAll(at, sealed.parts)) || at.projects !== sealed.projects) {
      this.#giveUp()
      return undefined
    }
    this.#columns.publishPreloaded()
    this.#giveUp()
    return { loadId: at.loadId, rewritten: sealed.rewritten }
  }

  #giveUp(): void {
    this.#over = this.#at?.attempt ?? this.#over
    this.#beginAgain()
  }

  #beginAgain(): void {
    this.#columns.dropPreloaded()
    this.#at = undefined
  }

  async #readAll(at: PreloadProgress, parts: number): Promise<boolean> {
    while (at.next < parts) if (!(await this.#putNext(at))) return false
    return true
  }

  async #putNext(at: PreloadProgress): Promise<boolean> {
    const bytes = await loadProjectPreloadBatch(this.#db, at, at.next)
    if (!bytes) return false
    const part = await decompressProjectPreloadBatch(bytes).catch(() => undefined)
    const isPut = part && (await this.#put(part).catch((error: unknown) => this.#failed(error)))
    if (isPut) {
      at.next += 1
      at.projects += part.projects.project_id.length
      return true
    }
    this.#giveUp()
    return false
  }

  /** Restarts the preload and rethrows the error, because a partly inserted part cannot be resumed. */
  #failed(error: unknown): never {
    this.#beginAgain()
    throw error
  }

  async #put({ projects, departments }: ProjectPreloadBatch): Promise<boolean> {
    const columns = this.#columns
    const rows = toProjectRows(projects)
    if (!columns.canFit(rows.length, this.#mostBytes)) return false
    for (const department of departments) columns.addPreloadedDepartment(department)
    for (const [at, row] of rows.entries()) {
      if (!columns.putPreloaded(row)) return false
      if (at % ROWS_PER_SLICE === ROWS_PER_SLICE - 1) await yieldToEventLoop()
    }
    return true
  }
}
