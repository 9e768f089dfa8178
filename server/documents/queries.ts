import type { Sql } from 'sql-template-tag'
import sql from 'sql-template-tag'
import { z } from 'zod/mini'
import type { DocumentFact, DocumentFactName, DocumentReadResult } from '#contract/documents/document.ts'
import type { DocumentFileType, OcrFailureReason, ProjectDocument } from '#contract/documents/project-document.ts'
import { foldDocumentText, getFoldedTextTrigrams } from '#contract/thai/fold-document-text.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { splitIntoSlices } from '#server/platform/engine/process-in-batches.ts'
import { enqueueSingleJob } from '#server/platform/queue/enqueue-jobs.ts'
import type { JobType } from '#server/platform/queue/job.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import {
  findDocumentIdentityMismatch,
  PROJECT_IDENTITY_SQL,
  type StoredDocumentIdentity,
} from './find-mismatched-documents.ts'
import type { ObservedProject } from './observation/find-draft-observations.ts'
import { hasTooLittleThaiText } from './text/thai-marks.ts'

/**
 * Job that brings a file in line with its rows: reads new files, deletes unreferenced ones. The job key is the hash, so
 * jobs for one file never run concurrently.
 */
const payload = z.object({ hash: z.string() })
export const DOCUMENT_JOB_TYPE: JobType<z.output<typeof payload>> = { kind: 'document', payload }

const readPayload = z.object({ id: z.string() })
export const DOCUMENT_COMPARISON_JOB_TYPE: JobType<z.output<typeof readPayload>> = {
  kind: 'document-compare',
  payload: readPayload,
}
export const SAVED_FILTER_MATCH_JOB_TYPE: JobType<z.output<typeof readPayload>> = {
  kind: 'document-found',
  payload: readPayload,
}

const timestamp = (at: Date): Sql => sql`${at.toISOString()}::timestamptz`

type StoredDocument = Omit<ProjectDocument, 'is_removable' | 'pictures' | 'mismatch'> & {
  readonly identity: StoredDocumentIdentity
  readonly hash: string
  readonly user_id: number | null
  readonly picture_state: 'waiting' | 'done' | 'failed' | null
  readonly picture_reason: OcrFailureReason | null
  readonly picture_total: number
  readonly picture_done: number
  readonly picture_failed: number
}

export type DocumentFactDisplaySettings = {
  readonly trustedFacts: ReadonlySet<DocumentFactName>
  readonly readsPictures: boolean
}

const COLUMNS = sql`
  d.id, d.project_id, d.hash, d.type, d.name, d.bytes, d.state, d.reason, d.kind, d.page_count, d.facts, d.added_at, d.user_id, d.bundle_id, d.left_out, d.link, d.fetched_at,
  d.picture_state, d.picture_reason, d.picture_total, d.picture_done, d.picture_failed,
  (select count(*)::int from documents m where m.bundle_id = d.id) as member_count,
  coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.email) as added_by, ${PROJECT_IDENTITY_SQL} as identity`
const DOCUMENTS = sql`documents d left join users u on u.id = d.user_id`

/**
 * True for the user who added the document and for super users. Fetched documents cannot be deleted: they are evidence
 * of what e-GP published.
 */
export const canRemoveDocument = (
  { userId, role }: Actor,
  document: Pick<StoredDocument, 'user_id' | 'link'>,
): boolean => document.link === null && (document.user_id === userId || role === 'super_user')

/** Converts to the API form. Lists the fields explicitly, so that a new column never leaks. */
export function presentDocument(
  row: StoredDocument,
  actor: Actor,
  { trustedFacts, readsPictures }: DocumentFactDisplaySettings,
): ProjectDocument {
  const {
    hash: _hash,
    user_id: _user,
    identity,
    added_at,
    fetched_at,
    facts,
    picture_state,
    picture_reason,
    ...documentAndPictures
  } = row
  const { picture_total: total, picture_done: done, picture_failed: failed, ...document } = documentAndPictures
  const mismatch = findDocumentIdentityMismatch(facts, identity)
  const initialPictureState = total === 0 ? 'none' : readsPictures ? 'askable' : 'off'
  return {
    ...document,
    pictures: { state: picture_state ?? initialPictureState, reason: picture_reason, total, done, failed },
    facts: presentDocumentFacts(facts, mismatch, trustedFacts),
    mismatch,
    added_at: new Date(added_at).toISOString(),
    fetched_at: fetched_at === null ? null : new Date(fetched_at).toISOString(),
    is_removable: canRemoveDocument(actor, row),
  }
}

const NO_TRUSTED_FACTS: ReadonlySet<DocumentFactName> = new Set()

/** Removes the values of facts that are not trusted, and of all facts of a document that may belong elsewhere. */
export const presentDocumentFacts = (
  facts: readonly DocumentFact[],
  mismatch: ProjectDocument['mismatch'],
  trustedFacts: ReadonlySet<DocumentFactName>,
): DocumentFact[] => facts.map((fact) => toVisibleFact(fact, mismatch ? NO_TRUSTED_FACTS : trustedFacts))

function toVisibleFact(fact: DocumentFact, trustedFacts: ReadonlySet<DocumentFactName>): DocumentFact {
  if (fact.state === 'unsure' || trustedFacts.has(fact.fact)) return fact
  const { value: _, ...factWithoutValue } = fact
  return { ...factWithoutValue, state: 'unsure', is_unchecked: true }
}

export async function hasMatchedProject(db: Db, organisationId: number, projectId: string): Promise<boolean> {
  const rows = await db.query(sql`
    select from project_matches where organisation_id = ${organisationId}::int and project_id = ${projectId}`)
  return rows.length > 0
}

export async function findTenderTitleAndSubmission(
  db: Db,
  projectId: string,
): Promise<{ readonly title: string; readonly submission: string | null }> {
  const [row] = await db.query<{ title: string; submission: string | null }>(
    sql`select name as title, submission_ends_on as submission from projects where project_id = ${projectId}`,
  )
  return row ?? { title: '', submission: null }
}

/** Budget in baht and kind of work; unknown values if the project no longer exists. */
export async function findObservedProject(db: Db, projectId: string): Promise<ObservedProject> {
  const [row] = await db.query<{ satang: number | null; method_type: string }>(
    sql`select budget_satang as satang, method_type from projects where project_id = ${projectId}`,
  )
  return { budget: row?.satang == null ? null : row.satang / 100, method_type: row?.method_type ?? '' }
}

export function listDocuments(db: Db, organisationId: number, projectId: string): Promise<StoredDocument[]> {
  return db.query<StoredDocument>(sql`
    select ${COLUMNS} from ${DOCUMENTS} where d.organisation_id = ${organisationId}::int and d.project_id = ${projectId}
    order by d.added_at desc, coalesce(d.bundle_id, d.id), d.bundle_id is not null, d.name, d.id`)
}

export async function findDocument(db: Db, organisationId: number, id: string): Promise<StoredDocument | undefined> {
  const [row] = await db.query<StoredDocument>(sql`
    select ${COLUMNS} from ${DOCUMENTS} where d.organisation_id = ${organisationId}::int and d.id = ${id}`)
  return row
}

export type NewDocument = {
  readonly id: string
  readonly projectId: string
  readonly hash: string
  readonly type: DocumentFileType
  readonly name: string
  readonly bytes: number
  readonly at: Date
}

/** Maximum documents per organisation: with up to 5,000 documents of 20 pages the index responds in milliseconds. */
const MAX_DOCUMENTS = 5_000

/**
 * True if the organisation may store another file of this size. Counts its uploads and note attachments, not fetched
 * files. Locks the organisation row until the transaction ends, so concurrent uploads cannot exceed the limit.
 */
export async function fitsDocumentStorageQuota(
  tx: Db,
  organisationId: number,
  { bytes, quotaBytes }: { readonly bytes: number; readonly quotaBytes: number },
): Promise<boolean> {
  await tx.query(sql`select 1 from organisations where id = ${organisationId}::int for no key update`)
  const [usage] = await tx.query<{ count: number; bytes: number }>(sql`
    select count(*)::int as count, (coalesce(sum(bytes), 0)
      + (select coalesce(sum(f.bytes), 0) from note_files f where f.organisation_id = ${organisationId}::int))::bigint as bytes
    from documents where organisation_id = ${organisationId}::int and link is null`)
  return usage!.count < MAX_DOCUMENTS && usage!.bytes + bytes <= quotaBytes
}

export async function findDuplicateDocument(
  tx: Db,
  organisationId: number,
  { projectId, hash }: Pick<NewDocument, 'projectId' | 'hash'>,
): Promise<string | undefined> {
  const [row] = await tx.query<{ id: string }>(sql`
    select id from documents where organisation_id = ${organisationId}::int and project_id = ${projectId} and hash = ${hash}`)
  return row?.id
}

/**
 * Locks a file until the transaction ends. Inserting and deleting both take the lock, so a file that a new row
 * references is never deleted.
 */
export async function lockDocumentFile(tx: Db, hash: string): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(${FILE_LOCK}::int, hashtext(${hash}))`)
}
const FILE_LOCK = 7_004

export async function insertDocument(tx: Db, { userId, organisationId }: Actor, added: NewDocument): Promise<void> {
  const { id, projectId, hash, type, name, bytes, at } = added
  await tx.execute(sql`
    insert into documents (id, organisation_id, project_id, user_id, hash, type, name, bytes, added_at)
    values (${id}, ${organisationId}::int, ${projectId}, ${userId}::int, ${hash}, ${type}, ${name}, ${bytes}::bigint, ${timestamp(at)})`)
  await enqueueSingleJob(tx, DOCUMENT_JOB_TYPE, { key: hash, payload: { hash }, organisationId, userId, at })
}

export async function deleteDocument(tx: Db, { id }: StoredDocument, actor: Actor, at: Date): Promise<void> {
  const { organisationId, userId } = actor
  const deletedRows = await tx.query<{ hash: string }>(sql`
    delete from documents where organisation_id = ${organisationId}::int and (id = ${id} or bundle_id = ${id}) returning hash`)
  for (const { hash } of deletedRows)
    await enqueueSingleJob(tx, DOCUMENT_JOB_TYPE, { key: hash, payload: { hash }, organisationId, userId, at })
}

export function findDocumentsByFileHash(db: Db, hash: string): Promise<DocumentSharingFile[]> {
  return db.query(sql`
    select id, organisation_id as "organisationId", type, state from documents where hash = ${hash} order by id`)
}

export type DocumentSharingFile = {
  readonly id: string
  readonly organisationId: number
  readonly type: DocumentFileType
  readonly state: string
}

export async function saveDocumentReadResult(
  tx: Db,
  { id, organisationId }: { readonly id: string; readonly organisationId: number },
  { outcome, reason, kind, pages, facts }: DocumentReadResult,
  at: Date,
): Promise<void> {
  await tx.execute(sql`delete from document_pages where document_id = ${id}`)
  const updatedRows = await tx.execute(sql`
    update documents set state = ${outcome}, reason = ${reason ?? null}, kind = ${kind}, page_count = ${pages.length}::int,
      facts = ${JSON.stringify(facts.map(storable))}::jsonb, read_at = ${timestamp(at)},
      picture_total = ${outcome === 'unreadable' ? 0 : pages.filter(({ text }) => hasTooLittleThaiText(text)).length}::int,
      picture_state = null, picture_reason = null, picture_done = 0, picture_failed = 0
    where id = ${id}`)
  if (updatedRows === 0) return
  if (outcome === 'read')
    for (const job of [DOCUMENT_COMPARISON_JOB_TYPE, SAVED_FILTER_MATCH_JOB_TYPE])
      await enqueueSingleJob(tx, job, { key: id, payload: { id }, organisationId, at })
  for (const slice of splitIntoSlices([...pages.entries()], PAGE_BATCH_SIZE)) {
    const rows = slice.map(([index, page]) => {
      const text = withoutNul(page.text)
      const { folded } = foldDocumentText(text)
      // The negated organisation id is stored as one of the trigrams, so that a single index serves both conditions.
      return { page: index + 1, text, folded, trigrams: [-organisationId, ...getFoldedTextTrigrams(folded)] }
    })
    await tx.execute(sql`
      insert into document_pages (document_id, organisation_id, page, text, folded, trigrams)
      select ${id}, ${organisationId}::int, r.page, r.text, r.folded, array(select t::int from json_array_elements_text(r.trigrams) t)
      from json_to_recordset(${JSON.stringify(rows)}::json) as r (page int, text text, folded text, trigrams json)`)
  }
}
/** Pages per insert statement: about 400 kB of JSON. */
const PAGE_BATCH_SIZE = 25

/** Removes what PostgreSQL cannot store: U+0000 and unpaired surrogates. */
const withoutNul = (text: string) => text.replaceAll('\0', ' ').toWellFormed()
const storable = (fact: DocumentFact): DocumentFact =>
  JSON.parse(JSON.stringify(fact), (_, value) =>
    typeof value === 'string' ? withoutNul(value) : value,
  ) as DocumentFact
