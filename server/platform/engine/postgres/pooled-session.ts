import { DEFAULT_TIMEOUT_MS } from '#server/platform/engine/db.ts'
import type { Session } from '#server/platform/engine/engine.ts'
import { forOneTransaction, OWNER_SCOPE } from '#server/platform/engine/tenant.ts'
import { type ConnectionState, TRANSACTION_SETTINGS } from './connection-state.ts'
import { CONTROL_LIMIT_MS, extendedQuery, type Wire } from './wire.ts'

/**
 * A session through a pooler that lends its connections for one transaction at a time (PgBouncer's `pool_mode = transaction`). Nothing may be left on a connection, since
 * the next transaction of somebody else runs there, as whoever was set last: scope, limit and all other settings are made in each transaction for that transaction
 * (`set local`), a statement alone gets a transaction around it, and no statement is kept by its name. Three round trips for a statement instead of one.
 */
export function createPooledSession(wire: Wire, state: ConnectionState): Session {
  let wanted = OWNER_SCOPE
  let isInside = false
  let mayBeReadOnly = false

  async function begin(text: string, limit: number): Promise<void> {
    const settings = [text, TRANSACTION_SETTINGS, forOneTransaction(wanted), `set local statement_timeout = ${limit}`]
    // Waiting for a connection of the pooler counts too, and is no silence of the database.
    const { rows } = await wire.send(
      { text: `${settings.join('; ')}; select pg_backend_pid() as pid` },
      CONTROL_LIMIT_MS,
    )
    state.pid = (rows[0] as { pid: number }).pid
    state.limit = limit
    isInside = true
    mayBeReadOnly = text.endsWith('read only')
  }

  async function end(text: 'commit' | 'rollback', limit = DEFAULT_TIMEOUT_MS): Promise<void> {
    try {
      await wire.send({ text }, text === 'commit' ? limit : CONTROL_LIMIT_MS)
    } finally {
      isInside = false
      state.pid = undefined
    }
  }

  async function alone<T>(limit: number, work: () => Promise<T>): Promise<T> {
    await begin('begin', limit)
    try {
      const result = await work()
      await end('commit', limit)
      return result
    } catch (error) {
      // The wire was given up, or the commit was refused: then there is nothing to take back.
      if (isInside) await end('rollback').catch(() => undefined)
      throw error
    }
  }

  async function limitTo(limit: number): Promise<void> {
    if (state.limit === limit) return
    await wire.send({ text: `set local statement_timeout = ${limit}` }, CONTROL_LIMIT_MS)
    state.limit = limit
  }

  return {
    enter(scope) {
      wanted = scope
    },
    async run({ text, values }, timeoutMs) {
      const limit = Math.round(timeoutMs)
      const send = () => wire.send(extendedQuery({ text, values }), timeoutMs, { mayBeReadOnly })
      if (!isInside) return await alone(limit, send)
      await limitTo(limit)
      return await send()
    },
    async script(text) {
      if (isInside) await limitTo(0)
      // What cannot stand in a transaction (vacuum) is the owner's, on a connection that nobody has set to anything.
      else if (wanted !== OWNER_SCOPE) return await alone(0, async () => void (await wire.send({ text }, 0)))
      await wire.send({ text }, 0)
    },
    async control(text) {
      if (text.startsWith('begin')) return await begin(text, DEFAULT_TIMEOUT_MS)
      if (text === 'commit' || text === 'rollback') return await end(text)
      await wire.send({ text }, CONTROL_LIMIT_MS)
      // A rollback also takes back a limit that was set since the savepoint.
      if (text.startsWith('rollback')) state.limit = Number.NaN
    },
  }
}
