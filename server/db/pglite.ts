import { DbUnavailable, QueryTimeout } from './db.ts'
import type { Engine, Outcome, Parameter, Session } from './engine.ts'
import { type PgliteThread, startPgliteThread } from './pglite-thread.ts'
import { OWNER_SCOPE } from './tenant.ts'
import { createTurn, TurnTimeout } from './turn.ts'

export type PgliteEngine = Engine & {
  /** The whole database as a tar that `openPglite` can begin from. */
  snapshot(): Promise<Uint8Array<ArrayBuffer>>
}

const CLOSE_WAIT_MS = 10_000

/**
 * PGlite in a worker thread. It is one session, so callers take turns; a transaction keeps its turn.
 * `statement_timeout` does nothing in PGlite: a statement that runs too long is stopped by ending the thread (50 ms) and opening
 * the folder again (0.4-1 s), which loses nothing that was acknowledged. Those who wait for their turn have sent nothing yet and only wait longer.
 * A database in memory (`folder` undefined, tests) is gone after that.
 */
export async function openPglite(options: {
  folder?: string | undefined
  snapshot?: Uint8Array<ArrayBuffer> | undefined
}): Promise<PgliteEngine> {
  const { folder } = options
  const turn = createTurn()
  /** The scope each thread is in; one that has just begun is the owner's. */
  const scopes = new WeakMap<PgliteThread, string>()
  let current: Promise<PgliteThread> | undefined = startPgliteThread({ folder, snapshot: options.snapshot })
  let closed = false

  async function livingThread(): Promise<PgliteThread> {
    if (closed) throw new DbUnavailable('the database is closed')
    const thread = await current?.catch(() => undefined)
    if (thread?.isAlive() === true) return thread
    if (folder === undefined) throw new DbUnavailable('the database in memory is gone')
    current = startPgliteThread({ folder, snapshot: undefined })
    return await current
  }

  async function lease(waitMs: number): ReturnType<Engine['lease']> {
    const release = await turn.take(waitMs).catch((error: unknown) => {
      throw error instanceof TurnTimeout
        ? new DbUnavailable('the database is busy with other work', { cause: error })
        : error
    })
    try {
      return { session: createSession(await livingThread(), scopes), release: () => release() }
    } catch (error) {
      release()
      throw error
    }
  }

  async function close(): Promise<void> {
    if (closed) return
    const release = await turn.take(CLOSE_WAIT_MS).catch(() => undefined)
    closed = true
    const thread = await current?.catch(() => undefined)
    if (thread?.isAlive() === true) {
      if (release !== undefined) await thread.ask({ kind: 'close' })
      await thread.end(new DbUnavailable('the database is closed'))
    }
    release?.()
  }

  async function snapshot(): Promise<Uint8Array<ArrayBuffer>> {
    const release = await turn.take(0)
    try {
      const answer = await (await livingThread()).ask({ kind: 'snapshot' })
      if (answer.snapshot === undefined) throw new Error('the database thread sent no snapshot')
      return answer.snapshot
    } finally {
      release()
    }
  }

  await current
  return { name: 'pglite', lease, close, snapshot }
}

function createSession(thread: PgliteThread, scopes: WeakMap<PgliteThread, string>): Session {
  let wanted = OWNER_SCOPE

  async function enterScope(): Promise<void> {
    const scope = wanted
    if ((scopes.get(thread) ?? OWNER_SCOPE) === scope) return
    await thread.ask({ kind: 'script', text: scope })
    scopes.set(thread, scope)
  }
  async function run(text: string, values: readonly Parameter[], timeoutMs: number): Promise<Outcome> {
    await enterScope()
    const answer = thread.ask({ kind: 'run', text, values })
    const timer = timeoutMs === 0 ? undefined : setTimeout(() => endLate(thread, timeoutMs), timeoutMs)
    try {
      const { rows = [], affected = 0 } = await answer
      return { rows, affected }
    } finally {
      clearTimeout(timer)
    }
  }
  async function script(text: string): Promise<void> {
    await enterScope()
    await thread.ask({ kind: 'script', text })
  }
  function enter(scope: string): void {
    wanted = scope
  }
  return { enter, run, script, control: script }
}

function endLate(thread: PgliteThread, timeoutMs: number): void {
  thread.end(new QueryTimeout(`the statement took longer than ${timeoutMs} ms`)).catch(() => undefined)
}
