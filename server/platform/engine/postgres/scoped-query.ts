import pg from 'pg'
import type { WireStatement } from '#server/platform/engine/database-engine.ts'
import { toExtendedQuery } from './postgres-wire.ts'

const ENTER_SCOPE = 'tamngan_enter'

/**
 * Statement that is prepared once on each dedicated connection, so that entering a scope needs no parsing. The role is
 * set like any other setting; `none` is the table owner.
 */
export const PREPARE_SET_CONNECTION_SCOPE_SQL = `prepare ${ENTER_SCOPE}(text, text, text, text) as
  select set_config('role', $1, false), set_config('app.organisation', $2, false), set_config('app.user', $3, false), set_config('statement_timeout', $4, false)`

export type ConnectionScopeSettings = readonly [role: string, organisation: string, user: string, limit: string]

/** Methods of node-postgres that a query calls internally; the published types omit them. */
type Link = {
  bind(config: { statement: string; values: readonly string[] }): void
  execute(config: object): void
}
type Internals = {
  prepare(link: Link): void
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, link: Link): void
}
const inherited = pg.Query.prototype as unknown as Internals

/**
 * Sends the query that sets the connection's scope, followed by a statement, in one message and one round trip. Both
 * share one `Sync`: if setting the scope fails, PostgreSQL skips the statement, which therefore never runs in another
 * scope. If the statement fails, the scope is rolled back with it.
 */
class ScopedQuery extends pg.Query {
  readonly #entering: ConnectionScopeSettings
  #isEntered = false

  constructor(
    entering: ConnectionScopeSettings,
    statement: WireStatement,
    callback: (error: Error | undefined, result: pg.QueryResult<object>) => void,
  ) {
    super(toExtendedQuery(statement), callback as never)
    this.#entering = entering
  }

  prepare(link: Link): void {
    link.bind({ statement: ENTER_SCOPE, values: this.#entering })
    link.execute({})
    inherited.prepare.call(this, link)
  }

  handleDataRow(message: unknown): void {
    if (this.#isEntered) inherited.handleDataRow.call(this, message)
  }

  handleCommandComplete(message: unknown, link: Link): void {
    if (this.#isEntered) inherited.handleCommandComplete.call(this, message, link)
    this.#isEntered = true
  }
}

export function queryInScope(
  client: pg.ClientBase,
  entering: ConnectionScopeSettings,
  statement: WireStatement,
): Promise<pg.QueryResult<object>> {
  return new Promise((resolve, reject) => {
    client.query(new ScopedQuery(entering, statement, (error, result) => (error ? reject(error) : resolve(result))))
  })
}
