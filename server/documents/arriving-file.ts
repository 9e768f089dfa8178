import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { stripDirectionMarks } from '#contract/direction-marks.ts'
import { ProblemError } from '#server/platform/route/problem.ts'
import { type ArrivedFile, type ByteRange, DocumentRefused, type DocumentStore } from './store/document-store.ts'

/** What the plain form of a name in a header cannot hold. */
const ASCII_NAME = /[^\w.() -]/g

/** Both forms of the name: some clients know only one of them (R34). Never `inline`: a file may hold anything. */
export function attachment(name: string): string {
  // `x\u202Efdp.exe` would be shown as x exe.pdf.
  const shown = stripDirectionMarks(name)
  const encoded = encodeURIComponent(shown).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${shown.replace(ASCII_NAME, '_')}"; filename*=UTF-8''${encoded}`
}

/** Opened by itself, a file may run nothing, load nothing and send nothing (R62). */
export const FILE_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/** The bytes of a kept file, or of a range of it. Rejects with `not_found` where there is none: a database that was restored without its files has rows without files. */
export function openFile(store: DocumentStore, hash: string, range?: ByteRange): Promise<Readable> {
  return store.read(hash, range).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new ProblemError('not_found') : error
  })
}

type Taking<Type extends string, Answer> = {
  receive(content: Readable): Promise<ArrivedFile<Type>>
  /** What becomes of the file; it is thrown away afterwards, unless it was kept. */
  take(file: ArrivedFile<Type>): Promise<Answer>
  /** The refusal for a reason; `broken_off`: the caller went away, or its connection broke. */
  refusal(reason: DocumentRefused['reason']): Error
}

/** Takes in the body of a request, which is a file and nothing else. `check` comes first: what nobody may add is not read. */
export async function takeIn<Type extends string, Answer>(
  request: FastifyRequest,
  check: () => Promise<void>,
  { receive, take, refusal }: Taking<Type, Answer>,
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
    // What is not read any more is thrown away as it comes, so that the answer is heard.
    request.raw.resume()
    if (error instanceof DocumentRefused) throw refusal(error.reason)
    if ((error as NodeJS.ErrnoException).code === 'ECONNRESET') throw refusal('broken_off')
    throw error
  }
}
