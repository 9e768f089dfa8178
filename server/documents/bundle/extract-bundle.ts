import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sql from 'sql-template-tag'
import type { BundleUnpackResult, UnreadableDocumentReason } from '#contract/documents/document.ts'
import type { OmittedBundleFileReason } from '#contract/documents/project-document.ts'
import {
  DOCUMENT_JOB_TYPE,
  type DocumentSharingFile,
  fitsDocumentStorageQuota,
  lockDocumentFile,
} from '#server/documents/queries.ts'
import { DocumentRejectedError, type DocumentStore, type IncomingFile } from '#server/documents/store/document-store.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { enqueueSingleJob } from '#server/platform/queue/enqueue-jobs.ts'

export type BundleUnpacker = (
  file: string,
  folder: string,
  options: { readonly signal: AbortSignal },
) => Promise<BundleUnpackResult>

type LeftOut = { readonly name: string; readonly reason: OmittedBundleFileReason }
type Member = { readonly name: string; readonly file: IncomingFile; isStored: boolean }
type ExtractedMembers = { readonly members: readonly Member[]; readonly leftOut: readonly LeftOut[] }

/**
 * Delay of the cleanup job that is queued up front, so that a failure in a later step does not orphan the stored file.
 */
const CLEANUP_DELAY_MS = 5 * 60_000
/**
 * Pattern of file names that the unpacking process writes. We check them because a hostile file could make that process
 * return a path.
 */
const UNPACKED_NAME = /^\d{1,3}\.pdf$/

type ExtractOptions = {
  readonly store: DocumentStore
  readonly unpack: BundleUnpacker
  readonly quotaBytes: number
  readonly signal: AbortSignal
  readonly now: () => Date
  confirm(tx: Db): Promise<void>
}

/**
 * Creates documents from the members of a bundle for every row waiting for it, and queues each for reading. Safe to
 * restart: a row is either fully unpacked or still waiting. Returns the reason if the bundle cannot be read.
 */
export async function createDocumentsFromBundle(
  db: Db,
  { hash, rows }: { readonly hash: string; readonly rows: readonly DocumentSharingFile[] },
  options: ExtractOptions,
): Promise<UnreadableDocumentReason | undefined> {
  const { store, unpack, signal } = options
  const folder = await mkdtemp(path.join(tmpdir(), 'tamngan-bundle-'))
  const arrived: IncomingFile[] = []
  try {
    const reading = await store.withFile(hash, (file) => unpack(file, folder, { signal }))
    if (reading.reason) return reading.reason
    const extracted = await receiveMembers(reading, folder, store)
    arrived.push(...extracted.members.map(({ file }) => file))
    if (extracted.members.length === 0) return 'no-documents'
    for (const row of rows) await addMembers(db, row, extracted, options)
    return undefined
  } finally {
    for (const file of arrived) await file.drop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function receiveMembers(
  { members }: BundleUnpackResult,
  folder: string,
  store: DocumentStore,
): Promise<ExtractedMembers> {
  const membersByHash = new Map<string, Member>()
  const leftOut: LeftOut[] = []
  for (const { name, role, file } of members) {
    const skip = (reason: OmittedBundleFileReason) => leftOut.push({ name, reason })
    if (file === undefined || !UNPACKED_NAME.test(file)) {
      skip(role === 'template' ? 'template' : 'not_a_document')
      continue
    }
    try {
      const arrived = await store.receive(createReadStream(path.join(folder, file)))
      const isPdf = arrived.type === 'pdf'
      if (isPdf && !membersByHash.has(arrived.hash))
        membersByHash.set(arrived.hash, { name, file: arrived, isStored: false })
      else {
        await arrived.drop()
        skip(isPdf ? 'same' : 'not_a_document')
      }
    } catch (error) {
      if (!(error instanceof DocumentRejectedError)) {
        // The job is retried for as long as the bucket is unavailable, so delete the temporary files.
        for (const member of membersByHash.values()) await member.file.drop()
        throw error
      }
      skip(error.reason === 'empty' || error.reason === 'too_large' ? error.reason : 'not_a_document')
    }
  }
  // Lock in hash order, like every other caller that locks several files, to avoid deadlocks.
  return { members: [...membersByHash.values()].toSorted((a, b) => (a.file.hash < b.file.hash ? -1 : 1)), leftOut }
}

async function addMembers(
  db: Db,
  { id, organisationId }: DocumentSharingFile,
  { members, leftOut }: ExtractedMembers,
  { quotaBytes, now, confirm }: ExtractOptions,
): Promise<void> {
  const at = now()
  const runAt = new Date(at.getTime() + CLEANUP_DELAY_MS)
  for (const { file } of members)
    await enqueueSingleJob(db, DOCUMENT_JOB_TYPE, {
      key: file.hash,
      dedupeKey: file.hash,
      payload: { hash: file.hash },
      at,
      runAt,
    })
  await db.transaction(async (tx) => {
    await confirm(tx)
    const skipped = [...leftOut]
    const [bundle] = await tx.query<{ isFetched: boolean }>(
      sql`select link is not null as "isFetched" from documents where id = ${id} and state = 'waiting'`,
    )
    if (!bundle) return
    for (const member of members) {
      const { name, file } = member
      const { hash, bytes } = file
      if (!bundle.isFetched && !(await fitsDocumentStorageQuota(tx, organisationId, { bytes, quotaBytes }))) {
        skipped.push({ name, reason: 'no_room' })
        continue
      }
      await lockDocumentFile(tx, hash)
      const added = await tx.execute(sql`
        insert into documents (id, organisation_id, project_id, user_id, hash, type, name, bytes, added_at, bundle_id, link, fetched_at)
        select ${randomUUID()}, b.organisation_id, b.project_id, b.user_id, ${hash}, 'pdf', ${name}, ${bytes}::bigint, b.added_at, b.id, b.link, b.fetched_at
        from documents b where b.id = ${id}
        on conflict (organisation_id, project_id, hash) do nothing`)
      if (added === 0) {
        skipped.push({ name, reason: 'same' })
        continue
      }
      await enqueueSingleJob(tx, DOCUMENT_JOB_TYPE, { key: hash, payload: { hash }, organisationId, at })
      // Store the file under the lock, before the row is visible: other organisations' rows may reference it.
      if (!member.isStored) await file.persist()
      member.isStored = true
    }
    await tx.execute(sql`
      update documents set state = 'read', kind = 'other', left_out = ${JSON.stringify(skipped)}::jsonb, read_at = ${at.toISOString()}::timestamptz where id = ${id}`)
  })
}
