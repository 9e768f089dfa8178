import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import type { ColumnsOfPage, DepartmentRow } from '#server/report/memory/project-columns.ts'

/**
 * What a large load is about to show (decision 0043): its new projects in the form in which the columns take them, part after part, stored while it is under way. `ahead_loads` is
 * written by the transaction that publishes: only with it the parts say anything.
 */

/** One run of one load. */
export type Attempt = { readonly loadId: number; readonly attempt: string }

/** New projects, with the departments that they are the first to name: other processes cannot read these before the load is visible. */
export type AheadPart = { readonly projects: ColumnsOfPage; readonly departments: readonly DepartmentRow[] }

/** What the publishing transaction records about the parts. */
export type SealedAhead = {
  readonly parts: number
  /** How many projects they hold. */
  readonly projects: number
  /** Projects of the load that the parts do not hold as they stand now. */
  readonly rewritten: readonly string[]
}

const pack = promisify(zstdCompress)
const unpack = promisify(zstdDecompress)

export const packPart = async (part: AheadPart): Promise<Uint8Array> => await pack(JSON.stringify(part))

/** Rejects when the bytes are no part. */
export async function unpackPart(bytes: Uint8Array): Promise<AheadPart> {
  const { projects, departments } = JSON.parse((await unpack(bytes)).toString()) as AheadPart
  return { projects, departments }
}

export async function insertPart(db: Db, { loadId, attempt }: Attempt, part: number, bytes: Uint8Array): Promise<void> {
  await db.execute(sql`
    insert into ahead_parts (load_id, attempt, part, bytes) values (${loadId}::bigint, ${attempt}, ${part}::int, ${bytes}::bytea)`)
}

/** The packed part of this number; undefined while it is not there. */
export async function readPart(db: Db, { loadId, attempt }: Attempt, part: number): Promise<Uint8Array | undefined> {
  const [row] = await db.query<{ bytes: Uint8Array }>(
    sql`select a.bytes from ahead_parts a where a.load_id = ${loadId}::bigint and a.attempt = ${attempt} and a.part = ${part}::int`,
    { name: 'projects_ahead' },
  )
  return row?.bytes
}

export async function sealParts(tx: Db, { loadId, attempt }: Attempt, sealed: SealedAhead): Promise<void> {
  await tx.execute(sql`
    insert into ahead_loads (load_id, attempt, parts, projects, rewritten)
    values (${loadId}::bigint, ${attempt}, ${sealed.parts}::int, ${sealed.projects}::int, ${[...sealed.rewritten]}::text[])`)
}

/** Undefined while the load is not published, and when it was published by another attempt or without parts. */
export async function readSealed(db: Db, { loadId, attempt }: Attempt): Promise<SealedAhead | undefined> {
  const [sealed] = await db.query<SealedAhead>(sql`
    select a.parts, a.projects, a.rewritten from ahead_loads a where a.load_id = ${loadId}::bigint and a.attempt = ${attempt}`)
  return sealed
}

/** Takes away what loads stored ahead. By the only loader alone, before and after its load. */
export async function clearAhead(db: Db): Promise<void> {
  await db.execute(sql`delete from ahead_parts`)
  await db.execute(sql`delete from ahead_loads`)
}
