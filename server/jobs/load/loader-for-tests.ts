import { openFeedFile } from '#server/catalogue/feed/open-feed-file.ts'
import { openDb } from '#server/platform/engine/open-db.ts'
import { readArguments } from '../../../test/server/worker-process.ts'
import { runDataLoad, withDataLoadLease } from './run-load.ts'

// Loads a file into a folder and prints its progress.

const { dataDir, file, today } = readArguments('dataDir', 'file', 'today')
const db = await openDb({ dataDir })
const { source, fingerprint } = await openFeedFile(file)
await withDataLoadLease(db, (lease) =>
  runDataLoad(db, lease, source, {
    origin: file,
    fingerprint,
    today,
    onProgress: ({ phase, done }) => console.log(phase, done),
  }),
)
console.log('done')
