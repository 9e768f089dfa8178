import type { DatabaseSession, StatementResult, WireStatement } from '#server/platform/engine/database-engine.ts'
import { DEFAULT_QUERY_TIMEOUT_MS } from '#server/platform/engine/db.ts'
import { type ConnectionScope, NO_TENANT_SCOPE } from '#server/platform/engine/tenant.ts'
import type { ConnectionState } from './connection-state.ts'
import { CONTROL_STATEMENT_TIMEOUT_MS, type PostgresWire, toExtendedQuery } from './postgres-wire.ts'
import { queryInScope } from './scoped-query.ts'

/**
 * Statements that may be sent in the same message as the one that sets the scope. Maintenance (`vacuum`, `alter
 * system`, `create index concurrently`) must be sent alone.
 */
const MAY_FOLLOW = /^\s*(select|with|insert|update|delete)\b/i

export function createPostgresSession(wire: PostgresWire, state: ConnectionState): DatabaseSession {
  let targetScope: ConnectionScope = NO_TENANT_SCOPE
  let isInTransaction = false
  let mayBeReadOnly = false

  const hasScope = (scope: ConnectionScope) => state.scope?.commands === scope.commands
  const isConfigured = (limit: number) => hasScope(targetScope) && state.limit === limit

  /**
   * Sets scope and limit in one round trip. Inside a transaction the scope is never set: it was entered before `begin`,
   * since a rollback would undo it.
   */
  async function prepare(limit: number): Promise<void> {
    if (isConfigured(limit)) return
    const scope = targetScope
    const settings: string[] = []
    if (!hasScope(scope)) settings.push(scope.commands)
    if (state.limit !== limit) settings.push(`set statement_timeout = ${Math.round(limit)}`)
    await wire.send({ text: settings.join('; ') }, CONTROL_STATEMENT_TIMEOUT_MS)
    state.scope = scope
    state.limit = limit
  }

  /**
   * True if the scope or limit must change and can be set in one message with the statement. Entering or leaving the
   * demo schema changes the `search_path`, which only separate commands can reset.
   */
  const canEnterTogether = ({ text }: WireStatement, limit: number) =>
    !isConfigured(limit) && state.scope?.isInDemoSchema === targetScope.isInDemoSchema && MAY_FOLLOW.test(text)

  async function enterAndRun(statement: WireStatement, limit: number): Promise<StatementResult> {
    const scope = targetScope
    const scopeSettings = [scope.role, scope.organisation, scope.user, String(Math.round(limit))] as const
    // Until the statement has succeeded, the scope of the connection is unknown.
    state.scope = undefined
    state.limit = Number.NaN
    const outcome = await wire.send((client) => queryInScope(client, scopeSettings, statement), limit)
    state.scope = scope
    state.limit = limit
    return outcome
  }

  return {
    enter(scope) {
      targetScope = scope
    },
    async run(statement, timeoutMs) {
      if (!isInTransaction && canEnterTogether(statement, timeoutMs)) return await enterAndRun(statement, timeoutMs)
      await prepare(timeoutMs)
      return await wire.send(toExtendedQuery(statement), timeoutMs, { mayBeReadOnly })
    },
    async script(text) {
      await prepare(0)
      await wire.send({ text }, 0)
    },
    async control(text) {
      if (text.startsWith('begin')) {
        await prepare(Number.isNaN(state.limit) ? DEFAULT_QUERY_TIMEOUT_MS : state.limit)
        state.limitBefore = state.limit
        isInTransaction = true
        mayBeReadOnly = text.endsWith('read only')
      }
      await wire.send({ text }, text === 'commit' ? DEFAULT_QUERY_TIMEOUT_MS : CONTROL_STATEMENT_TIMEOUT_MS)
      if (text === 'commit' || text === 'rollback') isInTransaction = false
      // A rollback also reverts a limit that was set inside the transaction.
      if (text === 'rollback') state.limit = state.limitBefore
      else if (text.startsWith('rollback') && state.limit !== state.limitBefore) state.limit = Number.NaN
    },
  }
}
