import type { Readable } from 'node:stream'
import type { DocumentFileType, UploadRejectionReason } from '#contract/documents/project-document.ts'
import { ExternalServiceUnavailableError, JobFailedError } from '#server/platform/queue/job.ts'

export class DocumentRejectedError extends Error {
  override readonly name = 'DocumentRejectedError'
  readonly reason: UploadRejectionReason

  constructor(reason: UploadRejectionReason) {
    super(reason)
    this.reason = reason
  }
}

/**
 * The store is unreachable or refuses access, so the state of the file is unknown. The message contains request and
 * response but never a secret; jobs retry until the store is back.
 */
export class DocumentStoreUnavailableError extends ExternalServiceUnavailableError {
  override readonly name = 'DocumentStoreAway'

  constructor(detail: string) {
    super(`the document store does not respond (${detail})`)
  }
}

/**
 * The store returned other bytes than were stored. Unlike an outage this may be permanent, so jobs retry only a few
 * times.
 */
export class DocumentDamagedError extends JobFailedError {
  override readonly name = 'DocumentDamagedError'
}

export type UploadRule<Type extends string> = {
  readonly maxBytes: number
  readonly signatureBytes: number
  typeOf(head: Uint8Array): Type | undefined
  /** Called for every chunk; returning false rejects the file. */
  acceptsChunk?(type: Type, chunk: Uint8Array): boolean
}

export type IncomingFile<Type extends string = DocumentFileType> = {
  /** SHA-256 of the content, hexadecimal. */
  readonly hash: string
  readonly bytes: number
  readonly type: Type
  /** Stores the file so that it survives a power loss. Idempotent for a file that is already stored. */
  persist(): Promise<void>
  drop(): Promise<void>
}

export type ByteRange = { readonly from: number; readonly to: number }

/** Stores files by SHA-256. Performs no access control. */
export type DocumentStore = {
  /**
   * Receives a file as a stream, up to the size limit of its rule (documents: 50 MB). Rejects with `DocumentRejectedError`.
   */
  receive(content: AsyncIterable<Buffer>): Promise<IncomingFile>
  receive<Type extends string>(content: AsyncIterable<Buffer>, rule: UploadRule<Type>): Promise<IncomingFile<Type>>
  /** Returns the bytes `from` to `to`, both inclusive, or everything. Rejects if the file does not exist. */
  read(hash: string, range?: ByteRange): Promise<Readable>
  withFile<T>(hash: string, work: (file: string) => Promise<T>): Promise<T>
  remove(hash: string): Promise<void>
  list(before: Date): AsyncIterable<readonly string[]>
  probe?(): Promise<void>
}

/** Returns the hash, or throws if it is not a SHA-256, which prevents path traversal. */
export function assertSha256Hash(hash: string): string {
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error('the name of a document must be its SHA-256')
  return hash
}
