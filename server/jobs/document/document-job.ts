import sql from 'sql-template-tag'
import {
  type DocumentFact,
  type DocumentReading,
  isWorthAnotherTry,
  type UnreadableReason,
} from '#contract/documents/document.ts'
import { passagesQuestion, phrasesIn } from '#contract/documents/document-words.ts'
import { acceptedNode } from '#contract/report/report-filter.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { bangkokToday } from '#contract/thai/thai-date.ts'
import { notifyDocumentCompared, notifyDocumentFound } from '#server/account/notification/create-notifications.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import { expireVersions, isEvidence } from '#server/catalogue/intake/links.ts'
import { takeOut, type Unpack } from '#server/documents/bundle/take-out.ts'
import { findChanges } from '#server/documents/comparison/compare-documents.ts'
import { storeFetchedFacts } from '#server/documents/fact-gate.ts'
import { mismatchWith, PROJECT_IDENTITY, type StoredIdentity } from '#server/documents/mismatched.ts'
import { askForTracked } from '#server/documents/picture/picture-job.ts'
import {
  COMPARE_JOB,
  DOCUMENT_JOB,
  type DocumentOfFile,
  documentsOfFile,
  FOUND_JOB,
  lockFile,
  saveReading,
} from '#server/documents/queries.ts'
import { expireDocuments } from '#server/documents/retention.ts'
import { type DocumentStore, DocumentStoreAway } from '#server/documents/store/document-store.ts'
import { expirePublicText, storePublicText } from '#server/matching/documents/public-pages.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { enqueueAll } from '#server/platform/queue/enqueue.ts'
import { defineJob, JobFailure, JobPostponed } from '#server/platform/queue/job.ts'
import { secondsSpent } from '#server/platform/queue/queries.ts'
import { findPassing } from '#server/report/find-passing.ts'
import { searchOfStored } from '#server/report/saved-filter-counts.ts'
import { previousVisit } from '#server/report/visit-queries.ts'
import { collectFiles, isOfNote } from '#server/team/pursuit/note-file-queries.ts'

export type DocumentParts = {
  readonly documents: {
    readonly store: DocumentStore
    /** Runs in a child process. */
    readonly read: (file: string, options: { readonly signal: AbortSignal }) => Promise<DocumentReading>
    /** Runs in a child process. */
    readonly unpack: Unpack
    /** Per organisation. */
    readonly quotaBytes: number
    readonly readsPictures?: boolean
  }
}

/** A picture has no text layer, so its reading is an empty scan. */
const PICTURE: DocumentReading = { outcome: 'scan', kind: 'other', pages: [{ text: '' }], facts: [] }
/** One crash of the child process may be due to a busy machine, so a file gets a second attempt. */
const READINGS = 2
const HOUR_MS = 60 * 60_000
/**
 * A third of the reader's time. An ordinary document takes a second, so an organisation may add a thousand in an hour.
 */
export const BUDGET_SECONDS_AN_HOUR = 1_200
const POSTPONED_MS = 5 * 60_000

/**
 * Deletes a file that no row references any more, or reads it when a row waits for its text. If the worker dies, the
 * row keeps waiting and the next worker reads the file from the start.
 */
export const documentJob = defineJob<{ hash: string }, DocumentParts>({
  ...DOCUMENT_JOB,
  // One child process at a time: each may need hundreds of megabytes.
  concurrency: 1,
  servesByOrganisation: true,
  maxAttempts: 8,
  backoff: { firstMs: 1_000, longestMs: 5 * 60_000 },
  async run({ db, parts: { documents }, organisationId, attempt, now, signal, confirm, finish }, { hash }) {
    const rows = await documentsOfFile(db, hash)
    if (rows.length === 0) {
      await db.transaction(async (tx) => {
        await confirm(tx)
        await removeIfNobodys(tx, documents.store, hash)
      })
      return { did: 'removed' }
    }
    const waiting = rows.filter(({ state }) => state === 'waiting')
    const [first] = waiting
    if (first === undefined) return { did: 'nothing' }
    if (organisationId !== undefined) await postponeOverBudget(db, organisationId, now())
    if (first.type === 'zip') {
      const reason = await takeOut(db, { hash, rows: waiting }, { ...documents, signal, now, confirm })
      if (reason && isWorthAnotherTry(reason) && attempt < READINGS) throw new JobFailure(reason)
      await db.transaction(async (tx) => {
        if (reason) await saveUnreadable(tx, waiting, reason, now())
        await finish(tx)
      })
      return { did: reason ?? 'unpacked' }
    }
    const isPicture = first.type === 'jpeg' || first.type === 'png'
    const reading = isPicture
      ? PICTURE
      : await documents.store.withFile(hash, (file) => documents.read(file, { signal }))
    if (reading.reason && isWorthAnotherTry(reading.reason) && attempt < READINGS) throw new JobFailure(reading.reason)
    await db.transaction(async (tx) => {
      for (const row of waiting) await saveReading(tx, row, reading, now())
      await storeFetchedFacts(tx, hash, reading, now())
      await storePublicText(tx, hash, reading, now())
      if (documents.readsPictures) await askForTracked(tx, now(), hash)
      await finish(tx)
    })
    return { did: reading.outcome, pages: reading.pages.length }
  },
  async prune(db, now, { documents }) {
    await collectFiles(db, now)
    await expireDocuments(db, now)
    await expirePublicText(db, now)
    for (let went = 1; went > 0; ) went = await db.transaction((tx) => expireEvidence(tx, now))
    // Runs last, so that an unavailable bucket delays nothing else; retried in an hour.
    await removeStrangers(db, documents.store, new Date(now.getTime() - STRANGE_AFTER_MS)).catch((error: unknown) => {
      if (!(error instanceof DocumentStoreAway)) throw error
    })
  },
  async died(tx, { hash }, at) {
    // Rows must not wait forever: users see that reading failed.
    const rows = await documentsOfFile(tx, hash)
    await saveUnreadable(
      tx,
      rows.filter(({ state }) => state === 'waiting'),
      'crashed',
      at,
    )
  },
})

async function postponeOverBudget(db: Db, organisationId: number, now: Date): Promise<void> {
  const hourAgo = new Date(now.getTime() - HOUR_MS)
  if ((await secondsSpent(db, DOCUMENT_JOB, organisationId, hourAgo)) < BUDGET_SECONDS_AN_HOUR) return
  throw new JobPostponed(new Date(now.getTime() + POSTPONED_MS))
}

/** Removes a file that no organisation references. Runs under the lock that adding a reference also takes. */
async function removeIfNobodys(tx: Db, store: DocumentStore, hash: string): Promise<void> {
  await lockFile(tx, hash)
  const isNamed =
    (await documentsOfFile(tx, hash)).length > 0 || (await isOfNote(tx, hash)) || (await isEvidence(tx, hash))
  if (!isNamed) await store.remove(hash)
}

/** Incoming files are referenced by a row within minutes. */
const STRANGE_AFTER_MS = 60 * 60_000

/** Removes unreferenced files that no job covers: files of deleted organisations, and leftovers of killed processes. */
async function removeStrangers(db: Db, store: DocumentStore, before: Date): Promise<void> {
  for await (const hashes of store.list(before)) {
    const strangers = await db.query<{ hash: string }>(sql`
      select h.hash from unnest(${[...hashes]}::text[]) h (hash)
      where not exists (select from documents d where d.hash = h.hash) and not exists (select from note_files f where f.hash = h.hash)
        and not exists (select from intake_versions v where v.hash = h.hash) and not exists (select from fetched_facts t where t.hash = h.hash)`)
    for (const { hash } of strangers) await db.transaction((tx) => removeIfNobodys(tx, store, hash))
  }
}

async function saveUnreadable(tx: Db, rows: readonly DocumentOfFile[], reason: UnreadableReason, at: Date) {
  const failed: DocumentReading = { outcome: 'unreadable', reason, kind: 'other', pages: [], facts: [] }
  for (const row of rows) await saveReading(tx, row, failed, at)
}

/** Expires operators' copies of fetched files; each file's job deletes it once no organisation references it either. */
async function expireEvidence(tx: Db, at: Date): Promise<number> {
  const { hashes, days } = await expireVersions(tx, at)
  if (hashes.length === 0) return 0
  await enqueueAll(
    tx,
    DOCUMENT_JOB,
    hashes.map((hash) => ({ key: hash, payload: { hash }, at })),
  )
  await recordAuditEvent(tx, {
    kind: 'documents_expired',
    at,
    address: 'document job',
    requestId: '-',
    detail: { fetched_files: hashes.length, kept_days: days },
  })
  return hashes.length
}

/**
 * Runs after each reading: compares the document with its predecessor in the project and notifies users of the
 * organisation who starred the project of the number of changed clauses. Enqueued in the transaction of the reading; a
 * rerun notifies no user twice.
 */
export const documentCompareJob = defineJob<{ id: string }>({
  ...COMPARE_JOB,
  concurrency: 1,
  servesByOrganisation: true,
  maxAttempts: 5,
  backoff: { firstMs: 1_000, longestMs: 5 * 60_000 },
  async run({ db, organisationId, now, finish }, { id }) {
    const found = organisationId === undefined ? undefined : await findChanges(db, { id, organisationId })
    return await db.transaction(async (tx) => {
      const told = found ? await notifyDocumentCompared(tx, { ...found, at: now() }) : 0
      await finish(tx)
      return { changes: found?.changes ?? 0, told }
    })
  },
})

type Watching = { readonly userId: number; readonly filterId: string; readonly search: ReportSearch }

/**
 * Runs after each reading: notifies users with a mailed saved filter that searches documents, when the project passes
 * the filter and this document contains one of its words. Enqueued in the transaction of the reading; a rerun notifies
 * no user twice.
 */
export const documentFoundJob = defineJob<{ id: string }>({
  ...FOUND_JOB,
  concurrency: 1,
  servesByOrganisation: true,
  maxAttempts: 5,
  backoff: { firstMs: 1_000, longestMs: 5 * 60_000 },
  async run({ db, organisationId, now, finish }, { id }) {
    const found = organisationId === undefined ? [] : await whoFinds(db, { id, organisationId }, now())
    return await db.transaction(async (tx) => {
      let told = 0
      for (const one of found) if (await notifyDocumentFound(tx, { ...one, at: now() })) told += 1
      await finish(tx)
      return { told }
    })
  },
})

async function whoFinds(
  db: Db,
  { id, organisationId }: { readonly id: string; readonly organisationId: number },
  now: Date,
): Promise<{ userId: number; filterId: string; projectId: string }[]> {
  const [document] = await db.query<{ projectId: string; facts: DocumentFact[]; identity: StoredIdentity }>(sql`
    select d.project_id as "projectId", d.facts, ${PROJECT_IDENTITY} as identity from documents d
    where d.id = ${id} and d.organisation_id = ${organisationId}::int`)
  if (!document || mismatchWith(document.facts, document.identity)) return []
  const { projectId } = document
  const found: { userId: number; filterId: string; projectId: string }[] = []
  for (const [userId, own] of Map.groupBy(await loadWatching(db, organisationId), (one) => one.userId)) {
    const held = await ofDocument(db, id, own)
    if (held.length === 0) continue
    const scope = { organisationId, userId, today: bangkokToday(now), visit: await previousVisit(db, userId, now) }
    const passing = await findPassing(
      db,
      held.map(({ search }) => search),
      scope,
      [projectId],
    )
    for (const [i, { filterId }] of held.entries())
      if (passing[i]!.length > 0) found.push({ userId, filterId, projectId })
  }
  return found
}

async function loadWatching(db: Db, organisationId: number): Promise<Watching[]> {
  const rows = await db.query<{ userId: number; filterId: string; data: unknown }>(sql`
    select f.user_id as "userId", f.id as "filterId", f.filter_data as data
    from saved_filters f join users u on u.id = f.user_id
    where u.organisation_id = ${organisationId}::int and f.is_send and f.filter_data -> 'search' @> '[{"key": "document_text__in"}]'
    order by f.user_id, f.id`)
  return rows.flatMap(({ data, ...one }) => {
    const search = searchOfStored(data)
    return search?.document_text__in === undefined ? [] : [{ ...one, search }]
  })
}

/**
 * Returns the filters for which this document contains a searched word; matches in the project's other documents are
 * not new.
 */
async function ofDocument(db: Db, id: string, watching: readonly Watching[]): Promise<Watching[]> {
  const held: Watching[] = []
  for (const one of watching) {
    const wanted = passagesQuestion(one.search.document_text__in!)
    if (wanted === undefined) continue
    const rows = await db.query(sql`
      select from document_pages p
      where p.document_id = ${id} and exists (
        select from unnest(${phrasesIn(acceptedNode(wanted))}::text[]) w (phrase) where position(w.phrase in p.folded) > 0)
      limit 1`)
    if (rows.length > 0) held.push(one)
  }
  return held
}
