import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import type { ColumnsOfPage, DepartmentRow } from '#server/report/memory/project-columns.ts'

/**
 * New projects of a load that is still running, stored in parts in column form so that servers can preload them
 * (decision 0043). `ahead_loads` is written by the publishing transaction; without its row the parts are meaningless.
 */

export type Attempt = { readonly loadId: number; readonly attempt: string }

/** New projects plus the departments they introduce, which other processes cannot read until the load is visible. */
export type AheadPart = { readonly projects: ColumnsOfPage; readonly departments: readonly DepartmentRow[] }

export type SealedAhead = {
  readonly parts: number
  readonly projects: number
  /**
   * Existing projects that the load changed, and new ones written again after their part was stored; read these from
   * the database.
   */
  readonly rewritten: readonly string[]
}

const pack = promisify(zstdCompress)
const unpack = promisify(zstdDecompress)

export const packPart = async (part: AheadPart): Promise<Uint8Array> => await pack(JSON.stringify(part))

/** Rejects on malformed bytes. */
export async function unpackPart(bytes: Uint8Array): Promise<AheadPart> {
  const { projects, departments } = JSON.parse((await unpack(bytes)).toString()) as AheadPart
  return { projects, departments }
}

export async function insertPart(db: Db, { loadId, attempt }: Attempt, part: number, bytes: Uint8Array): Promise<void> {
  await db.execute(sql`
    insert into ahead_parts (load_id, attempt, part, bytes) values (${loadId}::bigint, ${attempt}, ${part}::int, ${bytes}::bytea)`)
}

/** Undefined until the writer has stored this part. */
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

/** Undefined while the load is unpublished, or when another attempt published it or it was published without parts. */
export async function readSealed(db: Db, { loadId, attempt }: Attempt): Promise<SealedAhead | undefined> {
  const [sealed] = await db.query<SealedAhead>(sql`
    select a.parts, a.projects, a.rewritten from ahead_loads a where a.load_id = ${loadId}::bigint and a.attempt = ${attempt}`)
  return sealed
}

/** Deletes all stored parts. Safe only because a single loader runs: call before and after its load. */
export async function clearAhead(db: Db): Promise<void> {
  await db.execute(sql`delete from ahead_parts`)
  await db.execute(sql`delete from ahead_loads`)
}
