import sql from 'sql-template-tag'
import {
  type DocumentFact,
  type DocumentReadResult,
  isRetryableUnreadableDocumentReason,
  type UnreadableDocumentReason,
} from '#contract/documents/document.ts'
import { buildPassageSearchQuery, getFoldedPhrases } from '#contract/documents/document-search-expression.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { parseSearchExpressionOrThrow } from '#contract/search/search-grammar.ts'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import {
  notifyDocumentComparisonReady,
  notifySavedFilterDocumentMatch,
} from '#server/account/notification/create-notifications.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import { deleteExpiredDocumentVersions, isFileKeptAsEvidence } from '#server/catalogue/intake/document-links.ts'
import { type BundleUnpacker, createDocumentsFromBundle } from '#server/documents/bundle/extract-bundle.ts'
import { findDocumentChanges } from '#server/documents/comparison/compare-documents.ts'
import { storeFetchedDocumentFacts } from '#server/documents/fact-checks.ts'
import {
  findDocumentIdentityMismatch,
  PROJECT_IDENTITY_SQL,
  type StoredDocumentIdentity,
} from '#server/documents/find-mismatched-documents.ts'
import { requestImageOcrForTrackedProjects } from '#server/documents/picture/image-ocr-job.ts'
import {
  DOCUMENT_COMPARISON_JOB_TYPE,
  DOCUMENT_JOB_TYPE,
  type DocumentSharingFile,
  findDocumentsByFileHash,
  lockDocumentFile,
  SAVED_FILTER_MATCH_JOB_TYPE,
  saveDocumentReadResult,
} from '#server/documents/queries.ts'
import { deleteExpiredDocuments } from '#server/documents/retention.ts'
import { type DocumentStore, DocumentStoreUnavailableError } from '#server/documents/store/document-store.ts'
import { deleteExpiredDocumentText, storePublicDocumentText } from '#server/matching/documents/public-document-text.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { enqueueJobs } from '#server/platform/queue/enqueue-jobs.ts'
import { defineJob, JobFailedError, JobPostponedError } from '#server/platform/queue/job.ts'
import { loadRecentJobDurations } from '#server/platform/queue/queries.ts'
import { createReportEngine } from '#server/report/report-engine.ts'
import { findProjectsPassingSearches } from '#server/report/report-lists.ts'
import { parseStoredFilterSearch } from '#server/report/saved-filter/saved-filter-figures.ts'
import { findPreviousReportVisit } from '#server/report/visit-queries.ts'
import { deleteExpiredNoteFiles, isFileAttachedToNote } from '#server/team/pursuit/note-file-queries.ts'

export type DocumentJobDependencies = {
  readonly documents: {
    readonly store: DocumentStore
    readonly read: (file: string, options: { readonly signal: AbortSignal }) => Promise<DocumentReadResult>
    readonly unpack: BundleUnpacker
    readonly quotaBytes: number
    readonly readsPictures?: boolean
  }
}

/** A photo has no text layer, so its result is an empty scan, which OCR then fills. */
const PICTURE_READING: DocumentReadResult = { outcome: 'scan', kind: 'other', pages: [{ text: '' }], facts: [] }
/** One crash of the child process may be due to a busy machine, so a file gets a second attempt. */
const MAX_READ_ATTEMPTS = 2
const HOUR_MS = 60 * 60_000
/**
 * Reading time per organisation and hour, a third of the reader's time. An ordinary document takes a second, so an
 * organisation may add a thousand in an hour.
 */
export const HOURLY_DOCUMENT_READING_BUDGET_SECONDS = 1_200
const OVER_BUDGET_DELAY_MS = 5 * 60_000

/**
 * Deletes a file that no row references any more, or reads it when a row waits for its text. If the worker dies, the
 * row keeps waiting and the next worker reads the file from the start.
 */
export const documentJob = defineJob<{ hash: string }, DocumentJobDependencies>({
  ...DOCUMENT_JOB_TYPE,
  // Run one child process at a time, because each may need hundreds of megabytes.
  concurrency: 1,
  servesByOrganisation: true,
  maxAttempts: 8,
  backoff: { firstMs: 1_000, maxMs: 5 * 60_000 },
  async run({ db, parts: { documents }, organisationId, attempt, now, signal, confirm, finish }, { hash }) {
    const rows = await findDocumentsByFileHash(db, hash)
    if (rows.length === 0) {
      await db.transaction(async (tx) => {
        await confirm(tx)
        await removeIfUnreferenced(tx, documents.store, hash)
      })
      return { did: 'removed' }
    }
    const waiting = rows.filter(({ state }) => state === 'waiting')
    const [first] = waiting
    if (first === undefined) return { did: 'nothing' }
    if (organisationId !== undefined) await postponeIfOverBudget(db, organisationId, now())
    if (first.type === 'zip') {
      const reason = await createDocumentsFromBundle(
        db,
        { hash, rows: waiting },
        { ...documents, signal, now, confirm },
      )
      if (reason && isRetryableUnreadableDocumentReason(reason) && attempt < MAX_READ_ATTEMPTS)
        throw new JobFailedError(reason)
      await db.transaction(async (tx) => {
        if (reason) await saveUnreadable(tx, waiting, reason, now())
        await finish(tx)
      })
      return { did: reason ?? 'unpacked' }
    }
    const isPicture = first.type === 'jpeg' || first.type === 'png'
    const reading = isPicture
      ? PICTURE_READING
      : await documents.store.withFile(hash, (file) => documents.read(file, { signal }))
    if (reading.reason && isRetryableUnreadableDocumentReason(reading.reason) && attempt < MAX_READ_ATTEMPTS)
      throw new JobFailedError(reading.reason)
    await db.transaction(async (tx) => {
      for (const row of waiting) await saveDocumentReadResult(tx, row, reading, now())
      await storeFetchedDocumentFacts(tx, hash, reading, now())
      await storePublicDocumentText(tx, hash, reading, now())
      if (documents.readsPictures) await requestImageOcrForTrackedProjects(tx, now(), hash)
      await finish(tx)
    })
    return { did: reading.outcome, pages: reading.pages.length }
  },
  async prune(db, now, { documents }) {
    await deleteExpiredNoteFiles(db, now)
    await deleteExpiredDocuments(db, now)
    await deleteExpiredDocumentText(db, now)
    for (let expiredCount = 1; expiredCount > 0; )
      expiredCount = await db.transaction((tx) => expireFetchedCopies(tx, now))
    // Remove orphans last, so that an unavailable bucket delays nothing else. The removal is retried in an hour.
    await removeOrphans(db, documents.store, new Date(now.getTime() - ORPHAN_AGE_MS)).catch((error: unknown) => {
      if (!(error instanceof DocumentStoreUnavailableError)) throw error
    })
  },
  async died(tx, { hash }, at) {
    // Mark the rows as failed: otherwise they would wait forever, and users would not see that reading failed.
    const rows = await findDocumentsByFileHash(tx, hash)
    await saveUnreadable(
      tx,
      rows.filter(({ state }) => state === 'waiting'),
      'crashed',
      at,
    )
  },
})

async function postponeIfOverBudget(db: Db, organisationId: number, now: Date): Promise<void> {
  const hourAgo = new Date(now.getTime() - HOUR_MS)
  if (
    (await loadRecentJobDurations(db, DOCUMENT_JOB_TYPE, organisationId, hourAgo)) <
    HOURLY_DOCUMENT_READING_BUDGET_SECONDS
  )
    return
  throw new JobPostponedError(new Date(now.getTime() + OVER_BUDGET_DELAY_MS))
}

async function removeIfUnreferenced(tx: Db, store: DocumentStore, hash: string): Promise<void> {
  await lockDocumentFile(tx, hash)
  const isReferenced =
    (await findDocumentsByFileHash(tx, hash)).length > 0 ||
    (await isFileAttachedToNote(tx, hash)) ||
    (await isFileKeptAsEvidence(tx, hash))
  if (!isReferenced) await store.remove(hash)
}

/** Incoming files are referenced by a row within minutes, so older unreferenced ones are orphans. */
const ORPHAN_AGE_MS = 60 * 60_000

async function removeOrphans(db: Db, store: DocumentStore, before: Date): Promise<void> {
  for await (const hashes of store.list(before)) {
    const orphans = await db.query<{ hash: string }>(sql`
      select h.hash from unnest(${[...hashes]}::text[]) h (hash)
      where not exists (select from documents d where d.hash = h.hash) and not exists (select from note_files f where f.hash = h.hash)
        and not exists (select from intake_versions v where v.hash = h.hash) and not exists (select from fetched_facts t where t.hash = h.hash)`)
    for (const { hash } of orphans) await db.transaction((tx) => removeIfUnreferenced(tx, store, hash))
  }
}

async function saveUnreadable(
  tx: Db,
  rows: readonly DocumentSharingFile[],
  reason: UnreadableDocumentReason,
  at: Date,
) {
  const reading: DocumentReadResult = { outcome: 'unreadable', reason, kind: 'other', pages: [], facts: [] }
  for (const row of rows) await saveDocumentReadResult(tx, row, reading, at)
}

async function expireFetchedCopies(tx: Db, at: Date): Promise<number> {
  const { hashes, days } = await deleteExpiredDocumentVersions(tx, at)
  if (hashes.length === 0) return 0
  await enqueueJobs(
    tx,
    DOCUMENT_JOB_TYPE,
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
 * Runs after each reading: compares the document with its predecessor in the project, and notifies users of the
 * organisation who starred the project how many clauses changed. Enqueued in the transaction that stores the reading; a
 * rerun notifies no user twice.
 */
export const documentComparisonJob = defineJob<{ id: string }>({
  ...DOCUMENT_COMPARISON_JOB_TYPE,
  concurrency: 1,
  servesByOrganisation: true,
  maxAttempts: 5,
  backoff: { firstMs: 1_000, maxMs: 5 * 60_000 },
  async run({ db, organisationId, now, finish }, { id }) {
    const comparison = organisationId === undefined ? undefined : await findDocumentChanges(db, { id, organisationId })
    return await db.transaction(async (tx) => {
      const notifiedCount = comparison ? await notifyDocumentComparisonReady(tx, { ...comparison, at: now() }) : 0
      await finish(tx)
      return { changes: comparison?.changes ?? 0, told: notifiedCount }
    })
  },
})

type DocumentFilter = { readonly userId: number; readonly filterId: string; readonly search: ReportSearch }

/**
 * Runs after each reading: notifies users who receive a saved filter by email, if the filter searches documents, the
 * project passes it and this document contains one of its words. Enqueued in the transaction that stores the reading; a
 * rerun notifies no user twice.
 */
export const savedFilterMatchJob = defineJob<{ id: string }>({
  ...SAVED_FILTER_MATCH_JOB_TYPE,
  concurrency: 1,
  servesByOrganisation: true,
  maxAttempts: 5,
  backoff: { firstMs: 1_000, maxMs: 5 * 60_000 },
  async run({ db, organisationId, now, finish }, { id }) {
    const matches = organisationId === undefined ? [] : await findMatchingFilters(db, { id, organisationId }, now())
    return await db.transaction(async (tx) => {
      let notifiedCount = 0
      for (const match of matches)
        if (await notifySavedFilterDocumentMatch(tx, { ...match, at: now() })) notifiedCount += 1
      await finish(tx)
      return { told: notifiedCount }
    })
  },
})

async function findMatchingFilters(
  db: Db,
  { id, organisationId }: { readonly id: string; readonly organisationId: number },
  now: Date,
): Promise<{ userId: number; filterId: string; projectId: string }[]> {
  const [document] = await db.query<{ projectId: string; facts: DocumentFact[]; identity: StoredDocumentIdentity }>(sql`
    select d.project_id as "projectId", d.facts, ${PROJECT_IDENTITY_SQL} as identity from documents d
    where d.id = ${id} and d.organisation_id = ${organisationId}::int`)
  if (!document || findDocumentIdentityMismatch(document.facts, document.identity)) return []
  const { projectId } = document
  const matches: { userId: number; filterId: string; projectId: string }[] = []
  for (const [userId, filters] of Map.groupBy(
    await loadDocumentFilters(db, organisationId),
    (filter) => filter.userId,
  )) {
    const matchingFilters = await filtersMatchingDocument(db, id, filters)
    if (matchingFilters.length === 0) continue
    const scope = {
      organisationId,
      userId,
      today: getBangkokToday(now),
      visit: await findPreviousReportVisit(db, userId, now),
    }
    const passing = await findProjectsPassingSearches(
      createReportEngine(db),
      matchingFilters.map(({ search }) => search),
      scope,
      [projectId],
    )
    for (const [i, { filterId }] of matchingFilters.entries())
      if (passing[i]!.length > 0) matches.push({ userId, filterId, projectId })
  }
  return matches
}

async function loadDocumentFilters(db: Db, organisationId: number): Promise<DocumentFilter[]> {
  const rows = await db.query<{ userId: number; filterId: string; data: unknown }>(sql`
    select f.user_id as "userId", f.id as "filterId", f.filter_data as data
    from saved_filters f join users u on u.id = f.user_id
    where u.organisation_id = ${organisationId}::int and f.is_send and f.filter_data -> 'search' @> '[{"key": "document_text__in"}]'
    order by f.user_id, f.id`)
  return rows.flatMap(({ data, ...filter }) => {
    const search = parseStoredFilterSearch(data)
    return search?.document_text__in === undefined ? [] : [{ ...filter, search }]
  })
}

async function filtersMatchingDocument(
  db: Db,
  id: string,
  filters: readonly DocumentFilter[],
): Promise<DocumentFilter[]> {
  const matching: DocumentFilter[] = []
  for (const filter of filters) {
    const expression = buildPassageSearchQuery(filter.search.document_text__in!)
    if (expression === undefined) continue
    const rows = await db.query(sql`
      select from document_pages p
      where p.document_id = ${id} and exists (
        select from unnest(${getFoldedPhrases(parseSearchExpressionOrThrow(expression))}::text[]) w (phrase) where position(w.phrase in p.folded) > 0)
      limit 1`)
    if (rows.length > 0) matching.push(filter)
  }
  return matching
}
