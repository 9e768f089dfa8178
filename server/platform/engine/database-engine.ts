import type { Db } from './db.ts'
import type { ConnectionScope } from './tenant.ts'

export type StatementResult = { readonly rows: unknown[]; readonly affected: number }

/** A value on the wire to either engine: PostgreSQL text, raw bytes, or null. */
export type WireParameter = string | Uint8Array | null

export type WireStatement = {
  readonly text: string
  readonly values: readonly WireParameter[]
  readonly name?: string | undefined
}

export type DatabaseSession = {
  /**
   * Puts the connection into this scope (`getConnectionScope` of tenant.ts). Sends at most one statement, in one
   * message with the next statement that runs. Call it when a lease begins, never inside a transaction, because a
   * rollback would undo it.
   */
  enter(scope: ConnectionScope): void
  /**
   * Runs one statement, prepared under its `name` if it has one; rejects with `QueryTimeoutError` after `timeoutMs` (0: no
   * limit).
   */
  run(statement: WireStatement, timeoutMs: number): Promise<StatementResult>
  script(text: string): Promise<void>
  control(text: string): Promise<void>
}

export type ConnectionLease = {
  readonly session: DatabaseSession
  /** True for a connection to a pooler, which gives this process a database session for one transaction at a time. */
  readonly isPooled?: boolean
  release(broken?: boolean): void
}

export type DatabaseEngine = {
  readonly name: Db['engine']
  /** Leases a connection exclusively. Rejects with `DbUnavailableError` when none is free within `waitMs` (0: no limit). */
  lease(waitMs: number): Promise<ConnectionLease>
  close(): Promise<void>
}
