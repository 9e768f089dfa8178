import sql, { type Sql } from 'sql-template-tag'
import type { NoteFile, NoteFileType } from '#contract/team/note-file.ts'
import { DOCUMENT_JOB_TYPE } from '#server/documents/queries.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { enqueueJobs } from '#server/platform/queue/enqueue-jobs.ts'
import type { Actor } from '#server/platform/route/actor.ts'

/** Days for which a file without a note is retained, long enough for a draft that stays open. */
const UNATTACHED_RETENTION_DAYS = 3
/** Retention of a file removed from its note, so that the removal can be undone. */
const REMOVED_RETENTION_HOURS = 1

const timestamptz = (at: Date): Sql => sql`${at.toISOString()}::timestamptz`

export type StoredNoteFile = NoteFile & {
  readonly hash: string
  readonly project_id: string
  readonly note_id: string | null
  readonly user_id: number | null
}

export type NewNoteFile = {
  readonly id: string
  readonly projectId: string
  readonly hash: string
  readonly type: NoteFileType
  readonly name: string
  readonly bytes: number
  readonly at: Date
}

/** Stores a file that is not attached to a note yet. Call while holding the lock of the file's hash. */
export async function insertNoteFile(tx: Db, { organisationId, userId }: Actor, file: NewNoteFile): Promise<void> {
  const { id, projectId, hash, type, name, bytes, at } = file
  await tx.execute(sql`
    insert into note_files (organisation_id, id, project_id, user_id, hash, type, name, bytes, added_at, goes_at)
    values (${organisationId}::int, ${id}, ${projectId}, ${userId}::int, ${hash}, ${type}, ${name}, ${bytes}::bigint, ${timestamptz(at)},
      ${timestamptz(at)} + make_interval(days => ${UNATTACHED_RETENTION_DAYS}))`)
}

/**
 * Returns undefined both for a missing file and for one of another organisation, so that callers cannot tell them
 * apart.
 */
export async function findNoteFile(db: Db, organisationId: number, id: string): Promise<StoredNoteFile | undefined> {
  const [row] = await db.query<StoredNoteFile>(sql`
    select id, name, type, bytes, hash, project_id, note_id, user_id from note_files
    where organisation_id = ${organisationId}::int and id = ${id}`)
  return row
}

/**
 * Finds the files that a note of the caller may use: the caller's unattached uploads in this project and files already
 * attached to one of these notes.
 */
export async function findNoteFilesUsableByCaller(
  db: Db,
  { organisationId, userId }: Actor,
  {
    projectId,
    ids,
    notes,
  }: { readonly projectId: string; readonly ids: readonly string[]; readonly notes: readonly string[] },
): Promise<StoredNoteFile[]> {
  if (ids.length === 0) return []
  return db.query<StoredNoteFile>(sql`
    select id, name, type, bytes, hash, project_id, note_id, user_id from note_files
    where organisation_id = ${organisationId}::int and project_id = ${projectId} and id = any (${[...ids]}::text[])
      and (note_id is null and user_id = ${userId}::int or note_id = any (${[...notes]}::text[]))`)
}

export async function attachNoteFiles(
  tx: Db,
  {
    organisationId,
    projectId,
    noteId,
  }: { readonly organisationId: number; readonly projectId: string; readonly noteId: string },
  ids: readonly string[],
  at: string,
): Promise<void> {
  const ofProject = sql`organisation_id = ${organisationId}::int and project_id = ${projectId}`
  await tx.execute(sql`
    update note_files set note_id = null, goes_at = ${at}::timestamptz + make_interval(hours => ${REMOVED_RETENTION_HOURS})
    where ${ofProject} and note_id = ${noteId} and not (id = any (${[...ids]}::text[]))`)
  await tx.execute(sql`
    update note_files set note_id = ${noteId}, goes_at = null, place = array_position(${[...ids]}::text[], id)
    where ${ofProject} and id = any (${[...ids]}::text[])`)
}

export async function deleteExpiredNoteFiles(db: Db, at: Date): Promise<number> {
  return db.transaction(async (tx) => {
    const deletedRows = await tx.query<{ hash: string }>(
      sql`delete from note_files where goes_at <= ${timestamptz(at)} returning hash`,
    )
    const hashes = [...new Set(deletedRows.map(({ hash }) => hash))]
    const jobs = hashes.map((hash) => ({ key: hash, payload: { hash }, at }))
    if (jobs.length > 0) await enqueueJobs(tx, DOCUMENT_JOB_TYPE, jobs)
    return deletedRows.length
  })
}

export async function isFileAttachedToNote(db: Db, hash: string): Promise<boolean> {
  return (await db.query(sql`select from note_files where hash = ${hash} limit 1`)).length > 0
}
