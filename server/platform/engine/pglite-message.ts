import type { Refusal } from './db.ts'
import type { Statement } from './engine.ts'

/**
 * How the worker thread opens its database: a folder, or memory; `snapshot` is a tar of a data folder to start from.
 */
export type PgliteStart = {
  readonly folder: string | undefined
  readonly snapshot: Uint8Array<ArrayBuffer> | undefined
  readonly program: object
}

type Ask =
  | ({ readonly kind: 'run' } & Statement)
  | { readonly kind: 'script'; readonly text: string }
  | { readonly kind: 'snapshot' }
  | { readonly kind: 'close' }

export type PgliteAsk = Ask
export type PgliteRequest = Ask & { readonly id: number }

/** Id 0 signals that the database is open. */
export type PgliteAnswer = {
  readonly id: number
  readonly rows?: unknown[]
  readonly affected?: number
  readonly snapshot?: Uint8Array<ArrayBuffer>
  readonly refusal?: Refusal
}
