import type { Db } from '#server/db/db.ts'
import { isExportDue, pruneExports } from '#server/features/report-export/queries-worker.ts'
import { type ExportLog, exportWaiting } from './export-waiting.ts'
import { repeatWork, type Schedule } from './repeat-work.ts'

/** Somebody waits for the file: a look at an empty queue costs one indexed query. */
const LOOK_EVERY_MS = 500
const PRUNE_EVERY_MS = 60 * 60 * 1000
/** A file of 100,000 projects must not hold up another's fifty. */
const WORKERS = 2

/** Makes exports as people ask for them, until it is stopped; what is under way is begun again at the next start. */
export function scheduleExports(db: Db, log: ExportLog, now: () => Date = () => new Date()): Schedule {
  const failed = (error: unknown) => log.error({ err: error }, 'reports are not exported')
  const make = async (signal: AbortSignal) => {
    if (await isExportDue(db, now())) await exportWaiting({ db, log, now, signal })
  }
  const parts = [
    ...Array.from({ length: WORKERS }, () => repeatWork({ everyMs: LOOK_EVERY_MS, work: make, failed })),
    repeatWork({ everyMs: PRUNE_EVERY_MS, work: () => pruneExports(db, now()), failed }),
  ]
  return {
    async stop() {
      await Promise.all(parts.map((part) => part.stop()))
    },
  }
}
