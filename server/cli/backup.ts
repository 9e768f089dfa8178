import { parseArgs } from 'node:util'
import type { BackupProgress } from '#server/platform/engine/backup/backup-format.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './terminal.ts'

export const BACKUP_USAGE = `usage: npm run backup -- FILE
  Writes the whole database, embedded or PostgreSQL, as it is at this moment into FILE (gzip, mode 0600). Servers may go on running.
  FILE must not be there yet; under its name it appears whole or not at all.
  With BACKUP_KEY (or BACKUP_KEY_FILE) it is encrypted; without that key nobody reads it again.
  AUTH_SECRET is not in it: keep that apart (docs/reliability.md).`
export const RESTORE_USAGE = `usage: npm run restore -- FILE [--replace]
  Puts the backup FILE in the place of the whole database of DATABASE_URL or DATA_DIR, whichever engine wrote it, and brings it to the newest schema.
  An encrypted one wants the BACKUP_KEY that it was made with. All or nothing: refused or interrupted, the database is as it was. Stop all servers and workers first.
  --replace   also when the database is not empty: what it holds is thrown away`

const REDRAW_MS = 100
const LOG_MS = 5_000
const count = (value: number) => value.toLocaleString('en-US')
const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MB`

type ShowProgress = (progress: BackupProgress) => void
type Sums = { readonly rows: number; readonly tables: number; readonly seconds: number }
export type BackupMaker = (
  file: string,
  onProgress: ShowProgress,
) => Promise<
  Sums & {
    readonly file: string
    readonly bytes: number
    readonly isEncrypted: boolean
    readonly pausedMs?: number | undefined
  }
>
export type Restorer = (
  request: { readonly file: string; readonly replace: boolean },
  onProgress: ShowProgress,
) => Promise<Sums & { readonly madeAt: string; readonly engine: string; readonly migration: string }>

/** `backup FILE`. `makeBackup` runs here or in the running server. */
export async function backupCommand(args: string[], makeBackup: BackupMaker, terminal: Terminal): Promise<void> {
  const { file } = readArgs(args, BACKUP_USAGE, {})
  const made = await makeBackup(file, showProgress(terminal, 'written'))
  terminal.log(
    `${made.file}: ${count(made.rows)} rows of ${made.tables} tables, ${megabytes(made.bytes)}, in ${made.seconds.toFixed(1)} s`,
  )
  if (made.pausedMs !== undefined && made.pausedMs !== null)
    terminal.log(`the server waited ${Math.round(made.pausedMs)} ms for it`)
  terminal.log(
    made.isEncrypted
      ? 'encrypted with BACKUP_KEY: keep that apart, and AUTH_SECRET, which is not in it'
      : 'not encrypted: whoever has the file reads everything in it (BACKUP_KEY). AUTH_SECRET is not in it: keep it apart',
  )
}

export async function restoreCommand(args: string[], restore: Restorer, terminal: Terminal): Promise<void> {
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
    const [file, ...more] = positionals
    if (file !== undefined && more.length === 0) return { file, replace: values.replace === true }
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${usage}`, { cause: error })
  }
  throw new UsageError(usage)
}

function showProgress(terminal: Terminal, done: string): ShowProgress {
  let shownAt = Number.NEGATIVE_INFINITY
  return (progress) => {
    const now = performance.now()
    if (now - shownAt < (terminal.isTty ? REDRAW_MS : LOG_MS)) return
    shownAt = now
    const line = `${done} ${count(progress.done)} of ${count(progress.total)} rows, now ${progress.table}`
    if (terminal.isTty) terminal.redraw(line)
    else terminal.log(line)
  }
}
