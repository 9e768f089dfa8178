import { parseArgs } from 'node:util'
import type { BackupProgress } from '#server/platform/engine/backup/backup-format.ts'
import type { CommandLineOutput } from './terminal.ts'
import { CommandUsageError } from './terminal.ts'

export const BACKUP_USAGE = `usage: npm run backup -- FILE
  Writes a consistent snapshot of the whole database, embedded or PostgreSQL, to FILE (gzip, mode 0600). Servers may keep running.
  FILE must not exist yet; it appears complete or not at all.
  With BACKUP_KEY (or BACKUP_KEY_FILE) it is encrypted; without that key it cannot be read.
  AUTH_SECRET is not in the backup: store it separately (docs/reliability.md).`
export const RESTORE_USAGE = `usage: npm run restore -- FILE [--replace]
  Replaces the whole database of DATABASE_URL or DATA_DIR with the backup FILE, whichever engine wrote it, and migrates it to the newest schema.
  An encrypted backup needs the BACKUP_KEY it was encrypted with. All or nothing: if refused or interrupted, the database is unchanged. Stop all servers and workers first.
  --replace   even if the database is not empty: its contents are deleted`

const REDRAW_MS = 100
const LOG_MS = 5_000
const count = (value: number) => value.toLocaleString('en-US')
const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MB`

type ShowProgress = (progress: BackupProgress) => void
type BackupSummary = { readonly rows: number; readonly tables: number; readonly seconds: number }
export type BackupCreator = (
  file: string,
  onProgress: ShowProgress,
) => Promise<
  BackupSummary & {
    readonly file: string
    readonly bytes: number
    readonly isEncrypted: boolean
    readonly pausedMs?: number | undefined
  }
>
export type BackupRestorer = (
  request: { readonly file: string; readonly replace: boolean },
  onProgress: ShowProgress,
) => Promise<BackupSummary & { readonly madeAt: string; readonly engine: string; readonly migration: string }>

export async function runBackupCommand(
  args: string[],
  makeBackup: BackupCreator,
  terminal: CommandLineOutput,
): Promise<void> {
  const { file } = readArgs(args, BACKUP_USAGE, {})
  const summary = await makeBackup(file, showProgress(terminal, 'written'))
  terminal.log(
    `${summary.file}: ${count(summary.rows)} rows of ${summary.tables} tables, ${megabytes(summary.bytes)}, in ${summary.seconds.toFixed(1)} s`,
  )
  if (summary.pausedMs !== undefined && summary.pausedMs !== null)
    terminal.log(`the server was paused for ${Math.round(summary.pausedMs)} ms`)
  terminal.log(
    summary.isEncrypted
      ? 'encrypted with BACKUP_KEY: store that key and AUTH_SECRET separately; AUTH_SECRET is not in the backup'
      : 'not encrypted (BACKUP_KEY is not set): anyone with the file can read everything in it. AUTH_SECRET is not in the backup: store it separately',
  )
}

export async function runRestoreCommand(
  args: string[],
  restore: BackupRestorer,
  terminal: CommandLineOutput,
): Promise<void> {
  const { file, replace } = readArgs(args, RESTORE_USAGE, { replace: { type: 'boolean' } })
  const restored = await restore({ file, replace }, showProgress(terminal, 'restored'))
  terminal.log(`restored the backup of ${restored.madeAt} (${restored.engine}, ${restored.migration})`)
  terminal.log(
    `${count(restored.rows)} rows of ${restored.tables} tables, counts and hashes equal, in ${restored.seconds.toFixed(1)} s`,
  )
}

function readArgs(
  args: string[],
  usage: string,
  options: { replace?: { type: 'boolean' } },
): { file: string; replace: boolean } {
  try {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
    const [file, ...extra] = positionals
    if (file !== undefined && extra.length === 0) return { file, replace: values.replace === true }
  } catch (error) {
    throw new CommandUsageError(`${(error as Error).message}\n${usage}`, { cause: error })
  }
  throw new CommandUsageError(usage)
}

function showProgress(terminal: CommandLineOutput, verb: string): ShowProgress {
  let shownAt = Number.NEGATIVE_INFINITY
  return (progress) => {
    const now = performance.now()
    if (now - shownAt < (terminal.isTty ? REDRAW_MS : LOG_MS)) return
    shownAt = now
    const line = `${verb} ${count(progress.done)} of ${count(progress.total)} rows, now ${progress.table}`
    if (terminal.isTty) terminal.redraw(line)
    else terminal.log(line)
  }
}
