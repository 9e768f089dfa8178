import type { LoadProgress } from '#server/catalogue/feed/load-report.ts'
import { eachWritten, type LeftOf } from '#server/catalogue/feed/written-projects.ts'
import { companyFactsStep, countStale } from '#server/market/company/update-companies.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { allAt, FULL_PACE, type Pace } from '#server/platform/engine/in-batches.ts'
import { isWorthTidying, tidyUpPublished, tidyUpWorkedOut } from '#server/platform/engine/tidy-up.ts'
import { traitsStep } from '#server/report/project/write-traits.ts'

type WorkOutOptions = {
  readonly changed: number
  readonly onProgress?: ((progress: LoadProgress) => void) | undefined
  /** A load already derived while it was published, except for these projects. */
  readonly left?: LeftOf | undefined
  readonly pace?: Pace | undefined
}

/**
 * Derives data that is not needed to read a report from already visible projects: traits for comparison and company
 * figures; after large changes also statistics and visibility maps of all loaded tables. If interrupted, the next call
 * continues. Each project is read once for both derivations, and tables are vacuumed in parallel, so process and
 * database are both busy.
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
