import type { Db } from '#server/platform/engine/db.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import { rowsOf } from '#server/report/memory/load-projects.ts'
import type { ProjectColumns } from '#server/report/memory/project-columns.ts'
import { type AheadPart, type Attempt, readPart, readSealed, unpackPart } from './ahead-parts.ts'

/** Rows put in before others get their turn: 2 ms. Nobody waits for them. */
const ROWS_A_TURN = 200

type At = Attempt & { next: number; projects: number }

/**
 * Reads what a load under way has stored of its new projects into the rows behind those that anybody sees, so that nothing is left to be read when the load becomes
 * visible. What it does not become stays behind and is written over.
 */
export class AheadReader {
  readonly #db: Db
  readonly #columns: ProjectColumns
  readonly #mostBytes: number
  #at: At | undefined
  /** Attempt that is over or of no use. */
  #over: string | undefined

  constructor(db: Db, columns: ProjectColumns, mostBytes: number) {
    this.#db = db
    this.#columns = columns
    this.#mostBytes = mostBytes
  }

  /** Reads the next part of what is being written; false when none is there. */
  async readOn(writing: Attempt | null): Promise<boolean> {
    if (!writing || writing.attempt === this.#over) return false
    if (this.#at?.attempt !== writing.attempt) {
      this.#columns.dropAhead()
      this.#at = { loadId: writing.loadId, attempt: writing.attempt, next: 0, projects: 0 }
    }
    return await this.#putNext(this.#at)
  }

  /** These loads are visible. Makes what was read of one of them part of the columns; answers which, and what of it is still to be read. */
  async takeIn(
    loads: readonly number[],
  ): Promise<{ readonly loadId: number; readonly rewritten: readonly string[] } | undefined> {
    const at = this.#at
    if (!at || !loads.includes(at.loadId)) {
      // The rows behind all others are for what these brought; what is under way is read again.
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

  /** A part that is put in half is not gone on with. */
  #failed(error: unknown): never {
    this.#beginAgain()
    throw error
  }

  /** False when they have no room, or one of them is known already. */
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
