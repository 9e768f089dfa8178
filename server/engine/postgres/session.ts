import { DEFAULT_TIMEOUT_MS } from '../db.ts'
import type { Session } from '../engine.ts'
import type { ConnectionState } from './connection-state.ts'
import { CONTROL_LIMIT_MS, extendedQuery, type Wire } from './wire.ts'

/** A session on a connection of its own: what it is set to stays until it is set to something else. */
export function createSession(wire: Wire, state: ConnectionState): Session {
  let wanted = state.scope
  let mayBeReadOnly = false

  /** One round trip for both. Never inside a transaction for the scope: it was entered before `begin`. */
  async function prepare(limit: number): Promise<void> {
    const scope = wanted
    const settings: string[] = []
    if (state.scope !== scope) settings.push(scope)
    if (state.limit !== limit) settings.push(`set statement_timeout = ${Math.round(limit)}`)
    if (settings.length === 0) return
    await wire.send({ text: settings.join('; ') }, CONTROL_LIMIT_MS)
    state.scope = scope
    state.limit = limit
  }

  return {
    enter(scope) {
      wanted = scope
    },
    async run(statement, timeoutMs) {
      await prepare(timeoutMs)
      return await wire.send(extendedQuery(statement), timeoutMs, { mayBeReadOnly })
    },
    async script(text) {
      await prepare(0)
      await wire.send({ text }, 0)
    },
    async control(text) {
      if (text.startsWith('begin')) {
        await prepare(Number.isNaN(state.limit) ? DEFAULT_TIMEOUT_MS : state.limit)
        state.limitBefore = state.limit
        mayBeReadOnly = text.endsWith('read only')
      }
      await wire.send({ text }, text === 'commit' ? DEFAULT_TIMEOUT_MS : CONTROL_LIMIT_MS)
      // A rollback also takes back a limit that was set inside the transaction.
      if (text === 'rollback') state.limit = state.limitBefore
      else if (text.startsWith('rollback') && state.limit !== state.limitBefore) state.limit = Number.NaN
    },
  }
}
