import type { Db } from '#server/engine/db.ts'
import type { JobLog } from '#server/queue/job.ts'
import { repeatWork, type Schedule } from '#server/queue/repeat-work.ts'
import { refreshBudget } from './refresh-budget.ts'

/** Words that somebody just changed should find their items by the time the next screen is open. */
const LOOK_EVERY_MS = 1_000

/** Keeps matches and links of the budget up to date until it is stopped; what is under way then begins again at the next start. */
export function scheduleBudget(db: Db, log: JobLog, now: () => Date = () => new Date()): Schedule {
  return repeatWork({
    everyMs: LOOK_EVERY_MS,
    work: (signal) => refreshBudget(db, { now, signal }),
    failed: (error) => log.error({ err: error }, 'the budget is not brought up to date'),
  })
}
