import { DbUnavailable, QueryTimeout, StatementError } from './db.ts'

/** What is known of an error of either engine; the fields of PostgreSQL's error message. */
export type Refusal = {
  readonly message: string
  readonly code?: string | undefined
  readonly constraint?: string | undefined
}

// 08 connection, 53 out of connections, memory or disk, 57P01-57P04 shutdown, crash, starting up, dropped
const UNAVAILABLE = /^(08|53|57P0[1-4])/
// Every SQLSTATE has a digit; a code of the operating system (EPIPE) has none.
const SQLSTATE = /^(?=.*\d)[0-9A-Z]{5}$/

/** The error callers see: a time limit, a database that is away, or a statement that was refused. */
export function toDbError(refusal: Refusal): Error {
  const { code, constraint } = refusal
  // Refused on every address of a name, Node gives an error without a message.
  const message = refusal.message || code || 'no reason was given'
  if (code === '57014') return new QueryTimeout(message)
  if (code === undefined || !SQLSTATE.test(code) || UNAVAILABLE.test(code)) return new DbUnavailable(message)
  return new StatementError(message, code, constraint)
}
