import { bangkokToday } from '#contract/thai/thai-date.ts'
import { seedMarks } from '#sample/accounts/seed-marks.ts'
import { seedPursuits } from '#sample/accounts/seed-pursuits.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { isSampleRetired } from '#server/account/demo/sample-only.ts'
import { notifyOfLoad } from '#server/account/notification/create-notifications.ts'
import type { LoadProgress } from '#server/catalogue/feed/load-report.ts'
import { latestSampleDay } from '#server/catalogue/feed/sample-day.ts'
import { showLoadProgress } from '#server/cli/load-progress.ts'
import type { Terminal } from '#server/cli/terminal.ts'
import { LoadBusy } from '#server/jobs/load/run-load.ts'
import { beginSample, finishSample } from '#server/jobs/load/seed-sample.ts'
import { createExpander } from '#server/matching/meaning/expander.ts'
import type { Db } from '#server/platform/engine/db.ts'

/**
 * Fills an empty database with all demo data: organisations, their keywords and users, over 25,000 projects and the
 * budget of three years. Continues after an interrupted start.
 */
export async function seedWhenEmpty(db: Db, terminal: Terminal): Promise<void> {
  await beginWhenEmpty(db, terminal)
  await finishSeed(db, { onProgress: showLoadProgress(terminal) })
}

/**
 * Seeds the first part, enough for a useful report of a demo account: a tenth of the projects, those that are open or
 * recently changed.
 */
export async function beginWhenEmpty(db: Db, terminal: Terminal): Promise<void> {
  if ((await latestSampleDay(db)) !== undefined || (await isSampleRetired(db))) return
  terminal.log('First start: making the sample (organisations, accounts, the newest projects) …')
  await unlessBusy(async () => {
    // Only the built-in model, so that the demo data is the same on every machine.
    await seedSampleOrganisations(db, undefined, createExpander(undefined))
    const recent = await beginSample(db, { onProgress: showLoadProgress(terminal) })
    const today = bangkokToday(new Date())
    await seedMarks(db, today)
    // The marks were added after the loads, so send their notifications for the latest load now.
    if (recent) await db.transaction((tx) => notifyOfLoad(tx, recent.loadId, { today, at: new Date() }))
  })
}

/** Seeds the rest: older projects, data derived from all projects, and the budget. */
export async function finishSeed(
  db: Db,
  options: { readonly onProgress?: (progress: LoadProgress) => void; readonly signal?: AbortSignal },
): Promise<void> {
  if (await isSampleRetired(db)) return
  await unlessBusy(async () => {
    await finishSample(db, options)
    await seedPursuits(db)
  })
}

/** Several servers may start at once on PostgreSQL; only one of them seeds. */
async function unlessBusy(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof LoadBusy)) throw error
  }
}
