import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const PREFIX = 'tamngan-peers-'
const LOOK_EVERY_MS = 250
const GRACE_MS = 5_000
/** Of the log of a process that failed. */
const SHOWN_OF_LOG = 3_000

type Command = {
  /** Names its log, too. */
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Folder inside the scratch folder; made when it is not there. */
  readonly cwd: string
}

/** Processes that work in a temporary folder. They and the folder are gone when this process ends, also when it is told to by a signal. */
export type Scratch = {
  /** Runs a process to its end; rejects with the end of its log when its code is not 0. */
  run(command: Command): Promise<void>
  /** Starts a process and waits until `url` answers 200; rejects with the end of its log when it ends or says nothing within `patienceMs`. */
  serve(command: Command, url: string, patienceMs: number): Promise<void>
  /** Ends the processes in good order and removes the folder. */
  clear(): Promise<void>
}

/** An empty folder under the system's temporary one. Folders of runs that were killed without a word are removed first. */
export function scratchFolder(): string {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : undefined
    if (pid !== undefined && !isRunning(pid)) rmSync(path.join(tmpdir(), name), { recursive: true, force: true })
  }
  const folder = mkdtempSync(path.join(tmpdir(), `${PREFIX}${process.pid}-`))
  // PostgreSQL, which runs as another user, has a folder of its own in it.
  chmodSync(folder, 0o711)
  process.on('exit', () => remove(folder))
  return folder
}

/** Call it after everything else that ends itself with this process: what is still at work in the folder would fill it again. */
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
      // A group of its own, so that what it starts ends with it.
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
      if (child.exitCode !== 0) throw failed(`ended with ${child.exitCode ?? child.signalCode}`)
    },
    async serve(command, url, patienceMs) {
      const { child, ended, failed } = start(command)
      // Whoever waits learns of it from the exit code.
      ended.catch(() => undefined)
      const until = performance.now() + patienceMs
      while (!(await answers(url))) {
        if (child.exitCode !== null || child.signalCode !== null) throw failed('ended')
        if (performance.now() > until) throw failed(`did not answer ${url}`)
        await sleep(LOOK_EVERY_MS)
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

/** To the process and all that it started. */
function signal(child: ChildProcess, name: NodeJS.Signals): void {
  try {
    process.kill(-child.pid!, name)
  } catch {
    // Its group has ended.
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
