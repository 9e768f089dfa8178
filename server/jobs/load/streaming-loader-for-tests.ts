import { openFeedFile } from '#server/catalogue/feed/open-feed-file.ts'
import { openHangingPostgres } from '../../../test/server/hang-at-write.ts'
import { readArguments } from '../../../test/server/worker-process.ts'
import { runDataLoad, withDataLoadLease } from './run-load.ts'

// Publishes a file while it is read, and hangs after the first statement that matches `moment`.

const { url, file, today, moment } = readArguments('url', 'file', 'today', 'moment')
const db = await openHangingPostgres(url, 1, new RegExp(moment))
const { source, fingerprint } = await openFeedFile(file)
await withDataLoadLease(db, (lease) =>
  runDataLoad(db, lease, source, { origin: file, fingerprint, today, stagedFirst: 1 }),
)
throw new Error('it came to its end')
