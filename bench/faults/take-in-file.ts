import type { LoadProgress } from '#server/catalogue/feed/load-report.ts'
import { openFeedFile } from '#server/catalogue/feed/open-feed-file.ts'
import { asOnlyLoader, runLoad } from '#server/jobs/load/run-load.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { giveWay } from '#server/start/give-way.ts'

/** Takes a whole file in, in a process of its own, as `npm run import` does where there is no sample, and tells its parent when a phase begins: `node bench/faults/take-in-file.ts URL FILE`. */
const [url, file] = process.argv.slice(2) as [string, string]
giveWay()
const db = createDb(await openPostgres(url))
const { source, fingerprint } = await openFeedFile(file)
let phase = ''
const onProgress = (progress: LoadProgress) => {
  if (progress.phase !== phase) process.send?.({ phase: progress.phase, at: Date.now() })
  phase = progress.phase
}
const report = await asOnlyLoader(db, (lease) => runLoad(db, lease, source, { origin: file, fingerprint, onProgress }))
console.log(`${report.read} rows taken in within ${report.seconds.toFixed(1)} s`)
await db.close()
process.disconnect?.()
