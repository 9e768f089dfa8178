import pg from 'pg'
import type { Statement } from '#server/platform/engine/engine.ts'
import { extendedQuery } from './wire.ts'

const ENTER = 'tamngan_enter'

/** Kept by each connection of our own from its beginning, so that entering costs no parsing. A role is a setting like others; `none` is the owner. */
export const PREPARE_ENTERING = `prepare ${ENTER}(text, text, text, text) as
  select set_config('role', $1, false), set_config('app.organisation', $2, false), set_config('app.user', $3, false), set_config('statement_timeout', $4, false)`

/** Role, organisation, user, and milliseconds. */
export type Entering = readonly [role: string, organisation: string, user: string, limit: string]

/** What node-postgres calls while a query is under way; its types do not name it. */
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
 * A statement, and before it what puts the connection into its scope, in one message and one wait. Both end with one `Sync`: when the first fails,
 * PostgreSQL skips the second, so that it never runs as somebody else. When the second fails, the scope is taken back with it.
 */
class EnteringQuery extends pg.Query {
  readonly #entering: Entering
  #isEntered = false

  constructor(
    entering: Entering,
    statement: Statement,
    told: (error: Error | undefined, result: pg.QueryResult<object>) => void,
  ) {
    super(extendedQuery(statement), told as never)
    this.#entering = entering
  }

  prepare(link: Link): void {
    link.bind({ statement: ENTER, values: this.#entering })
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

/** Sends both; resolves with what the statement gave. */
export function queryEntering(
  client: pg.ClientBase,
  entering: Entering,
  statement: Statement,
): Promise<pg.QueryResult<object>> {
  return new Promise((resolve, reject) => {
    client.query(new EnteringQuery(entering, statement, (error, result) => (error ? reject(error) : resolve(result))))
  })
}
