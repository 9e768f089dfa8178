/**
 * A backup is lines of JSON, packed with gzip: the header, blocks of rows table by table, the end of each table, the sequences, the last line
 * (decision 0028). Values travel in PostgreSQL's own text form and are never looked into on the way, so both engines write and read the same.
 */
export const BACKUP_FORMAT = 'tamngan-backup'
/** Of the format, not of the database: this program reads this one alone. */
export const BACKUP_VERSION = 1

export type BackupColumn = { readonly name: string; readonly type: string }
export type BackupTable = { readonly name: string; readonly columns: readonly BackupColumn[]; readonly rows: number }
export type BackupHeader = {
  readonly format: typeof BACKUP_FORMAT
  readonly version: number
  readonly madeAt: string
  /** What wrote it, for people: `PostgreSQL 15.18`. */
  readonly engine: string
  /** All that the database had, oldest first. */
  readonly migrations: readonly { readonly number: number; readonly name: string; readonly checksum: string }[]
  readonly tables: readonly BackupTable[]
}
export type BackupSequence = { readonly table: string; readonly column: string; readonly last: number }

export type BackupLine =
  /** `columns`: for each column of the table one PostgreSQL array literal of `rows` texts. */
  | { readonly table: string; readonly rows: number; readonly columns: readonly string[] }
  /** `hash`: of all rows, whatever their order (`rowHash` in backup-tables.ts). */
  | { readonly end: string; readonly rows: number; readonly hash: string }
  | { readonly sequences: readonly BackupSequence[] }
  | { readonly complete: true }

export type BackupProgress = { readonly table: string; readonly done: number; readonly total: number }

/** The file is no backup, is damaged, or does not fit this program or this database. Nothing was changed. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused'
}
