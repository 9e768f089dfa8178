import path from 'node:path'
import type { DocumentReadResult } from '#contract/documents/document.ts'
import { unpackBundle } from '#server/documents/bundle/unpack-bundle.ts'
import { createFolderDocumentStore } from '#server/documents/store/folder-store.ts'
import { runDue } from '../../../test/jobs.ts'
import { openHangingPostgres } from '../../../test/server/hang-at-write.ts'
import { printAndHang, readArguments, stderrLog } from '../../../test/server/worker-process.ts'
import { createTestIntakeDependencies, TestClock } from '../../../test/world/intake-world.ts'
import { intakeJob } from '../intake/intake-job.ts'
import { documentJob } from './document-job.ts'

// Fetches and reads due documents on a simulated clock until its `writes`-th write.

const { url, dataDir, at, writes } = readArguments('url', 'dataDir', 'at', 'writes')
const db = await openHangingPostgres(url, Number(writes))
const clock = new TestClock(at)
const store = createFolderDocumentStore(path.join(dataDir, 'documents'))
const reading: DocumentReadResult = { outcome: 'read', kind: 'other', pages: [{ text: 'x' }], facts: [] }
const parts = {
  intake: createTestIntakeDependencies(clock, { dataDir, store }),
  documents: { store, read: async () => reading, unpack: unpackBundle, quotaBytes: 50_000_000 },
}
for (let turn = 0; turn < 3; turn += 1) {
  await runDue(intakeJob, { db, parts, log: stderrLog, now: clock.now })
  await runDue(documentJob, { db, parts, log: stderrLog, now: clock.now })
  clock.pass(11 * 60_000)
}
await printAndHang('over')
