import type { PublishedLoad } from '#server/catalogue/feed/load.ts'
import type { Along, NewRow } from '#server/catalogue/feed/publish-projects.ts'
import { SAMPLE_SOURCE } from '#server/catalogue/feed/sample-source.ts'
import { asWritten, type WrittenStep } from '#server/catalogue/feed/written-projects.ts'
import { companyFactsStep } from '#server/market/company/update-companies.ts'
import { type MatchingAlong, matchAlong } from '#server/matching/match-load.ts'
import { storeValues } from '#server/matching/queries/write-matches.ts'
import type { StoredProject } from '#server/matching/queries.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { allEnded } from '#server/platform/engine/in-batches.ts'
import { type Beside, openBeside } from '#server/platform/engine/postgres/beside.ts'
import { AheadWriter } from '#server/report/memory/ahead/ahead-writer.ts'
import { traitsStep } from '#server/report/project/write-traits.ts'

/**
 * Work done in parallel with the publication of a large load (decisions 0156 and 0043), on PostgreSQL only. New
 * projects are matched in the same transaction. A second transaction writes their traits and company facts, and commits
 * after the first. Servers can preload them. So both cores are busy, and no project is read twice.
 */
export class PublishAlong {
  readonly #beside: Beside
  readonly #steps: readonly WrittenStep[]
  #hasFailed = false
  #ahead: AheadWriter | undefined

  private constructor(beside: Beside, steps: readonly WrittenStep[]) {
    this.#beside = beside
    this.#steps = steps
  }

  /** Call before the publishing transaction begins. */
  static async open(db: Db): Promise<PublishAlong> {
    const beside = await openBeside(db)
    return new PublishAlong(beside, [await traitsStep(beside.db), await companyFactsStep(beside.db)])
  }

  /** Call inside the publishing transaction, before its first project is written. */
  async begin(tx: Db, loadId: number): Promise<{ readonly along: Along; readonly matching: MatchingAlong }> {
    const matching = await matchAlong(tx, loadId)
    const stored = new Set<string>()
    const ahead = await AheadWriter.open(this.#beside.db, loadId)
    this.#ahead = ahead
    const along: Along = {
      prepare: async (projects) => {
        // Committed before either transaction writes these values: otherwise the two would wait for each other.
        await storeValues(
          this.#beside.db,
          projects.map(({ row }) => row),
          stored,
        )
        const inside = await matching.prepare(projects.map(asMatched))
        const beside = await this.#unlessFailed(() => this.#prepare(projects))
        const storeAhead = await ahead.prepare(projects)
        return {
          inside,
          beside: () => allEnded([this.#unlessFailed(async () => beside?.()), storeAhead()]),
        }
      },
    }
    return { along, matching }
  }

  /**
   * Call inside the publishing transaction after all projects are written: servers may then use what they preloaded.
   */
  async sealAhead(
    tx: Db,
    { newProjects: added, rewritten }: Pick<PublishedLoad, 'newProjects' | 'rewritten'>,
  ): Promise<void> {
    await this.#ahead?.seal(tx, { added, rewritten })
  }

  async #prepare(projects: readonly NewRow[]): Promise<() => Promise<void>> {
    const written = projects.map(asWritten)
    const writes: ((tx: Db) => Promise<void>)[] = []
    for (const step of this.#steps) writes.push(await step.prepare(written))
    return () => allEnded(writes.map((write) => write(this.#beside.tx)))
  }

  /**
   * Failures here do not stop the load: everything is derived again afterwards, and a persistent error surfaces there.
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

  /**
   * Commits the parallel transaction once the load is published. Returns false when it failed and nothing of it is
   * stored.
   */
  async commit(): Promise<boolean> {
    if (this.#hasFailed) return false
    return (await this.#unlessFailed(async () => this.#beside.commit().then(() => true))) ?? false
  }

  async end(): Promise<void> {
    await this.#beside.end()
  }
}

const asMatched = ({ row, source }: NewRow): StoredProject => ({
  ...row,
  is_sample: source === SAMPLE_SOURCE,
  is_new: true,
})
