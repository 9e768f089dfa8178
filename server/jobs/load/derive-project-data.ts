import type { DataLoadProgress } from '#server/catalogue/feed/load-report.ts'
import { type RemainingDataLoadProjects, runDerivationSteps } from '#server/catalogue/feed/written-projects.ts'
import { createCompanyFactsStep, recountStaleCompanies } from '#server/market/company/update-company-facts.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { runThrottled, UNTHROTTLED_WORK, type WorkThrottle } from '#server/platform/engine/process-in-batches.ts'
import {
  shouldVacuum,
  vacuumDerivedTables,
  vacuumPublishedTables,
} from '#server/platform/engine/vacuum-after-data-load.ts'
import { createProjectTraitsDerivationStep } from '#server/report/project/write-project-traits.ts'

type DeriveOptions = {
  readonly changedCount: number
  readonly onProgress?: ((progress: DataLoadProgress) => void) | undefined
  /** The projects still to be derived, if the load was partly derived while it was published. */
  readonly remainder?: RemainingDataLoadProjects | undefined
  readonly pace?: WorkThrottle | undefined
}

/**
 * Derives, from already visible projects, data that a report does not need: traits for comparison and company figures;
 * after large changes also statistics and visibility maps of all loaded tables. If interrupted, the next call
 * continues. Each project is read once for both derivations, and tables are vacuumed in parallel, so that process and
 * database are both busy.
 */
export async function deriveProjectData(
  db: Db,
  { changedCount, onProgress, remainder, pace = UNTHROTTLED_WORK }: DeriveOptions,
): Promise<void> {
  const isLarge = await shouldVacuum(db, changedCount)
  await runThrottled(pace, [
    () => deriveTraitsAndCompanies(db, { isLarge, onProgress, remainder, pace }),
    async () => void (isLarge && (await vacuumPublishedTables(db))),
  ])
  if (!isLarge) return
  onProgress?.({ phase: 'tidy', done: 0 })
  await vacuumDerivedTables(db)
}

async function deriveTraitsAndCompanies(
  db: Db,
  { isLarge, onProgress, remainder, pace }: Omit<DeriveOptions, 'changedCount'> & { readonly isLarge: boolean },
): Promise<void> {
  const reportProgress = (phase: 'derive' | 'companies') =>
    onProgress && ((done: number, total: number) => onProgress({ phase, done, total }))
  const facts = await createCompanyFactsStep(db)
  await runDerivationSteps(db, [await createProjectTraitsDerivationStep(db), facts], reportProgress('derive'), {
    remaining: remainder,
    pace,
  })
  await recountStaleCompanies(db, {
    loads: facts.loads,
    ...{ isLarge, pace },
    onCompany: reportProgress('companies'),
  })
}
