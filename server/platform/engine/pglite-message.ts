import type { WireStatement } from './database-engine.ts'
import type { DatabaseDriverError } from './db.ts'

export type PgliteStartOptions = {
  readonly folder: string | undefined
  readonly snapshot: Uint8Array<ArrayBuffer> | undefined
  readonly program: object
}

type Command =
  | ({ readonly kind: 'run' } & WireStatement)
  | { readonly kind: 'script'; readonly text: string }
  | { readonly kind: 'snapshot' }
  | { readonly kind: 'close' }

export type PgliteCommand = Command
export type PgliteRequest = Command & { readonly id: number }

/** Answer of the database thread to the request with this id. Id 0 reports that the database is open. */
export type PgliteResponse = {
  readonly id: number
  readonly rows?: unknown[]
  readonly affected?: number
  readonly snapshot?: Uint8Array<ArrayBuffer>
  readonly refusal?: DatabaseDriverError
}
