import { enableCompileCache, flushCompileCache } from 'node:module'
import path from 'node:path'
import { processTerminal, UsageError } from './cli/terminal.ts'
import { FolderInUse } from './platform/engine/folder-lock.ts'
import type { RunningServer } from './start/serve.ts'
import { readSettings } from './start/settings.ts'
import { SettingsError } from './start/settings-error.ts'

/** npm passes Ctrl-C on to a child that the terminal has already told: that is one wish, not two. */
const SAME_WISH_MS = 500

const LOOK_FOR_PARENT_MS = 1_000

/**
 * SIGTERM and SIGINT stop the server in good order and exit with 0; a second one exits at once (R51). `withParent`: so does the end of
 * the process that started it, because npm, when it is told to stop, leaves its child running, and the data folder taken.
 */
function stopOnSignals(server: RunningServer, { withParent }: { withParent: boolean }): void {
  let stoppingSince: number | undefined
  function onSignal(): void {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > SAME_WISH_MS) process.exit(1)
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
  }, LOOK_FOR_PARENT_MS)
  watch.unref()
}

const USAGE = `usage: node server/main.ts COMMAND
  serve                           run the server
  work                            run a worker: the jobs without the server (PostgreSQL only)
  import FILE [--source NAME]     take in a file of projects
  load                            the nightly load, now
  documents facts FILE            what the reader finds in a PDF, as JSON
  intake …                        what the product fetches by itself: status, on, off, run, probe
  backup FILE                     write the whole database into a file
  restore FILE [--replace]        put such a file in the place of the whole database
  admin …                         organisations, users, packages, flags, limits, passwords (admin --help)`

/** In the project's own folder: nobody else may write what we run. Where that is read-only, every start takes as long as the first one. */
const COMPILED = path.join(import.meta.dirname, '../node_modules/.cache/tamngan-compiled')

/** The only reader of the environment and of the arguments. */
async function main(): Promise<void> {
  const [command, ...args] = process.argv.slice(2)
  if ([command, ...args].some((arg) => arg === '--help' || arg === '-h') && command !== 'admin') {
    const { helpOf } = await import('./cli/help.ts')
    return console.log(helpOf(command) ?? USAGE)
  }
  const settings = readSettings(process.env)
  const terminal = processTerminal()
  switch (command) {
    case 'serve': {
      // The database opens in a thread of its own while the rest of the program is read.
      const { openServed } = await import('./start/with-database.ts')
      const opening = openServed(settings)
      opening.catch(() => undefined)
      const { serve } = await import('./start/serve.ts')
      const server = await serve(settings, terminal, opening)
      stopOnSignals(server, { withParent: process.env.npm_lifecycle_event !== undefined })
      // Whoever reads that it is ready may tell it to stop the next moment.
      server.announce()
      // Now, not at the end: a server that is killed leaves what its next start needs.
      return flushCompileCache()
    }
    case 'work': {
      const { work } = await import('./start/work.ts')
      const worker = await work(settings, terminal)
      stopOnSignals(worker, { withParent: process.env.npm_lifecycle_event !== undefined })
      return worker.announce()
    }
    case 'import':
    case 'load':
    case 'documents':
    case 'intake':
    case 'admin':
    case 'backup':
    case 'restore': {
      const { runCommand } = await import('./start/commands.ts')
      return await runCommand(command, args, settings, terminal)
    }
    default:
      throw new UsageError(USAGE)
  }
}

/** By name, because a failure that a running server reports has lost its class; a taken port is Node's own error. */
const EXPECTED = new Set([
  'FeedFormatError',
  'LoadBusy',
  'AdminRefusal',
  'IntakeRefusal',
  'SampleStillIn',
  'BackupRefused',
  'DbUnavailable',
  'EADDRINUSE',
  'FolderUnusable',
  'ServerGone',
  'DocumentStoreAway',
  'DocumentDamaged',
])

/** What the operating system says of the data folder, in words. */
const FOLDER_PROBLEMS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EROFS: 'the disk can only be read',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  ENOTDIR: 'a part of the path is no folder',
}

function folderProblem(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('path' in error || 'syscall' in error)) return undefined
  // Making a folder on a disk that can only be read, Node says that something is not there.
  const isUnmade = error.code === 'ENOENT' && 'syscall' in error && error.syscall === 'mkdir'
  const words = isUnmade ? 'the folder cannot be made; can the disk only be read?' : FOLDER_PROBLEMS[String(error.code)]
  return words && `${'path' in error ? `${String(error.path)}: ` : ''}${words} (${String(error.code)})`
}

/** Mistakes of people get their message; everything else is a fault and gets its stack. */
function tell(error: unknown): void {
  const isExpected =
    error instanceof UsageError ||
    error instanceof SettingsError ||
    error instanceof FolderInUse ||
    (error instanceof Error && EXPECTED.has('code' in error && error.code === 'EADDRINUSE' ? error.code : error.name))
  console.error(folderProblem(error) ?? (isExpected ? withCause(error as Error) : error))
}

function withCause({ message, cause }: Error): string {
  return cause instanceof Error ? `${message}: ${cause.message}` : message
}

// Reading 700 files of TypeScript is a second of a start; with what an earlier one kept it is half of that. What stands above is read before it is there:
// the rest is imported where it is needed.
enableCompileCache(COMPILED)
try {
  await main()
} catch (error) {
  tell(error)
  // What is still open (a worker thread, a port) must not keep a failed start alive.
  process.exit(1)
}
