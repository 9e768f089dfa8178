import type { Db } from '#server/engine/db.ts'
import { allEnded } from '#server/engine/in-batches.ts'
import { tidyUpPublished, tidyUpWorkedOut } from '#server/engine/tidy-up.ts'
import { companyFactsStep, countStale } from '#server/features/company/update-companies.ts'
import type { LoadProgress } from '#server/features/feed/load-report.ts'
import { eachWritten } from '#server/features/feed/written-projects.ts'
import { traitsStep } from '#server/features/project/write-traits.ts'

type WorkOutOptions = {
  readonly isLarge: boolean
  readonly onProgress?: ((progress: LoadProgress) => void) | undefined
}

/**
 * What follows from projects that are visible already and is not needed to read a report: what makes them comparable, and the figures of companies;
 * with `isLarge` the statistics and visibility maps of all tables that a load fills. Ended in the middle, the next call goes on. A project is read once for
 * both, and the tables are tidied beside that: this process computes while the database is at work.
 */
export async function workOut(db: Db, { isLarge, onProgress }: WorkOutOptions): Promise<void> {
  await allEnded([derive(db, onProgress), isLarge && tidyUpPublished(db)])
  if (!isLarge) return
  onProgress?.({ phase: 'tidy', done: 0 })
  await tidyUpWorkedOut(db)
}

async function derive(db: Db, onProgress: WorkOutOptions['onProgress']): Promise<void> {
  const tell = (phase: 'derive' | 'companies') =>
    onProgress && ((done: number, total: number) => onProgress({ phase, done, total }))
  const facts = await companyFactsStep(db)
  const projects = await eachWritten(db, [await traitsStep(db), facts], tell('derive'))
  await countStale(db, { loads: facts.loads, projects, onCompany: tell('companies') })
}
