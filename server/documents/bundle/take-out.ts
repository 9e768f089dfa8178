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

/** Should what follows fail after a file was put in its place, nobody would know of it: this job looks after it in any case. */
const LOOK_AFTER_MS = 5 * 60_000
/** The names that the unpacking process gives; what a stranger's file makes it say is no path. */
const UNPACKED = /^\d{1,3}\.pdf$/

type Parts = {
  readonly store: DocumentStore
  readonly unpack: Unpack
  readonly quotaBytes: number
  readonly signal: AbortSignal
  readonly now: () => Date
  /** Holds the job inside `tx`. */
  confirm(tx: Db): Promise<void>
}

/**
 * Makes documents of what lies in a bundle, for each row that waits for it, and asks for each to be read. Killed in the middle it is done again from its beginning: a row
 * is either unpacked whole or waits. Answers why the bundle cannot be read.
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
        // It is begun again, for as long as a bucket is away: nothing may pile up.
        for (const member of taken.values()) await member.file.drop()
        throw error
      }
      leave(error.reason === 'empty' || error.reason === 'too_large' ? error.reason : 'not_a_document')
    }
  }
  // All who take several files lock them in one order.
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
    // Somebody took it away meanwhile.
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
      // Under the lock and before the row can be seen, as with every file that is added; rows of other organisations stand for the same file.
      if (!member.isKept) await file.keep()
      member.isKept = true
    }
    await tx.execute(sql`
      update documents set state = 'read', kind = 'other', left_out = ${JSON.stringify(left)}::jsonb, read_at = ${at.toISOString()}::timestamptz where id = ${id}`)
  })
}
