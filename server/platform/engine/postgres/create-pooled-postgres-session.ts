import type { DatabaseSession } from '#server/platform/engine/database-engine.ts'
import { DEFAULT_QUERY_TIMEOUT_MS } from '#server/platform/engine/db.ts'
import { buildTransactionScopeCommands, NO_TENANT_SCOPE } from '#server/platform/engine/tenant.ts'
import { type ConnectionState, TRANSACTION_SETTINGS_SQL } from './connection-state.ts'
import { CONTROL_STATEMENT_TIMEOUT_MS, type PostgresWire, toExtendedQuery } from './postgres-wire.ts'

/**
 * A session through a pooler that shares connections per transaction (PgBouncer's `pool_mode = transaction`). No state
 * may remain on a connection, or another client's transaction would run in that scope: scope, limit and all other
 * settings use `set local` in every transaction, a single statement gets its own transaction, and no statement is
 * prepared by name. Three round trips per statement instead of one.
 */
export function createPooledPostgresSession(wire: PostgresWire, state: ConnectionState): DatabaseSession {
  let targetScope = NO_TENANT_SCOPE
  let isInTransaction = false
  let mayBeReadOnly = false

  async function begin(text: string, limit: number): Promise<void> {
    const settings = [
      text,
      TRANSACTION_SETTINGS_SQL,
      buildTransactionScopeCommands(targetScope),
      `set local statement_timeout = ${limit}`,
    ]
    // This statement may wait for a connection of the pooler, and that wait does not mean that the database is silent.
    const { rows } = await wire.send(
      { text: `${settings.join('; ')}; select pg_backend_pid() as pid` },
      CONTROL_STATEMENT_TIMEOUT_MS,
    )
    state.pid = (rows[0] as { pid: number }).pid
    state.limit = limit
    isInTransaction = true
    mayBeReadOnly = text.endsWith('read only')
  }

  async function end(text: 'commit' | 'rollback', limit = DEFAULT_QUERY_TIMEOUT_MS): Promise<void> {
    try {
      await wire.send({ text }, text === 'commit' ? limit : CONTROL_STATEMENT_TIMEOUT_MS)
    } finally {
      isInTransaction = false
      state.pid = undefined
    }
  }

  async function inOwnTransaction<T>(limit: number, work: () => Promise<T>): Promise<T> {
    await begin('begin', limit)
    try {
      const result = await work()
      await end('commit', limit)
      return result
    } catch (error) {
      // If the connection was abandoned or the commit was refused, there is nothing to roll back.
      if (isInTransaction) await end('rollback').catch(() => undefined)
      throw error
    }
  }

  async function setLimit(limit: number): Promise<void> {
    if (state.limit === limit) return
    await wire.send({ text: `set local statement_timeout = ${limit}` }, CONTROL_STATEMENT_TIMEOUT_MS)
    state.limit = limit
  }

  return {
    enter(scope) {
      targetScope = scope
    },
    async run({ text, values }, timeoutMs) {
      const limit = Math.round(timeoutMs)
      const send = () => wire.send(toExtendedQuery({ text, values }), timeoutMs, { mayBeReadOnly })
      if (!isInTransaction) return await inOwnTransaction(limit, send)
      await setLimit(limit)
      return await send()
    },
    async script(text) {
      if (isInTransaction) await setLimit(0)
      // Vacuum cannot run in a transaction and needs the owner's scope, on a connection with default settings.
      else if (targetScope !== NO_TENANT_SCOPE)
        return await inOwnTransaction(0, async () => void (await wire.send({ text }, 0)))
      await wire.send({ text }, 0)
    },
    async control(text) {
      if (text.startsWith('begin')) return await begin(text, DEFAULT_QUERY_TIMEOUT_MS)
      if (text === 'commit' || text === 'rollback') return await end(text)
      await wire.send({ text }, CONTROL_STATEMENT_TIMEOUT_MS)
      // A rollback to a savepoint also reverts a limit that was set after the savepoint.
      if (text.startsWith('rollback')) state.limit = Number.NaN
    },
  }
}
