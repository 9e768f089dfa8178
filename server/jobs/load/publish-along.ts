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
 * What a large load does while it is published (decisions 0156 and 0043), on PostgreSQL alone. Its new projects are matched in the same transaction. A second transaction beside it writes
 * what makes them comparable and what they say of companies, and is committed after it. Servers get them ahead. So both cores work, and no project is read twice.
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

  /** Before the transaction that publishes is begun. */
  static async open(db: Db): Promise<PublishAlong> {
    const beside = await openBeside(db)
    return new PublishAlong(beside, [await traitsStep(beside.db), await companyFactsStep(beside.db)])
  }

  /** In the transaction that publishes, before its first project is written. */
  async begin(tx: Db, loadId: number): Promise<{ readonly along: Along; readonly matching: MatchingAlong }> {
    const matching = await matchAlong(tx, loadId)
    const stored = new Set<string>()
    const ahead = await AheadWriter.open(this.#beside.db, loadId)
    this.#ahead = ahead
    const along: Along = {
      prepare: async (projects) => {
        // Committed before either transaction writes them: otherwise each would wait for the other.
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

  /** In the transaction that publishes, when all projects are written: servers may show what they have read ahead. */
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

  /** What fails here does not stop the load: all of it is worked out again behind it, and fails there if it must. */
  async #unlessFailed<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (this.#hasFailed) return undefined
    try {
      return await work()
    } catch {
      this.#hasFailed = true
      return undefined
    }
  }

  /** The load is published: what was written beside it becomes visible. False when it could not be written: nothing of it is stored. */
  async commit(): Promise<boolean> {
    if (this.#hasFailed) return false
    return (await this.#unlessFailed(async () => this.#beside.commit().then(() => true))) ?? false
  }

  /** Takes back what was not committed. */
  async end(): Promise<void> {
    await this.#beside.end()
  }
}

const asMatched = ({ row, source }: NewRow): StoredProject => ({
  ...row,
  is_sample: source === SAMPLE_SOURCE,
  is_new: true,
})
