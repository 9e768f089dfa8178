import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { stripDirectionMarks } from '#contract/direction-marks.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { type ByteRange, DocumentRejectedError, type DocumentStore, type IncomingFile } from './store/document-store.ts'

const ASCII_NAME = /[^\w.() -]/g

/**
 * Returns a Content-Disposition header with both forms of the file name, because some clients support only one (R34).
 * Never `inline`: an uploaded file may contain anything.
 */
export function buildContentDisposition(name: string): string {
  // Without this, `x\u202Efdp.exe` would be displayed as "x exe.pdf".
  const safeName = stripDirectionMarks(name)
  const encoded = encodeURIComponent(safeName).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${safeName.replace(ASCII_NAME, '_')}"; filename*=UTF-8''${encoded}`
}

/**
 * Content-Security-Policy that keeps a directly opened file from running scripts, loading resources or submitting forms
 * (R62).
 */
export const FILE_CONTENT_SECURITY_POLICY =
  "default-src 'none'; sandbox; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/**
 * Returns the bytes of a stored file, or a range of it. Rejects with `not_found` if the file is missing: a database
 * restored without its files has rows without files.
 */
export function openStoredFile(store: DocumentStore, hash: string, range?: ByteRange): Promise<Readable> {
  return store.read(hash, range).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new ProblemError('not_found') : error
  })
}

type UploadHandlers<Type extends string, Answer> = {
  receive(content: Readable): Promise<IncomingFile<Type>>
  take(file: IncomingFile<Type>): Promise<Answer>
  refusal(reason: DocumentRejectedError['reason']): Error
}

/** Receives a request body that is a single file. `check` runs first, so unauthorised uploads are never read. */
export async function receiveUpload<Type extends string, Answer>(
  request: FastifyRequest,
  check: () => Promise<void>,
  { receive, take, refusal }: UploadHandlers<Type, Answer>,
): Promise<Answer> {
  const content: unknown = request.body
  try {
    await check()
    if (!(content instanceof Readable)) throw refusal('empty')
    const file = await receive(content)
    try {
      return await take(file)
    } finally {
      await file.drop()
    }
  } catch (error) {
    // Drain the rest of the upload; otherwise the client never reads the response.
    request.raw.resume()
    if (error instanceof DocumentRejectedError) throw refusal(error.reason)
    if ((error as NodeJS.ErrnoException).code === 'ECONNRESET') throw refusal('broken_off')
    throw error
  }
}
