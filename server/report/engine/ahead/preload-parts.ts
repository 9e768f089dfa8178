import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import type { ProjectRowColumns, ReportDepartmentRow } from '#server/report/engine/project-columns.ts'

/**
 * This module stores the new projects of a load that is still running, in parts and in column form, so that servers can
 * preload them (decision 0043). The publishing transaction adds a row to `ahead_loads`; parts without such a row must
 * be ignored.
 */

export type DataLoadStagingAttempt = { readonly loadId: number; readonly attempt: string }

/** New projects plus the departments they introduce, which other processes cannot read until the load is published. */
export type ProjectPreloadBatch = {
  readonly projects: ProjectRowColumns
  readonly departments: readonly ReportDepartmentRow[]
}

export type CompletedProjectPreload = {
  readonly parts: number
  readonly projects: number
  /**
   * Existing projects that the load changed, and new projects that the load wrote again after their part was stored.
   * Read these from the database.
   */
  readonly rewritten: readonly string[]
}

const pack = promisify(zstdCompress)
const unpack = promisify(zstdDecompress)

export const compressProjectPreloadBatch = async (part: ProjectPreloadBatch): Promise<Uint8Array> =>
  await pack(JSON.stringify(part))

export async function decompressProjectPreloadBatch(bytes: Uint8Array): Promise<ProjectPreloadBatch> {
  const { projects, departments } = JSON.parse((await unpack(bytes)).toString()) as ProjectPreloadBatch
  return { projects, departments }
}

export async function insertProjectPreloadBatch(
  db: Db,
  { loadId, attempt }: DataLoadStagingAttempt,
  part: number,
  bytes: Uint8Array,
): Promise<void> {
  await db.execute(sql`
    insert into ahead_parts (load_id, attempt, part, bytes) values (${loadId}::bigint, ${attempt}, ${part}::int, ${bytes}::bytea)`)
}

export async function loadProjectPreloadBatch(
  db: Db,
  { loadId, attempt }: DataLoadStagingAttempt,
  part: number,
): Promise<Uint8Array | undefined> {
  const [row] = await db.query<{ bytes: Uint8Array }>(
    sql`select a.bytes from ahead_parts a where a.load_id = ${loadId}::bigint and a.attempt = ${attempt} and a.part = ${part}::int`,
    { name: 'projects_ahead' },
  )
  return row?.bytes
}

export async function recordProjectPreloadCompleted(
  tx: Db,
  { loadId, attempt }: DataLoadStagingAttempt,
  sealed: CompletedProjectPreload,
): Promise<void> {
  await tx.execute(sql`
    insert into ahead_loads (load_id, attempt, parts, projects, rewritten)
    values (${loadId}::bigint, ${attempt}, ${sealed.parts}::int, ${sealed.projects}::int, ${[...sealed.rewritten]}::text[])`)
}

export async function loadCompletedProjectPreload(
  db: Db,
  { loadId, attempt }: DataLoadStagingAttempt,
): Promise<CompletedProjectPreload | undefined> {
  const [sealed] = await db.query<CompletedProjectPreload>(sql`
    select a.parts, a.projects, a.rewritten from ahead_loads a where a.load_id = ${loadId}::bigint and a.attempt = ${attempt}`)
  return sealed
}

/** Deletes all stored parts. Call before and after a load. Safe only because a single loader runs at a time. */
export async function deleteProjectPreloads(db: Db): Promise<void> {
  await db.execute(sql`delete from ahead_parts`)
  await db.execute(sql`delete from ahead_loads`)
}
