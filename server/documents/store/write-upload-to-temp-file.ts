import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { MAX_DOCUMENT_BYTES } from '#contract/documents/document.ts'
import {
  DOCUMENT_SIGNATURE_BYTES,
  type DocumentFileType,
  detectDocumentFileType,
} from '#contract/documents/project-document.ts'
import { DocumentRejectedError, type IncomingFile, type UploadRule } from './document-store.ts'

const DOCUMENT_RULE: UploadRule<DocumentFileType> = {
  maxBytes: MAX_DOCUMENT_BYTES,
  signatureBytes: DOCUMENT_SIGNATURE_BYTES,
  typeOf: detectDocumentFileType,
}

/** Folder for uploads in progress. A file becomes visible only when it is renamed to its hash. */
const UPLOAD_FOLDER = 'arriving'
/** Leftover files of a killed process are deleted at this age; an upload takes half a minute at most. */
const LEFTOVER_AGE_MS = 60 * 60 * 1000

export type WrittenUpload<Type extends string> = Omit<IncomingFile<Type>, 'persist'> & { readonly file: string }

export async function writeUploadToTempFile<Type extends string>(
  folder: string,
  content: AsyncIterable<Buffer>,
  rule = DOCUMENT_RULE as unknown as UploadRule<Type>,
): Promise<WrittenUpload<Type>> {
  const arriving = path.join(folder, UPLOAD_FOLDER)
  await mkdir(arriving, { recursive: true, mode: 0o700 })
  await deleteLeftovers(arriving)
  const file = path.join(arriving, randomUUID())
  const drop = () => rm(file, { force: true })
  try {
    return { ...(await writeUpload(file, content, rule)), file, drop }
  } catch (error) {
    await drop()
    throw error
  }
}

async function writeUpload<Type extends string>(
  file: string,
  content: AsyncIterable<Buffer>,
  { maxBytes, signatureBytes, typeOf, acceptsChunk = () => true }: UploadRule<Type>,
): Promise<Pick<IncomingFile<Type>, 'hash' | 'bytes' | 'type'>> {
  const hash = createHash('sha256')
  const handle = await open(file, 'wx', 0o600)
  try {
    let bytes = 0
    let head = Buffer.alloc(0)
    let type: Type | undefined
    const detectType = () => {
      type = typeOf(head)
      if (type === undefined || !acceptsChunk(type, head)) throw new DocumentRejectedError('not_a_document')
      return type
    }
    for await (const chunk of content) {
      bytes += chunk.length
      if (bytes > maxBytes) throw new DocumentRejectedError('too_large')
      if (type === undefined) {
        head = Buffer.concat([head, chunk.subarray(0, signatureBytes)])
        if (head.length >= signatureBytes) detectType()
      }
      if (type !== undefined && !acceptsChunk(type, chunk)) throw new DocumentRejectedError('not_a_document')
      hash.update(chunk)
      await writeAll(handle, chunk)
    }
    if (bytes === 0) throw new DocumentRejectedError('empty')
    const detectedType = type ?? detectType()
    await handle.sync()
    return { hash: hash.digest('hex'), bytes, type: detectedType }
  } finally {
    await handle.close()
  }
}

/** Repeats `write`, because a single call may accept fewer bytes than given. */
async function writeAll(handle: FileHandle, chunk: Buffer): Promise<void> {
  for (let at = 0; at < chunk.length; ) at += (await handle.write(chunk, at)).bytesWritten
}

async function deleteLeftovers(arriving: string): Promise<void> {
  for (const name of await readdir(arriving)) {
    const file = path.join(arriving, name)
    const stats = await stat(file).catch(() => undefined)
    if (stats && Date.now() - stats.mtimeMs > LEFTOVER_AGE_MS) await rm(file, { force: true })
  }
}
