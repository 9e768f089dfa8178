/**
 * Backup format: gzip-compressed JSON lines in this order: header, row blocks table by table, the end of each table,
 * sequences, final line (decision 0028). Values are PostgreSQL text and pass through unparsed, so both engines write
 * and read the same file.
 */
export const BACKUP_FORMAT = 'tamngan-backup'
/** Version of the file format, which is independent of the schema. This program reads only this version. */
export const BACKUP_VERSION = 1

export type BackupColumn = { readonly name: string; readonly type: string }
export type BackupTable = { readonly name: string; readonly columns: readonly BackupColumn[]; readonly rows: number }
export type BackupHeader = {
  readonly format: typeof BACKUP_FORMAT
  readonly version: number
  readonly madeAt: string
  readonly engine: string
  readonly migrations: readonly { readonly number: number; readonly name: string; readonly checksum: string }[]
  readonly tables: readonly BackupTable[]
}
export type BackupSequence = { readonly table: string; readonly column: string; readonly last: number }

export type BackupLine =
  /** `columns`: one PostgreSQL array literal per table column, each with `rows` texts. */
  | { readonly table: string; readonly rows: number; readonly columns: readonly string[] }
  /** `hash`: hash of all rows of the table, independent of their order (`ROW_HASH` in backup-tables.ts). */
  | { readonly end: string; readonly rows: number; readonly hash: string }
  | { readonly sequences: readonly BackupSequence[] }
  | { readonly complete: true }

export type BackupProgress = { readonly table: string; readonly done: number; readonly total: number }

/** Thrown when the file is not a backup, is damaged, or does not fit this program or database. Nothing was changed. */
export class BackupRejectedError extends Error {
  override readonly name = 'BackupRejectedError'
}
