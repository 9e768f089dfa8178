import { tmpdir } from 'node:os'
import type { DocumentReadResult } from '#contract/documents/document.ts'
import { unpackBundle } from '#server/documents/bundle/unpack-bundle.ts'
import type { DocumentStore } from '#server/documents/store/document-store.ts'
import { createFolderDocumentStore } from '#server/documents/store/folder-store.ts'
import { runDue } from '../../../test/jobs.ts'
import { openHangingPostgres } from '../../../test/server/hang-at-write.ts'
import { printAndHang, readArguments, stderrLog } from '../../../test/server/worker-process.ts'
import { projectMatchJob } from '../match-job.ts'
import { documentJob } from './document-job.ts'
import { documentMatchJob } from './document-match-job.ts'

// Reads waiting documents, searches and matches, until its `writes`-th write. Every document has two pages, the second
// with `word`.

const { url, at, writes, word } = readArguments('url', 'at', 'writes', 'word')
const db = await openHangingPostgres(url, Number(writes))
const reading: DocumentReadResult = {
  outcome: 'read',
  kind: 'other',
  pages: [{ text: 'ประกาศ' }, { text: `ติดตั้ง${word}` }],
  facts: [],
}
// No file exists, because nothing reads it.
const store: DocumentStore = {
  ...createFolderDocumentStore(tmpdir()),
  withFile: async (hash, work) => await work(hash),
}
const work = { db, log: stderrLog, now: new Date(at) }
const documents = { store, read: async () => reading, unpack: unpackBundle, quotaBytes: 1 }
await runDue(documentJob, { ...work, parts: { documents } })
await runDue(documentMatchJob, work)
await runDue(projectMatchJob, work)
await printAndHang('over')
