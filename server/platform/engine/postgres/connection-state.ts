import type { Socket } from 'node:net'
import type pg from 'pg'
import { DEFAULT_QUERY_TIMEOUT_MS } from '#server/platform/engine/db.ts'
import { type ConnectionScope, NO_TENANT_SCOPE } from '#server/platform/engine/tenant.ts'
import { IS_READ_ONLY_SQL } from './find-primary.ts'

// JIT and parallel workers slow down queries of milliseconds (a Gather of 2: 23 ms, not 11); memoize caches rows used
// once (filters of a match: 37 ms, not 29). The first two settings fix the output format that `postgres-values.ts` parses.
const SETTINGS = [
  `timezone = 'UTC'`,
  `datestyle = 'ISO'`,
  'jit = off',
  'max_parallel_workers_per_gather = 0',
  'enable_memoize = off',
]

export const CONNECTION_SETTINGS = [...SETTINGS, `statement_timeout = ${DEFAULT_QUERY_TIMEOUT_MS}`]
  .map((setting) => `set ${setting}`)
  .join('; ')

export const TRANSACTION_SETTINGS_SQL = SETTINGS.map((setting) => `set local ${setting}`).join('; ')

export const IDENTIFY_BACKEND_SQL = `select pg_backend_pid() as pid, ${IS_READ_ONLY_SQL} as read_only`
export type BackendIdentity = { readonly pid: number; readonly read_only: boolean }

export type ConnectionState = {
  /** Current statement_timeout in milliseconds; NaN: unknown. */
  limit: number
  limitBefore: number
  scope: ConnectionScope | undefined
  readonly openedAt: number
  /** Backend pid. Behind a pooler it is that of the current transaction, and undefined between transactions. */
  pid: number | undefined
  isPooled: boolean
}

export const createConnectionState = (): ConnectionState => ({
  limit: DEFAULT_QUERY_TIMEOUT_MS,
  limitBefore: DEFAULT_QUERY_TIMEOUT_MS,
  scope: NO_TENANT_SCOPE,
  openedAt: performance.now(),
  pid: undefined,
  isPooled: false,
})

/**
 * True if the client received this backend pid at connect. PostgreSQL sends its real pid (for cancelling); a pooler
 * sends one of its own. `@types/pg` lacks the field.
 */
export const matchesConnectPid = (client: pg.PoolClient, pid: number): boolean =>
  (client as pg.PoolClient & { readonly processID: number | null }).processID === pid

/** Bytes received on the connection so far. `@types/pg` lacks the socket. */
export const getReceivedByteCount = (client: pg.PoolClient): number =>
  (client as pg.PoolClient & { readonly connection: { readonly stream: Socket } }).connection.stream.bytesRead
