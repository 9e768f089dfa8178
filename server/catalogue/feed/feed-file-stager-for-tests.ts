import { migrateDatabase } from '#server/platform/engine/migrate-database.ts'
import { openDb } from '#server/platform/engine/open-db.ts'
import { readArguments } from '../../../test/server/worker-process.ts'
import { openFeedFile } from './open-feed-file.ts'
import { stageDataLoad } from './stage-load.ts'

// Stages a file in a new database and prints the number of rows read.

const { dataDir, file } = readArguments('dataDir', 'file')
const db = await openDb({ dataDir })
await migrateDatabase(db)
const { source, fingerprint } = await openFeedFile(file)
await stageDataLoad(db, source, { origin: file, fingerprint, onProgress: ({ read }) => console.log(read) })
console.log('done')
