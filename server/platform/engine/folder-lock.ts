import { mkdir, readFile, readlink, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Thrown if another process has the data folder open: two processes on one PGlite folder silently lose data (R50). */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError'
  readonly pid: number

  constructor(folder: string, owner: Owner) {
    super(`${folder} is in use by process ${owner.pid} on ${owner.host}`)
    this.pid = owner.pid
  }
}

type Owner = {
  readonly pid: number
  /** Process start time in clock ticks since boot, to detect a reused pid. */
  readonly started: string
  readonly host: string
  /** Identifies the pid namespace, because pids of different containers are not comparable. */
  readonly pidSpace: string
}

export type FolderLock = { release(): Promise<void> }

const HEARTBEAT_MS = 2_000
/** How long to watch the heartbeat of an owner in another container or host, whose pid cannot be checked. */
const WATCH_FOREIGN_MS = 4 * HEARTBEAT_MS
const TAKEOVER_STALE_MS = 30_000

/**
 * Creates the lock file next to `folder`; rejects with `FolderInUseError` while its owner is alive. The lock of a dead
 * process is taken over; that of a living process never is, whatever its age.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const path = `${folder}.lock`
  const self: Owner = {
    pid: process.pid,
    started: await startOf(process.pid),
    host: hostname(),
    pidSpace: await pidSpace(),
  }
  if (!(await createLock(path, self))) await takeOver(path, folder, self)
  const heartbeat = setInterval(() => {
    const now = new Date()
    utimes(path, now, now).catch(() => undefined)
  }, HEARTBEAT_MS)
  heartbeat.unref()
  return {
    async release() {
      clearInterval(heartbeat)
      await rm(path, { force: true })
    },
  }
}

async function createLock(path: string, self: Owner): Promise<boolean> {
  try {
    await writeFile(path, JSON.stringify(self), { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw error
  }
}

/**
 * Replaces the lock of a dead owner. Only one process at a time may check and replace a lock; otherwise two could take
 * over from the same dead owner.
 */
async function takeOver(path: string, folder: string, self: Owner): Promise<void> {
  const guard = `${path}.takeover`
  await enterGuard(guard, self)
  try {
    const owner = await readOwner(path)
    if (owner !== undefined && (await isAlive(owner, path, self))) throw new FolderInUseError(folder, owner)
    const draft = `${path}.${self.pid}`
    await writeFile(draft, JSON.stringify(self), { mode: 0o600 })
    await rename(draft, path)
  } finally {
    await leaveGuard(guard, self)
  }
}

async function enterGuard(guard: string, self: Owner): Promise<void> {
  const until = Date.now() + TAKEOVER_STALE_MS + WATCH_FOREIGN_MS
  for (;;) {
    if (await tryEnterGuard(guard, self)) return
    if (Date.now() > until) throw new Error(`${guard} was not released in time`)
    const age = Date.now() - ((await stat(guard).catch(() => undefined))?.mtimeMs ?? Date.now())
    // A live process has the guard for seconds at most, so an older guard was left behind by a process that died.
    if (age > TAKEOVER_STALE_MS) await rm(guard, { recursive: true, force: true })
    await sleep(50)
  }
}

/**
 * Acquires the guard if it is free. Never removes the guard of a killed process, because two processes could do so one
 * after the other. Instead, a process acquires an abandoned guard by creating the folder `next` inside it, so a start
 * after such a kill need not wait until the guard is stale.
 */
async function tryEnterGuard(guard: string, self: Owner): Promise<boolean> {
  try {
    await mkdir(guard)
    await writeFile(join(guard, 'owner'), JSON.stringify(self), { mode: 0o600 })
    return true
  } catch (error) {
    // The outer guard was released while this process tried to create a guard inside it, so the attempt failed.
    if (isCode(error, 'ENOENT')) return false
    if (!isCode(error, 'EEXIST')) throw error
    return (await isAbandoned(guard, self)) && (await tryEnterGuard(join(guard, 'next'), self))
  }
}

async function isAbandoned(guard: string, self: Owner): Promise<boolean> {
  try {
    const owner = JSON.parse(await readFile(join(guard, 'owner'), 'utf8')) as Owner
    return owner.host === self.host && owner.pidSpace === self.pidSpace && !(await isRunning(owner))
  } catch {
    // The owner file is missing or incomplete, because the owner has not finished writing it.
    return false
  }
}

/** Releases the guard. Renames it before removing it, because a half-deleted guard would look abandoned. */
async function leaveGuard(guard: string, self: Owner): Promise<void> {
  const discarded = `${guard}.${self.pid}`
  await rename(guard, discarded).catch((error: unknown) => {
    if (!isCode(error, 'ENOENT')) throw error
  })
  await rm(discarded, { recursive: true, force: true })
}

async function readOwner(path: string): Promise<Owner | undefined> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    try {
      return JSON.parse(await readFile(path, 'utf8')) as Owner
    } catch (error) {
      if (isCode(error, 'ENOENT')) return undefined
      await sleep(20)
    }
  }
  return undefined
}

async function isAlive(owner: Owner, path: string, self: Owner): Promise<boolean> {
  if (owner.host === self.host && owner.pidSpace === self.pidSpace) return isRunning(owner)
  const before = (await stat(path)).mtimeMs
  await sleep(WATCH_FOREIGN_MS)
  return (await stat(path)).mtimeMs !== before
}

async function isRunning(owner: Owner): Promise<boolean> {
  try {
    process.kill(owner.pid, 0)
  } catch (error) {
    // EPERM: the process runs but belongs to another user.
    if (!isCode(error, 'EPERM')) return false
  }
  const started = await startOf(owner.pid)
  return started === '' || owner.started === '' || started === owner.started
}

/**
 * Returns the start time (field 22 of /proc/pid/stat), or an empty string where there is no /proc; then only the pid is
 * compared.
 */
async function startOf(pid: number): Promise<string> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The name in parentheses may contain spaces, so count from the closing parenthesis, after which field 3 begins.
  return line.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

async function pidSpace(): Promise<string> {
  return await readlink('/proc/self/ns/pid').catch(() => '')
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
