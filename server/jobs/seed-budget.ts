import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { fiscalYearOf } from '#contract/budget/fiscal-year.ts'
import type { Db } from '#server/engine/db.ts'
import { hasBudget } from '#server/features/budget/queries-match.ts'
import { replaceYear } from '#server/features/budget/replace-year.ts'
import { sampleBudget } from '#server/features/feed/sample/sample-budget.ts'
import { sampleWorld } from '#server/features/feed/sample/sample-projects.ts'
import { SAMPLE_SEED } from './nightly-load.ts'
import { refreshBudgetWords } from './refresh-budget.ts'

/** The year of `today` and the two before it: those that the sample has projects of. */
const YEARS = 3

/**
 * Puts the sample's budget of three fiscal years into a database that has none, and finds the words in it; its projects are found by the running server. Answers the number of items; 0 when
 * there was a budget. Ended in between, the next call does all of it.
 */
export async function seedBudget(
  db: Db,
  { today, now = () => new Date() }: { today: string; now?: () => Date },
): Promise<number> {
  if (await hasBudget(db)) return 0
  const world = sampleWorld(SAMPLE_SEED)
  const newest = fiscalYearOf(today)
  let items = 0
  await db.transaction(
    async (tx) => {
      for (let fiscalYear = newest - YEARS + 1; fiscalYear <= newest; fiscalYear += 1) {
        const rows = sampleBudget(world, fiscalYear)
        const year = { fiscalYear, origin: `sample ${fiscalYear}`, read: rows.length, rows, refused: [], at: now() }
        await replaceYear(tx, year)
        items += rows.length
        await yieldToEventLoop()
      }
    },
    { idleTimeoutMs: 0 },
  )
  await refreshBudgetWords(db, { now })
  return items
}
