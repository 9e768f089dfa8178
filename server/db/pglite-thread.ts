import { readFile } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { DbUnavailable } from './db.ts'
import type { PgliteAnswer, PgliteAsk, PgliteStart } from './pglite-message.ts'
import { toDbError } from './refusal.ts'

/** One life of the database thread. After `end` or a crash it stays dead; the engine starts the next one. */
export type PgliteThread = {
  isAlive(): boolean
  ask(ask: PgliteAsk): Promise<PgliteAnswer>
  /** Ends it wherever it is; a request under way is rejected with `why`. */
  end(why: Error): Promise<void>
}

type Pending = { resolve(answer: PgliteAnswer): void; reject(error: Error): void }

declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> }

/** PGlite's machine code, shared by all threads of this process: a thread that compiles its own takes 1.3 s of computing more to open. */
let program: Promise<object> | undefined

function compiledProgram(): Promise<object> {
  program ??= readFile(new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'))).then((bytes) =>
    WebAssembly.compile(bytes),
  )
  return program
}

/** Starts the thread and resolves when its database is open; rejects with `DbUnavailable` when it cannot be opened. */
export async function startPgliteThread(start: Pick<PgliteStart, 'folder' | 'snapshot'>): Promise<PgliteThread> {
  const workerData: PgliteStart = { ...start, program: await compiledProgram() }
  const worker = new Worker(new URL('./pglite-worker.ts', import.meta.url), { workerData, execArgv: [] })
  const pending = new Map<number, Pending>()
  let reason: Error | undefined
  let dead: DbUnavailable | undefined
  let lastId = 0

  // Only when the thread is really gone may anybody else open its folder.
  worker.on('exit', () => {
    dead = new DbUnavailable('the embedded database has ended')
    for (const { reject } of pending.values()) reject(reason ?? dead)
    pending.clear()
  })
  worker.on('error', (error: unknown) => {
    reason ??= new DbUnavailable('the embedded database failed', { cause: error })
  })
  function wait(id: number): Promise<PgliteAnswer> {
    return new Promise((resolve, reject) => pending.set(id, { resolve, reject }))
  }

  worker.on('message', (answer: PgliteAnswer) => {
    const waiting = pending.get(answer.id)
    pending.delete(answer.id)
    if (answer.refusal === undefined) waiting?.resolve(answer)
    else waiting?.reject(toDbError(answer.refusal))
  })
  await wait(0)

  return {
    isAlive: () => dead === undefined,
    async ask(ask) {
      if (dead !== undefined) throw dead
      lastId += 1
      const answer = wait(lastId)
      worker.postMessage({ ...ask, id: lastId })
      return answer
    },
    async end(why) {
      reason ??= why
      await worker.terminate()
    },
  }
}
