import { enableCompileCache, flushCompileCache } from 'node:module'
import path from 'node:path'
import { CommandUsageError, createCommandLineOutput } from './cli/terminal.ts'
import { FolderInUseError } from './platform/engine/folder-lock.ts'
import { parseSettings } from './start/settings.ts'
import { SettingsError } from './start/settings-error.ts'
import type { RunningServer } from './start/start-server.ts'

/**
 * On Ctrl-C the terminal signals both npm and its child, and npm forwards the signal. Treat signals within this time as
 * one request.
 */
const SIGNAL_DEDUPE_MS = 500

const PARENT_POLL_MS = 1_000

/**
 * Stops the server gracefully on SIGTERM and SIGINT and exits with 0; a second signal exits at once (R51). `withParent`
 * also stops it when the parent process ends, because npm, when stopped, leaves its child running and the data folder
 * locked.
 */
function stopOnSignals(server: RunningServer, { withParent }: { withParent: boolean }): void {
  let stoppingSince: number | undefined
  function onSignal(): void {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > SIGNAL_DEDUPE_MS) process.exit(1)
      return
    }
    stoppingSince = performance.now()
    server.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  if (!withParent) return
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    if (stoppingSince === undefined) onSignal()
  }, PARENT_POLL_MS)
  watch.unref()
}

const USAGE = `usage: node server/main.ts COMMAND
  serve                           run the server
  work                            run a worker: jobs without the HTTP server (PostgreSQL only)
  import FILE [--source NAME]     import a file of projects
  load                            run the nightly load now
  documents facts FILE            extract the facts of a PDF as JSON
  mcp                             serve an assistant on this machine (TAMNGAN_KEY, TAMNGAN_URL)
  intake …                        control the automatic sources: status, on, off, run, probe
  backup FILE                     write the whole database to a file
  restore FILE [--replace]        replace the whole database with such a file
  admin …                         organisations, users, packages, flags, limits, passwords (admin --help)`

/**
 * The compile cache is inside the project folder, where no other user may write code that we run. If the folder is
 * read-only, every start takes as long as the first.
 */
const COMPILE_CACHE_DIR = path.join(import.meta.dirname, '../node_modules/.cache/tamngan-compiled')

/** Entry point; the only function that reads environment variables and arguments. */
async function main(): Promise<void> {
  const [command, ...args] = process.argv.slice(2)
  if ([command, ...args].some((arg) => arg === '--help' || arg === '-h') && command !== 'admin') {
    const { getCommandHelpText: helpTextOf } = await import('./cli/help.ts')
    return console.log(helpTextOf(command) ?? USAGE)
  }
  const settings = parseSettings(process.env)
  const terminal = createCommandLineOutput()
  switch (command) {
    case 'serve': {
      const { startServer } = await import('./start/start-server.ts')
      const server = await startServer(settings, terminal)
      stopOnSignals(server, { withParent: process.env.npm_lifecycle_event !== undefined })
      // Only after handling signals, because a supervisor may stop the server as soon as it reads that it is ready.
      server.announce()
      // Flush now rather than on exit, so that a killed server still leaves the compile cache for the next start.
      return flushCompileCache()
    }
    case 'work': {
      const { startJobWorker: startWorker } = await import('./start/start-worker.ts')
      const worker = await startWorker(settings, terminal)
      stopOnSignals(worker, { withParent: process.env.npm_lifecycle_event !== undefined })
      return worker.announce()
    }
    case 'mcp': {
      const { runMcpCommand } = await import('./cli/mcp-command.ts')
      const { TAMNGAN_KEY: key, TAMNGAN_URL: url } = process.env
      return await runMcpCommand({ key, url: url || settings.publicUrl || `http://localhost:${settings.port}` })
    }
    case 'import':
    case 'load':
    case 'documents':
    case 'intake':
    case 'admin':
    case 'backup':
    case 'restore': {
      const { runCliCommand: runCommand } = await import('./start/run-command.ts')
      return await runCommand(command, args, settings, terminal)
    }
    default:
      throw new CommandUsageError(USAGE)
  }
}

/**
 * Errors that are printed without a stack trace. They are compared by name, because errors reported by a running server
 * have lost their class. EADDRINUSE (port in use) is Node's own error.
 */
const EXPECTED_ERRORS = new Set([
  'FeedFormatError',
  'DataLoadInProgressError',
  'AdminRequestRejectedError',
  'IntakeRejectedError',
  'DemoDataPresentError',
  'BackupRejectedError',
  'DbUnavailableError',
  'EADDRINUSE',
  'FolderUnusable',
  'ServerGone',
  'DocumentStoreAway',
  'DocumentDamagedError',
])

const FOLDER_ERROR_TEXTS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is exhausted',
  EROFS: 'the disk is read-only',
  EACCES: 'this user has no permission to write there',
  EPERM: 'this user has no permission to write there',
  ENOTDIR: 'a part of the path is not a folder',
}

function folderErrorText(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('path' in error || 'syscall' in error)) return undefined
  // On a read-only disk, mkdir fails with ENOENT.
  const isMkdirFailure = error.code === 'ENOENT' && 'syscall' in error && error.syscall === 'mkdir'
  const words = isMkdirFailure
    ? 'the folder cannot be created; is the disk read-only?'
    : FOLDER_ERROR_TEXTS[String(error.code)]
  return words && `${'path' in error ? `${String(error.path)}: ` : ''}${words} (${String(error.code)})`
}

function printError(error: unknown): void {
  const isExpected =
    error instanceof CommandUsageError ||
    error instanceof SettingsError ||
    error instanceof FolderInUseError ||
    (error instanceof Error &&
      EXPECTED_ERRORS.has('code' in error && error.code === 'EADDRINUSE' ? error.code : error.name))
  console.error(folderErrorText(error) ?? (isExpected ? withCause(error as Error) : error))
}

function withCause({ message, cause }: Error): string {
  return cause instanceof Error ? `${message}: ${cause.message}` : message
}

// Loading 700 TypeScript files takes a second at start, half of that with the compile cache. Static imports load before
// this line, so everything else is imported dynamically where it is needed.
enableCompileCache(COMPILE_CACHE_DIR)
try {
  await main()
} catch (error) {
  printError(error)
  // Exit explicitly, because open handles (a worker thread, a port) must not keep a failed start alive.
  process.exit(1)
}
