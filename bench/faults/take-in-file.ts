import type { DataLoadProgress } from '#server/catalogue/feed/load-report.ts'
import { openFeedFile } from '#server/catalogue/feed/open-feed-file.ts'
import { runDataLoad, withDataLoadLease } from '#server/jobs/load/run-load.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { lowerProcessPriority } from '#server/start/lower-process-priority.ts'

/**
 * Imports a whole file in a separate process, as `npm run import` does without demo data, and sends its parent a
 * message when a phase begins: `node bench/faults/take-in-file.ts URL FILE`.
 */
const [url, file] = process.argv.slice(2) as [string, string]
lowerProcessPriority()
const db = createDb(await openPostgres(url))
const { source, fingerprint } = await openFeedFile(file)
let phase = ''
const onProgress = (progress: DataLoadProgress) => {
  if (progress.phase !== phase) process.send?.({ phase: progress.phase, at: Date.now() })
  phase = progress.phase
}
const report = await withDataLoadLease(db, (lease) =>
  runDataLoad(db, lease, source, { origin: file, fingerprint, onProgress }),
)
console.log(`${report.read} rows imported in ${report.seconds.toFixed(1)} s`)
await db.close()
process.disconnect?.()
