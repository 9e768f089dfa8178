import { formatBangkokTime } from '#contract/thai/thai-date.ts'
import { areCompanyFactsCurrent } from '#server/market/company/update-company-facts.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { runPeriodically, type StoppableTask } from '#server/platform/queue/run-periodically.ts'
import { areProjectTraitsComplete } from '#server/report/project/write-project-traits.ts'
import { deriveProjectData } from './derive-project-data.ts'
import { type NextDemoDataLoadStep, runDueNightlyLoad } from './nightly-load.ts'
import { DataLoadInProgressError, withDataLoadLease } from './run-load.ts'

const DUE_FROM = '01:00'
const POLL_INTERVAL_MS = 30_000

type Log = { info(fields: object, text: string): void; error(fields: object, text: string): void }

/**
 * Runs the nightly load once a day from 01:00 in Bangkok. Polls the clock every half minute instead of sleeping, so a
 * corrected clock or a suspended machine causes no delay; a server that was off at 01:00 catches up when it starts. The
 * run is recorded in the database, so only one of several processes does it.
 */
export function scheduleNightlyLoad(db: Db, log: Log, nextDemoStep: NextDemoDataLoadStep): StoppableTask {
  const now = () => new Date()
  // True once data missed by an older release or an interrupted derivation (traits, company figures) is computed.
  let isCaughtUp = false
  return runPeriodically({
    everyMs: POLL_INTERVAL_MS,
    async work(signal) {
      if (!isCaughtUp) isCaughtUp = await catchUp(db)
      if (formatBangkokTime(now()).slice(-5) < DUE_FROM) return
      try {
        const report = await runDueNightlyLoad(db, { now, signal, nextDemoStep })
        if (report !== undefined) log.info({ load: report }, 'nightly load published')
      } catch (error) {
        if (!(error instanceof DataLoadInProgressError)) throw error
      }
    },
    onFailure: (error) => log.error({ err: error }, 'nightly load failed'),
  })
}

async function catchUp(db: Db): Promise<boolean> {
  if ((await areProjectTraitsComplete(db)) && (await areCompanyFactsCurrent(db))) return true
  try {
    await withDataLoadLease(db, async () => {
      await deriveProjectData(db, { changedCount: 0 })
    })
    return true
  } catch (error) {
    if (error instanceof DataLoadInProgressError) return false
    throw error
  }
}
