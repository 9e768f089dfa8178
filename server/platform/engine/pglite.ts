import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { DatabaseEngine, DatabaseSession, StatementResult, WireStatement } from './database-engine.ts'
import { DbUnavailableError, QueryTimeoutError, toDbError } from './db.ts'
import type { PgliteCommand, PgliteResponse, PgliteStartOptions } from './pglite-message.ts'
import { type ConnectionScope, NO_TENANT_SCOPE } from './tenant.ts'

/** One database thread. After `end` or a crash it cannot be reused; the engine starts a new one. */
type PgliteThread = {
  isAlive(): boolean
  send(command: PgliteCommand): Promise<PgliteResponse>
  end(reason: Error): Promise<void>
}

type Pending = { resolve(answer: PgliteResponse): void; reject(error: Error): void }

declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> }

/**
 * PGlite's compiled WebAssembly, shared by all threads of this process: compiling it per thread adds 1.3 s of computing
 * to each open.
 */
let program: Promise<object> | undefined

function compileProgram(): Promise<object> {
  const folder = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))
  program ??= readFile(join(folder, 'pglite.wasm')).then((bytes) => WebAssembly.compile(bytes))
  return program
}

async function startPgliteThread(start: Pick<PgliteStartOptions, 'folder' | 'snapshot'>): Promise<PgliteThread> {
  const workerData: PgliteStartOptions = { ...start, program: await compileProgram() }
  const worker = new Worker(new URL('./pglite-worker.ts', import.meta.url), { workerData, execArgv: [] })
  const pending = new Map<number, Pending>()
  let reason: Error | undefined
  let dead: DbUnavailableError | undefined
  let lastId = 0

  // The folder may be opened again only after the thread has really exited.
  worker.on('exit', () => {
    dead = new DbUnavailableError('the embedded database has stopped')
    for (const { reject } of pending.values()) reject(reason ?? dead)
    pending.clear()
  })
  worker.on('error', (error: unknown) => {
    reason ??= new DbUnavailableError('the embedded database failed', { cause: error })
  })
  function wait(id: number): Promise<PgliteResponse> {
    return new Promise((resolve, reject) => pending.set(id, { resolve, reject }))
  }

  worker.on('message', (response: PgliteResponse) => {
    const waiting = pending.get(response.id)
    pending.delete(response.id)
    if (response.refusal === undefined) waiting?.resolve(response)
    else waiting?.reject(toDbError(response.refusal))
  })
  await wait(0)

  return {
    isAlive: () => dead === undefined,
    async send(command) {
      if (dead !== undefined) throw dead
      lastId += 1
      const response = wait(lastId)
      worker.postMessage({ ...command, id: lastId })
      return response
    },
    async end(error) {
      reason ??= error
      await worker.terminate()
    },
  }
}

class MutexTimeout extends Error {
  override readonly name = 'MutexTimeout'
}

type Mutex = {
  take(waitMs: number): Promise<() => void>
}

type Waiter = { admit(): void }

function createMutex(): Mutex {
  const waiting: Waiter[] = []
  let taken = false

  function releaseOnce(): () => void {
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      const next = waiting.shift()
      if (next === undefined) taken = false
      else next.admit()
    }
  }

  function take(waitMs: number): Promise<() => void> {
    if (!taken) {
      taken = true
      return Promise.resolve(releaseOnce())
    }
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        admit() {
          clearTimeout(timer)
          resolve(releaseOnce())
        },
      }
      const timer =
        waitMs === 0
          ? undefined
          : setTimeout(() => {
              waiting.splice(waiting.indexOf(waiter), 1)
              reject(new MutexTimeout(`no turn within ${waitMs} ms`))
            }, waitMs)
      waiting.push(waiter)
    })
  }

  return { take }
}

export type PgliteEngine = DatabaseEngine & {
  snapshot(): Promise<Uint8Array<ArrayBuffer>>
}

const CLOSE_WAIT_MS = 10_000

/**
 * Opens PGlite in a worker thread. It has a single session, so callers take turns, and a transaction keeps its turn
 * until it ends. PGlite ignores `statement_timeout`, so a statement that exceeds its limit is stopped by terminating
 * the thread (50 ms) and reopening the folder (0.4-1 s), which loses nothing that was acknowledged. Callers waiting for
 * their turn have sent nothing yet and only wait longer. An in-memory database (`folder` undefined, tests) loses its
 * data in that case.
 */
export async function openPglite(options: {
  folder?: string | undefined
  snapshot?: Uint8Array<ArrayBuffer> | undefined
}): Promise<PgliteEngine> {
  const { folder } = options
  const mutex = createMutex()
  /** Current scope of each thread. A new thread starts as table owner. */
  const scopes = new WeakMap<PgliteThread, string>()
  let current: Promise<PgliteThread> | undefined = startPgliteThread({ folder, snapshot: options.snapshot })
  let isClosed = false

  async function liveThread(): Promise<PgliteThread> {
    if (isClosed) throw new DbUnavailableError('the database is closed')
    const thread = await current?.catch(() => undefined)
    if (thread?.isAlive() === true) return thread
    if (folder === undefined) throw new DbUnavailableError('the in-memory database was lost')
    current = startPgliteThread({ folder, snapshot: undefined })
    return await current
  }

  async function lease(waitMs: number): ReturnType<DatabaseEngine['lease']> {
    const release = await mutex.take(waitMs).catch((error: unknown) => {
      throw error instanceof MutexTimeout
        ? new DbUnavailableError('the database is busy with other work', { cause: error })
        : error
    })
    try {
      return { session: createSession(await liveThread(), scopes), release: () => release() }
    } catch (error) {
      release()
      throw error
    }
  }

  async function close(): Promise<void> {
    if (isClosed) return
    const release = await mutex.take(CLOSE_WAIT_MS).catch(() => undefined)
    isClosed = true
    const thread = await current?.catch(() => undefined)
    if (thread?.isAlive() === true) {
      if (release !== undefined) await thread.send({ kind: 'close' })
      await thread.end(new DbUnavailableError('the database is closed'))
    }
    release?.()
  }

  async function snapshot(): Promise<Uint8Array<ArrayBuffer>> {
    const release = await mutex.take(0)
    try {
      const response = await (await liveThread()).send({ kind: 'snapshot' })
      if (response.snapshot === undefined) throw new Error('the database thread sent no snapshot')
      return response.snapshot
    } finally {
      release()
    }
  }

  await current
  return { name: 'pglite', lease, close, snapshot }
}

function createSession(thread: PgliteThread, scopes: WeakMap<PgliteThread, string>): DatabaseSession {
  let targetScope = NO_TENANT_SCOPE

  async function enterScope(): Promise<void> {
    const { commands } = targetScope
    if ((scopes.get(thread) ?? NO_TENANT_SCOPE.commands) === commands) return
    await thread.send({ kind: 'script', text: commands })
    scopes.set(thread, commands)
  }
  async function run(statement: WireStatement, timeoutMs: number): Promise<StatementResult> {
    await enterScope()
    const response = thread.send({ kind: 'run', ...statement })
    const timer = timeoutMs === 0 ? undefined : setTimeout(() => terminateLate(thread, timeoutMs), timeoutMs)
    try {
      const { rows = [], affected = 0 } = await response
      return { rows, affected }
    } finally {
      clearTimeout(timer)
    }
  }
  async function script(text: string): Promise<void> {
    await enterScope()
    await thread.send({ kind: 'script', text })
  }
  function enter(scope: ConnectionScope): void {
    targetScope = scope
  }
  return { enter, run, script, control: script }
}

function terminateLate(thread: PgliteThread, timeoutMs: number): void {
  thread.end(new QueryTimeoutError(`the statement took longer than ${timeoutMs} ms`)).catch(() => undefined)
}
