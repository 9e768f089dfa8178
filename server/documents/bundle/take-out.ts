import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sql from 'sql-template-tag'
import type { BundleReading, UnreadableReason } from '#contract/documents/document.ts'
import type { LeftOutReason } from '#contract/documents/project-document.ts'
import { DOCUMENT_JOB, type DocumentOfFile, hasRoom, lockFile } from '#server/documents/queries.ts'
import { type ArrivedFile, DocumentRefused, type DocumentStore } from '#server/documents/store/document-store.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { enqueue } from '#server/platform/queue/enqueue.ts'

export type Unpack = (file: string, folder: string, options: { readonly signal: AbortSignal }) => Promise<BundleReading>

type LeftOut = { readonly name: string; readonly reason: LeftOutReason }
type Member = { readonly name: string; readonly file: ArrivedFile; isKept: boolean }
type Taken = { readonly members: readonly Member[]; readonly leftOut: readonly LeftOut[] }

/**
 * Delay of a cleanup job that is queued up front: if a later step fails, the stored file would otherwise be orphaned.
 */
const LOOK_AFTER_MS = 5 * 60_000
/** Names written by the unpacking process. Checked, because a hostile file could make that process return a path. */
const UNPACKED = /^\d{1,3}\.pdf$/

type Parts = {
  readonly store: DocumentStore
  readonly unpack: Unpack
  readonly quotaBytes: number
  readonly signal: AbortSignal
  readonly now: () => Date
  /** Renews the job lease inside `tx`; rejects if the lease was lost. */
  confirm(tx: Db): Promise<void>
}

/**
 * Creates documents from the members of a bundle for every row waiting for it, and queues each for reading.
 * Restart-safe: a row is either fully unpacked or still waiting. Returns why the bundle cannot be read.
 */
export async function takeOut(
  db: Db,
  { hash, rows }: { readonly hash: string; readonly rows: readonly DocumentOfFile[] },
  parts: Parts,
): Promise<UnreadableReason | undefined> {
  const { store, unpack, signal } = parts
  const folder = await mkdtemp(path.join(tmpdir(), 'tamngan-bundle-'))
  const arrived: ArrivedFile[] = []
  try {
    const reading = await store.withFile(hash, (file) => unpack(file, folder, { signal }))
    if (reading.reason) return reading.reason
    const taken = await receiveMembers(reading, folder, store)
    arrived.push(...taken.members.map(({ file }) => file))
    if (taken.members.length === 0) return 'no-documents'
    for (const row of rows) await addMembers(db, row, taken, parts)
    return undefined
  } finally {
    for (const file of arrived) await file.drop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function receiveMembers({ members }: BundleReading, folder: string, store: DocumentStore): Promise<Taken> {
  const taken = new Map<string, Member>()
  const leftOut: LeftOut[] = []
  for (const { name, role, file } of members) {
    const leave = (reason: LeftOutReason) => leftOut.push({ name, reason })
    if (file === undefined || !UNPACKED.test(file)) {
      leave(role === 'template' ? 'template' : 'not_a_document')
      continue
    }
    try {
      const arrived = await store.receive(createReadStream(path.join(folder, file)))
      const isPdf = arrived.type === 'pdf'
      if (isPdf && !taken.has(arrived.hash)) taken.set(arrived.hash, { name, file: arrived, isKept: false })
      else {
        await arrived.drop()
        leave(isPdf ? 'same' : 'not_a_document')
      }
    } catch (error) {
      if (!(error instanceof DocumentRefused)) {
        // The job is retried for as long as the bucket is unavailable, so temporary files must not pile up.
        for (const member of taken.values()) await member.file.drop()
        throw error
      }
      leave(error.reason === 'empty' || error.reason === 'too_large' ? error.reason : 'not_a_document')
    }
  }
  // Lock in hash order, like every other caller that locks several files, to avoid deadlocks.
  return { members: [...taken.values()].toSorted((a, b) => (a.file.hash < b.file.hash ? -1 : 1)), leftOut }
}

async function addMembers(
  db: Db,
  { id, organisationId }: DocumentOfFile,
  { members, leftOut }: Taken,
  { quotaBytes, now, confirm }: Parts,
): Promise<void> {
  const at = now()
  const runAt = new Date(at.getTime() + LOOK_AFTER_MS)
  for (const { file } of members)
    await enqueue(db, DOCUMENT_JOB, { key: file.hash, dedupeKey: file.hash, payload: { hash: file.hash }, at, runAt })
  await db.transaction(async (tx) => {
    await confirm(tx)
    const left = [...leftOut]
    const [bundle] = await tx.query<{ isFetched: boolean }>(
      sql`select link is not null as "isFetched" from documents where id = ${id} and state = 'waiting'`,
    )
    // Deleted by a user meanwhile.
    if (!bundle) return
    for (const member of members) {
      const { name, file } = member
      const { hash, bytes } = file
      if (!bundle.isFetched && !(await hasRoom(tx, organisationId, { bytes, quotaBytes }))) {
        left.push({ name, reason: 'no_room' })
        continue
      }
      await lockFile(tx, hash)
      const added = await tx.execute(sql`
        insert into documents (id, organisation_id, project_id, user_id, hash, type, name, bytes, added_at, bundle_id, link, fetched_at)
        select ${randomUUID()}, b.organisation_id, b.project_id, b.user_id, ${hash}, 'pdf', ${name}, ${bytes}::bigint, b.added_at, b.id, b.link, b.fetched_at
        from documents b where b.id = ${id}
        on conflict (organisation_id, project_id, hash) do nothing`)
      if (added === 0) {
        left.push({ name, reason: 'same' })
        continue
      }
      await enqueue(tx, DOCUMENT_JOB, { key: hash, payload: { hash }, organisationId, at })
      // Store the file under the lock and before the row becomes visible, as for every added file; other
      // organisations' rows may reference it.
      if (!member.isKept) await file.keep()
      member.isKept = true
    }
    await tx.execute(sql`
      update documents set state = 'read', kind = 'other', left_out = ${JSON.stringify(left)}::jsonb, read_at = ${at.toISOString()}::timestamptz where id = ${id}`)
  })
}
