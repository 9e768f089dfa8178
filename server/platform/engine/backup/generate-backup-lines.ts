import sql, { join } from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import {
  BACKUP_FORMAT,
  BACKUP_VERSION,
  type BackupHeader,
  type BackupLine,
  type BackupProgress,
  BackupRejectedError,
} from './backup-format.ts'
import {
  countTableRows,
  type ListedBackupTable,
  listBackupTables,
  listSequences,
  listTableHeaps,
  quoteIdentifier,
  readRowBlock,
  VALUE_FORMAT_SETTINGS_SQL,
} from './backup-tables.ts'

/** Approximate size of a block on disk; as text in memory it takes two to three times that. */
const BLOCK_BYTES = 1_048_576
/** Upper bound of rows per 8 kB page, which holds at most 291. */
const ROWS_PER_PAGE = 292

export type BackupOptions = {
  readonly madeAt: Date
  readonly onHeader?: ((header: BackupHeader) => void) | undefined
  readonly onProgress?: ((progress: BackupProgress) => void) | undefined
}

/**
 * Yields the whole database as backup lines. `tx` is one transaction with a consistent snapshot (`runInSnapshot`). Rejects
 * with `BackupRejectedError` when the database has none of this program's tables.
 */
export async function* generateBackupLines(
  tx: Db,
  { madeAt, onHeader, onProgress }: BackupOptions,
): AsyncGenerator<string> {
  // Rows hidden from this role by a policy must fail the backup instead of being silently omitted.
  await tx.script(`${VALUE_FORMAT_SETTINGS_SQL}; set local row_security = off`)
  const listedTables = await listBackupTables(tx)
  if (listedTables.length === 0) throw new BackupRejectedError('no tamngan database found here')
  await tx.execute(sql`lock table ${join(listedTables.map(({ name }) => quoteIdentifier(name)))} in access share mode`)
  const header = await makeHeader(tx, listedTables, madeAt)
  onHeader?.(header)
  yield lineOf(header)
  const total = header.tables.reduce((sum, { rows }) => sum + rows, 0)
  let done = 0
  for (const table of listedTables) {
    let rows = 0
    let hash = 0n
    for (const heap of await listTableHeaps(tx, table.name))
      for (const range of ranges(heap)) {
        const block = await readRowBlock(tx, table, heap.name, range)
        if (block.rows === 0) continue
        yield lineOf({ table: table.name, rows: block.rows, columns: block.columns })
        rows += block.rows
        done += block.rows
        hash += BigInt(block.hash)
        onProgress?.({ table: table.name, done, total })
      }
    yield lineOf({ end: table.name, rows, hash: String(hash) })
  }
  // Read the sequences after the rows: sequences may be ahead of the rows but never behind.
  yield lineOf({ sequences: await listSequences(tx) })
  yield lineOf({ complete: true })
}

const lineOf = (line: BackupLine | BackupHeader) => `${JSON.stringify(line)}\n`

async function makeHeader(tx: Db, listedTables: readonly ListedBackupTable[], madeAt: Date): Promise<BackupHeader> {
  const migrations = await tx.query<BackupHeader['migrations'][number]>(
    sql`select number, name, checksum from schema_migrations order by number`,
  )
  const [engine] = await tx.query<{ version: string }>(sql`select current_setting('server_version') as version`)
  const tables: BackupHeader['tables'][number][] = []
  for (const table of listedTables) tables.push({ ...table, rows: await countTableRows(tx, table.name) })
  return {
    format: BACKUP_FORMAT,
    version: BACKUP_VERSION,
    madeAt: madeAt.toISOString(),
    engine: `${tx.engine === 'pglite' ? 'PGlite' : 'PostgreSQL'} ${engine!.version}`,
    migrations,
    tables,
  }
}

/** Yields ctid ranges of about `BLOCK_BYTES`: several pages, or part of a page whose rows have large TOAST values. */
function* ranges({ blocks, bytes }: { blocks: number; bytes: number }): Generator<[string, string]> {
  const ofPage = bytes / Math.max(1, blocks)
  const pages = Math.max(1, Math.floor(BLOCK_BYTES / ofPage))
  const parts = Math.min(ROWS_PER_PAGE, Math.ceil(ofPage / BLOCK_BYTES))
  const step = Math.ceil(ROWS_PER_PAGE / parts)
  for (let page = 0; page < blocks; page += pages) {
    if (parts <= 1) yield [`(${page},0)`, `(${page + pages},0)`]
    else
      for (let at = 0; at < ROWS_PER_PAGE; at += step)
        yield [`(${page},${at})`, at + step >= ROWS_PER_PAGE ? `(${page + 1},0)` : `(${page},${at + step})`]
  }
}
