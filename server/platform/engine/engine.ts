import type { Db } from './db.ts'
import type { ConnectionScope } from './tenant.ts'

/** What one statement gave: rows with parsed values, and how many rows it touched. */
export type Outcome = { readonly rows: unknown[]; readonly affected: number }

/** A value as it travels to either engine: PostgreSQL's own text form, raw bytes, or null. */
export type Parameter = string | Uint8Array | null

export type Statement = {
  readonly text: string
  readonly values: readonly Parameter[]
  readonly name?: string | undefined
}

/** One connection, whichever engine it leads to. Statements are sent one after another. */
export type Session = {
  /**
   * From here on the connection is in this scope (`presentScope` of tenant.ts). Sends at most one statement, with the next one that is run; called
   * where a lease begins and never inside a transaction, because a rollback would take it back.
   */
  enter(scope: ConnectionScope): void
  /** Runs one statement, kept by the connection under its `name` if it has one; rejects with `QueryTimeout` after `timeoutMs` (0: no limit). */
  run(statement: Statement, timeoutMs: number): Promise<Outcome>
  /** Runs several statements of trusted text without a time limit. */
  script(text: string): Promise<void>
  /** Sends `begin`, `commit`, `rollback` and their like. */
  control(text: string): Promise<void>
}

export type Lease = {
  readonly session: Session
  /** Through a pooler, whose connections belong to us for one transaction at a time. */
  readonly isPooled?: boolean
  /** Gives the connection back; `broken` throws it away instead, because nobody knows what state it is in. */
  release(broken?: boolean): void
}

/** The part in which the engines differ; `createDb` builds the same `Db` on either. */
export type Engine = {
  readonly name: Db['engine']
  /** A connection for the caller alone. Rejects with `DbUnavailable` when there is none within `waitMs` (0: waits for ever). */
  lease(waitMs: number): Promise<Lease>
  close(): Promise<void>
}
