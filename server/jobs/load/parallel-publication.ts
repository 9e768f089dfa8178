import type { DerivedDataWriter, NewProjectRow } from '#server/catalogue/feed/publish-projects.ts'
import { type DerivationStep, toDerivationProject } from '#server/catalogue/feed/written-projects.ts'
import { createCompanyFactsStep } from '#server/market/company/update-company-facts.ts'
import { type DataLoadMatcher, startDataLoadMatcher } from '#server/matching/match-load-projects.ts'
import { internProjectFieldValues } from '#server/matching/queries/write-matches.ts'
import type { StoredProjectToMatch } from '#server/matching/queries.ts'
import type { Db } from '#server/platform/engine/db.ts'
import {
  openSeparateTransaction,
  type SeparateTransaction,
} from '#server/platform/engine/postgres/separate-transaction.ts'
import { awaitAllThenThrow } from '#server/platform/engine/process-in-batches.ts'
import { createProjectTraitsDerivationStep } from '#server/report/project/write-project-traits.ts'

/**
 * Does work in parallel with the publication of a large load (decision 0156), on PostgreSQL only. New projects are
 * matched in the publishing transaction. A second transaction writes their traits and company facts, and commits after
 * the first. This keeps both cores busy and reads no project twice.
 */
export class ParallelLoadPublication {
  readonly #separate: SeparateTransaction
  readonly #steps: readonly DerivationStep[]
  #hasFailed = false

  private constructor(second: SeparateTransaction, steps: readonly DerivationStep[]) {
    this.#separate = second
    this.#steps = steps
  }

  /** Call before the publishing transaction begins. */
  static async open(db: Db): Promise<ParallelLoadPublication> {
    const second = await openSeparateTransaction(db)
    return new ParallelLoadPublication(second, [
      await createProjectTraitsDerivationStep(second.db),
      await createCompanyFactsStep(second.db),
    ])
  }

  /** Call inside the publishing transaction, before its first project is written. */
  async begin(
    tx: Db,
    loadId: number,
  ): Promise<{ readonly parallelWrites: DerivedDataWriter; readonly matching: DataLoadMatcher }> {
    const matching = await startDataLoadMatcher(tx, loadId)
    const stored = new Set<string>()
    const parallelWrites: DerivedDataWriter = {
      prepare: async (projects) => {
        // Commit these values before either transaction writes them, or the two would block each other.
        await internProjectFieldValues(
          this.#separate.db,
          projects.map(({ row }) => row),
          stored,
        )
        const writeMatches = await matching.prepare(projects.map(asMatched))
        const writeDerived = await this.#unlessFailed(() => this.#prepare(projects))
        return {
          writeInTransaction: writeMatches,
          writeDetached: async () => {
            await this.#unlessFailed(async () => writeDerived?.())
          },
        }
      },
    }
    return { parallelWrites, matching }
  }

  async #prepare(projects: readonly NewProjectRow[]): Promise<() => Promise<void>> {
    const written = projects.map(toDerivationProject)
    const writes: ((tx: Db) => Promise<void>)[] = []
    for (const step of this.#steps) writes.push(await step.prepare(written))
    return () => awaitAllThenThrow(writes.map((write) => write(this.#separate.tx)))
  }

  /**
   * Runs `work` and swallows its failure. It does not stop the load, because everything is derived again afterwards,
   * and a persistent error surfaces there.
   */
  async #unlessFailed<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (this.#hasFailed) return undefined
    try {
      return await work()
    } catch {
      this.#hasFailed = true
      return undefined
    }
  }

  async commit(): Promise<boolean> {
    if (this.#hasFailed) return false
    return (await this.#unlessFailed(async () => this.#separate.commit().then(() => true))) ?? false
  }

  async end(): Promise<void> {
    await this.#separate.end()
  }
}

const asMatched = ({ row }: NewProjectRow): StoredProjectToMatch => ({
  ...row,
  is_new: true,
})
