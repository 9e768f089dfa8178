import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const PREFIX = 'tamngan-peers-'
const POLL_INTERVAL_MS = 250
const GRACE_MS = 5_000
/** Characters of a failed process's log to include in the error. */
const SHOWN_OF_LOG = 3_000

type Command = {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd: string
}

/** Runs processes in a temporary folder. They and the folder are removed when this process ends, also on a signal. */
export type Scratch = {
  run(command: Command): Promise<void>
  /**
   * Starts a process and waits until `url` returns 200; rejects with the end of its log when it exits or does not
   * respond within `patienceMs`.
   */
  serve(command: Command, url: string, patienceMs: number): Promise<void>
  clear(): Promise<void>
}

/** Creates an empty temporary folder. First removes folders left by runs that were killed. */
export function createScratchFolder(): string {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : undefined
    if (pid !== undefined && !isRunning(pid)) rmSync(path.join(tmpdir(), name), { recursive: true, force: true })
  }
  const folder = mkdtempSync(path.join(tmpdir(), `${PREFIX}${process.pid}-`))
  // PostgreSQL runs as another user and needs to traverse into its subfolder.
  chmodSync(folder, 0o711)
  process.on('exit', () => remove(folder))
  return folder
}

/**
 * Opens a folder whose processes and files are removed at the end. Call it after all other cleanup handlers are
 * registered, because a process still running in the folder would refill it.
 */
export function openScratch(folder: string): Scratch {
  const children = new Set<ChildProcess>()

  function start({ name, command, args, env = {}, cwd }: Command) {
    mkdirSync(path.join(folder, cwd), { recursive: true })
    const file = path.join(folder, `${name}.log`)
    const log = openSync(file, 'a')
    const child = spawn(command, args, {
      cwd: path.join(folder, cwd),
      env: { ...process.env, ...env },
      stdio: ['ignore', log, log],
      // Own process group, so that its children end with it.
      detached: true,
    })
    children.add(child)
    const ended = once(child, 'exit').finally(() => children.delete(child))
    const failed = (what: string) => new Error(`${name} ${what}:\n${readFileSync(file, 'utf8').slice(-SHOWN_OF_LOG)}`)
    return { child, ended, failed }
  }

  const removeAll = () => {
    for (const child of children) signal(child, 'SIGKILL')
    remove(folder)
  }
  process.on('exit', removeAll)

  return {
    async run(command) {
      const { child, ended, failed } = start(command)
      await ended
      if (child.exitCode !== 0) throw failed(`exited with ${child.exitCode ?? child.signalCode}`)
    },
    async serve(command, url, patienceMs) {
      const { child, ended, failed } = start(command)
      // A rejection can be ignored, because the loop below detects failure by the exit code.
      ended.catch(() => undefined)
      const until = performance.now() + patienceMs
      while (!(await answers(url))) {
        if (child.exitCode !== null || child.signalCode !== null) throw failed('ended')
        if (performance.now() > until) throw failed(`did not respond at ${url}`)
        await sleep(POLL_INTERVAL_MS)
      }
    },
    async clear() {
      const all = [...children]
      for (const child of all) signal(child, 'SIGTERM')
      await Promise.race([Promise.all(all.map((child) => once(child, 'exit'))), sleep(GRACE_MS)])
      removeAll()
      process.off('exit', removeAll)
    },
  }
}

const remove = (folder: string) => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })

function signal(child: ChildProcess, name: NodeJS.Signals): void {
  try {
    process.kill(-child.pid!, name)
  } catch {
    // The process group has already ended.
  }
}

const answers = (url: string) =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
