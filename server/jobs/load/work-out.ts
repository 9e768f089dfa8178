import type { Db } from '#server/engine/db.ts'
import { tidyUpPublished, tidyUpWorkedOut } from '#server/engine/tidy-up.ts'
import { updateCompanies } from '#server/features/company/update-companies.ts'
import type { LoadProgress } from '#server/features/feed/load-report.ts'
import { writeTraits } from '#server/features/project/write-traits.ts'

/**
 * What follows from projects that are visible already and is not needed to read a report: what makes them comparable, and the figures of companies;
 * with `isLarge` the statistics and visibility maps of all tables that a load fills. Ended in the middle, the next call goes on. All run beside each other:
 * one computes in this process while the database is at work for the others. They write different tables.
 */
export async function workOut(
  db: Db,
  {
    isLarge,
    onProgress,
  }: { readonly isLarge: boolean; readonly onProgress?: ((progress: LoadProgress) => void) | undefined },
): Promise<void> {
  const steps = { traits: { done: 0, total: 0 }, companies: { done: 0, total: 0 } }
  const tell = (step: keyof typeof steps) => (done: number, total: number) => {
    steps[step] = { done, total }
    const { traits, companies } = steps
    // A project is done when both are.
    onProgress?.({
      phase: 'derive',
      done: Math.floor((traits.done + companies.done) / 2),
      total: Math.max(traits.total, companies.total),
    })
  }
  let isComparing = true
  const all = [
    writeTraits(db, tell('traits')).finally(() => {
      isComparing = false
    }),
    updateCompanies(db, {
      onProject: tell('companies'),
      // The phases are told one after the other: a line that turned to and fro would begin to count anew each time.
      onCompany: (done, total) => isComparing || onProgress?.({ phase: 'companies', done, total }),
    }),
    isLarge && tidyUpPublished(db),
  ]
  // A failure is thrown only when all have ended: the next call must not meet what is left of this one.
  await Promise.allSettled(all)
  await Promise.all(all)
  if (!isLarge) return
  onProgress?.({ phase: 'tidy', done: 0 })
  await tidyUpWorkedOut(db)
}
