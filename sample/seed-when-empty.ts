import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { isDemoDataAllowed } from '#server/account/demo/is-demo-data-allowed.ts'
import { notifyUsersOfDataLoadChanges } from '#server/account/notification/create-notifications.ts'
import { readLatestDemoDay } from '#server/catalogue/feed/demo-source.ts'
import type { DataLoadProgress } from '#server/catalogue/feed/load-report.ts'
import { showDataLoadProgress } from '#server/cli/load-progress.ts'
import type { CommandLineOutput } from '#server/cli/terminal.ts'
import { DataLoadInProgressError } from '#server/jobs/load/run-load.ts'
import { createKeywordExpander } from '#server/matching/meaning/keyword-expander.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { seedBookmarksAndLabels } from './accounts/seed-bookmarks-and-labels.ts'
import { seedPursuits } from './accounts/seed-pursuits.ts'
import { seedSampleOrganisations } from './accounts/seed-sample.ts'
import { seedDemoHistory, seedRecentDemoData } from './seed-projects.ts'

/**
 * Fills an empty database with all demo data: organisations, their keywords and users, over 25,000 projects and the
 * budget of three years. Continues after an interrupted start.
 */
export async function seedDatabaseWhenEmpty(db: Db, terminal: CommandLineOutput): Promise<void> {
  await seedRecentDataWhenEmpty(db, terminal)
  await finishDatabaseSeed(db, { onProgress: showDataLoadProgress(terminal) })
}

/**
 * Seeds the first part, enough for a useful report of a demo account: a tenth of the projects, those that are open or
 * recently changed.
 */
export async function seedRecentDataWhenEmpty(db: Db, terminal: CommandLineOutput): Promise<void> {
  if ((await readLatestDemoDay(db)) !== undefined || !(await isDemoDataAllowed(db))) return
  terminal.log('First start: creating the sample data (organisations, accounts, the newest projects) …')
  await skipWhenBusy(async () => {
    // Only the built-in model expands the AI words, so that the demo data is the same on every machine.
    await seedSampleOrganisations(db, undefined, createKeywordExpander(undefined))
    const recent = await seedRecentDemoData(db, { onProgress: showDataLoadProgress(terminal) })
    const today = getBangkokToday(new Date())
    await seedBookmarksAndLabels(db, today)
    // The marks were added after the loads, so the notifications that depend on them are sent now, for the latest load.
    if (recent) await db.transaction((tx) => notifyUsersOfDataLoadChanges(tx, recent.loadId, { today, at: new Date() }))
  })
}

export async function finishDatabaseSeed(
  db: Db,
  options: { readonly onProgress?: (progress: DataLoadProgress) => void; readonly signal?: AbortSignal },
): Promise<void> {
  if (!(await isDemoDataAllowed(db))) return
  await skipWhenBusy(async () => {
    await seedDemoHistory(db, options)
    await seedPursuits(db)
  })
}

/**
 * Skips the work while another server does it: several may start at once on PostgreSQL, and only one of them may seed.
 */
async function skipWhenBusy(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof DataLoadInProgressError)) throw error
  }
}
