import { bangkokToday } from '#contract/thai/thai-date.ts'
import { showLoadProgress } from '#server/cli/load-progress.ts'
import type { Terminal } from '#server/cli/terminal.ts'
import type { Db } from '#server/engine/db.ts'
import { latestSampleDay } from '#server/features/feed/queries-sample-day.ts'
import { notifyOfLoad } from '#server/features/notification/create-notifications.ts'
import { seedMarks } from '#server/features/sample-account/seed-marks.ts'
import { seedSampleOrganisations } from '#server/features/sample-account/seed-sample.ts'
import { seedSample } from '#server/jobs/nightly-load.ts'
import { LoadBusy } from '#server/jobs/run-load.ts'
import { seedBudget } from '#server/jobs/seed-budget.ts'
import { createExpander } from '#server/meaning/expander.ts'

/** Fills an empty database with the sample: organisations, their words and users, some 20,000 projects and the budget of three years. Goes on where an interrupted start stopped. */
export async function seedWhenEmpty(db: Db, terminal: Terminal): Promise<void> {
  await seedProjectsWhenEmpty(db, terminal)
  const items = await seedBudget(db, { today: bangkokToday(new Date()) })
  if (items > 0) terminal.log(`Sample budget ready: ${items.toLocaleString('en-US')} items of three fiscal years.`)
}

async function seedProjectsWhenEmpty(db: Db, terminal: Terminal): Promise<void> {
  if ((await latestSampleDay(db)) !== undefined) return
  terminal.log('First start: making the sample (organisations, accounts, about 20,000 projects) …')
  // The built-in model alone: the sample is the same on every machine.
  await seedSampleOrganisations(db, undefined, createExpander(undefined))
  try {
    const [history, recent] = await seedSample(db, { onProgress: showLoadProgress(terminal) })
    const today = bangkokToday(new Date())
    await seedMarks(db, today)
    // The marks came after the loads: what the last of them would have told their owners.
    if (recent) await db.transaction((tx) => notifyOfLoad(tx, recent.loadId, { today, at: new Date() }))
    if (history)
      terminal.log(
        `Sample ready: ${history.newProjects.toLocaleString('en-US')} projects, ${history.matched.toLocaleString('en-US')} matches.`,
      )
  } catch (error) {
    // With PostgreSQL several servers may start at once: one of them fills it.
    if (!(error instanceof LoadBusy)) throw error
    terminal.log('Another process is making the sample.')
  }
}
