import type { LoadProgress } from '#server/catalogue/feed/load-report.ts'
import { eachWritten, type LeftOf } from '#server/catalogue/feed/written-projects.ts'
import { companyFactsStep, countStale } from '#server/market/company/update-companies.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { allAt, FULL_PACE, type Pace } from '#server/platform/engine/in-batches.ts'
import { isWorthTidying, tidyUpPublished, tidyUpWorkedOut } from '#server/platform/engine/tidy-up.ts'
import { traitsStep } from '#server/report/project/write-traits.ts'

type WorkOutOptions = {
  /** How many projects are new or changed. */
  readonly changed: number
  readonly onProgress?: ((progress: LoadProgress) => void) | undefined
  /** The load that was worked out while it was published, but for these projects. */
  readonly left?: LeftOf | undefined
  readonly pace?: Pace | undefined
}

/**
 * What follows from projects that are visible already and is not needed to read a report: what makes them comparable, and the figures of companies;
 * where much has changed the statistics and visibility maps of all tables that a load fills. Ended in the middle, the next call goes on. A project is read once for
 * both, and the tables are tidied beside that: this process computes while the database is at work.
 */
export async function workOut(db: Db, { changed, onProgress, left, pace = FULL_PACE }: WorkOutOptions): Promise<void> {
  const isLarge = await isWorthTidying(db, changed)
  await allAt(pace, [
    () => derive(db, { isLarge, onProgress, left, pace }),
    async () => void (isLarge && (await tidyUpPublished(db))),
  ])
  if (!isLarge) return
  onProgress?.({ phase: 'tidy', done: 0 })
  await tidyUpWorkedOut(db)
}

async function derive(
  db: Db,
  { isLarge, onProgress, left, pace }: Omit<WorkOutOptions, 'changed'> & { readonly isLarge: boolean },
): Promise<void> {
  const tell = (phase: 'derive' | 'companies') =>
    onProgress && ((done: number, total: number) => onProgress({ phase, done, total }))
  const facts = await companyFactsStep(db)
  await eachWritten(db, [await traitsStep(db), facts], tell('derive'), { left, pace })
  await countStale(db, {
    loads: facts.loads,
    ...{ isLarge, pace },
    onCompany: tell('companies'),
  })
}
