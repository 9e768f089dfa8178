import type { Socket } from 'node:net'
import type pg from 'pg'
import { DEFAULT_TIMEOUT_MS } from '#server/platform/engine/db.ts'
import { type ConnectionScope, OWNER_SCOPE } from '#server/platform/engine/tenant.ts'
import { IS_READ_ONLY } from './find-primary.ts'

// jit and parallel workers cost more than they save in queries of some milliseconds (a Gather of 2 made an 11 ms scan 23 ms); the rest makes
// values print as `values.ts` reads them. Memoize keeps what is looked up once: filters of a match cost 37 ms of processor time with it and 29 without.
const SETTINGS = [
  `timezone = 'UTC'`,
  `datestyle = 'ISO'`,
  'jit = off',
  'max_parallel_workers_per_gather = 0',
  'enable_memoize = off',
]

/** For a connection that is ours alone. */
export const CONNECTION_SETTINGS = [...SETTINGS, `statement_timeout = ${DEFAULT_TIMEOUT_MS}`]
  .map((setting) => `set ${setting}`)
  .join('; ')

/** The same for one transaction, where others use the connection after it. */
export const TRANSACTION_SETTINGS = SETTINGS.map((setting) => `set local ${setting}`).join('; ')

/** What a new connection is asked: which process is at its other end, and whether that takes writes. */
export const WHO_ANSWERS = `select pg_backend_pid() as pid, ${IS_READ_ONLY} as read_only`
export type WhoAnswers = { readonly pid: number; readonly read_only: boolean }

/** What a connection has been set to. */
export type ConnectionState = {
  /** Its statement_timeout; not a number: unknown. */
  limit: number
  /** What that was before the transaction under way. */
  limitBefore: number
  /** Undefined: unknown. */
  scope: ConnectionScope | undefined
  readonly openedAt: number
  /** Number of the database's process at its other end; behind a pooler that of the transaction under way, undefined between two. */
  pid: number | undefined
  /** A pooler stands in between (PgBouncer): the other end may be another one in each transaction. */
  isPooled: boolean
}

export const newConnectionState = (): ConnectionState => ({
  limit: DEFAULT_TIMEOUT_MS,
  limitBefore: DEFAULT_TIMEOUT_MS,
  scope: OWNER_SCOPE,
  openedAt: performance.now(),
  pid: undefined,
  isPooled: false,
})

/**
 * A server tells each connection the number of its process when it begins (for cancelling); a pooler tells one of its own. `@types/pg` does not know the field.
 */
export const isToldBy = (client: pg.PoolClient, pid: number): boolean =>
  (client as pg.PoolClient & { readonly processID: number | null }).processID === pid

/** Bytes that have come over the connection so far. `@types/pg` does not know the socket. */
export const receivedBytes = (client: pg.PoolClient): number =>
  (client as pg.PoolClient & { readonly connection: { readonly stream: Socket } }).connection.stream.bytesRead
