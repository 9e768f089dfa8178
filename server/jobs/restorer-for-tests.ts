import { openDb } from '#server/platform/engine/open-db.ts'
import { readArguments } from '../../test/server/worker-process.ts'
import { restoreDatabaseFromFile } from './backup-file.ts'

// Restores a backup over a folder, and prints `half` when half of it is done.

const { dataDir, file } = readArguments('dataDir', 'file')
const db = await openDb({ dataDir })
await restoreDatabaseFromFile(db, file, {
  replace: true,
  onProgress: ({ done, total }) => console.log(done > total / 2 ? 'half' : 'begun'),
})
