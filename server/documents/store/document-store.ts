import type { Readable } from 'node:stream'
import type { DocumentRefusal, DocumentType } from '#contract/documents/project-document.ts'
import { JobFailure, ServiceAway } from '#server/platform/queue/job.ts'

/** What came in is not kept; `reason` says why. */
export class DocumentRefused extends Error {
  override readonly name = 'DocumentRefused'
  readonly reason: DocumentRefusal

  constructor(reason: DocumentRefusal) {
    super(reason)
    this.reason = reason
  }
}

/** The store does not answer, or refuses us: nothing is known of the file. Its message says what was asked and what came, never a secret; a job is tried until the store is back. */
export class DocumentStoreAway extends ServiceAway {
  override readonly name = 'DocumentStoreAway'

  constructor(what: string) {
    super(`the store of documents does not answer (${what})`)
  }
}

/** What the store sent is not what was stored. Unlike a store that is away, this may stay so: a job tries a few times. */
export class DocumentDamaged extends JobFailure {
  override readonly name = 'DocumentDamaged'
}

/** What is taken in: told by its content, and how much of it. */
export type FileRule<Type extends string> = {
  readonly mostBytes: number
  /** As many first bytes tell what it is, or all where there are fewer. */
  readonly signatureBytes: number
  typeOf(head: Uint8Array): Type | undefined
  /** Asked of every part that comes; one that is refused refuses the file. */
  mayHold?(type: Type, part: Uint8Array): boolean
}

/** A file that has come in whole and is not a part of the store yet. */
export type ArrivedFile<Type extends string = DocumentType> = {
  /** SHA-256, hexadecimal. */
  readonly hash: string
  readonly bytes: number
  readonly type: Type
  /** Stores the file so that it survives a loss of power. It is no error when the same file is stored already. */
  keep(): Promise<void>
  /** Throws it away, unless it was kept. */
  drop(): Promise<void>
}

export type ByteRange = { readonly from: number; readonly to: number }

/** Files by their SHA-256. Who may see one is not decided here. */
export type DocumentStore = {
  /** Takes a file in, never more than the rule says (a document: 50 MB) and never whole in memory. Rejects with `DocumentRefused`. */
  receive(content: AsyncIterable<Buffer>): Promise<ArrivedFile>
  receive<Type extends string>(content: AsyncIterable<Buffer>, rule: FileRule<Type>): Promise<ArrivedFile<Type>>
  /** The bytes from `from` to `to`, both included; all without a range. Rejects where there is no such file. */
  read(hash: string, range?: ByteRange): Promise<Readable>
  /** A path on this machine under which the file can be read until `work` has ended. */
  withFile<T>(hash: string, work: (file: string) => Promise<T>): Promise<T>
  /** Nothing happens where it is not there. */
  remove(hash: string): Promise<void>
  /** Hashes of all files that came before a moment, a folder or a page at a time. */
  list(before: Date): AsyncIterable<readonly string[]>
  /** Rejects with `DocumentStoreAway` when the store would not answer now; absent where files lie on this machine. */
  probe?(): Promise<void>
}

/** Only a hash names a file. Throws for anything else. */
export function assertHash(hash: string): string {
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error('a document is named by its SHA-256')
  return hash
}
