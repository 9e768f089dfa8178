import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { MOST_DOCUMENT_BYTES } from '#contract/documents/document.ts'
import { type DocumentType, documentTypeOf, SIGNATURE_BYTES } from '#contract/documents/project-document.ts'
import { type ArrivedFile, DocumentRefused, type FileRule } from './document-store.ts'

const DOCUMENTS: FileRule<DocumentType> = {
  mostBytes: MOST_DOCUMENT_BYTES,
  signatureBytes: SIGNATURE_BYTES,
  typeOf: documentTypeOf,
}

/** Folder for uploads in progress; only a rename makes a file visible under its hash. */
const ARRIVING = 'arriving'
/** Age after which leftovers of a killed process are deleted; an upload takes half a minute at most. */
const LEFT_BEHIND_MS = 60 * 60 * 1000

export type WrittenFile<Type extends string> = Omit<ArrivedFile<Type>, 'keep'> & { readonly file: string }

/**
 * Receives a file on this machine, for either kind of store. Rejects with `DocumentRefused` and leaves nothing behind.
 */
export async function arrive<Type extends string>(
  folder: string,
  content: AsyncIterable<Buffer>,
  rule = DOCUMENTS as unknown as FileRule<Type>,
): Promise<WrittenFile<Type>> {
  const arriving = path.join(folder, ARRIVING)
  await mkdir(arriving, { recursive: true, mode: 0o700 })
  await sweep(arriving)
  const file = path.join(arriving, randomUUID())
  const drop = () => rm(file, { force: true })
  try {
    return { ...(await writeDown(file, content, rule)), file, drop }
  } catch (error) {
    await drop()
    throw error
  }
}

async function writeDown<Type extends string>(
  file: string,
  content: AsyncIterable<Buffer>,
  { mostBytes, signatureBytes, typeOf, mayHold = () => true }: FileRule<Type>,
): Promise<Pick<ArrivedFile<Type>, 'hash' | 'bytes' | 'type'>> {
  const hash = createHash('sha256')
  const handle = await open(file, 'wx', 0o600)
  try {
    let bytes = 0
    let head = Buffer.alloc(0)
    let type: Type | undefined
    const tell = () => {
      type = typeOf(head)
      if (type === undefined || !mayHold(type, head)) throw new DocumentRefused('not_a_document')
      return type
    }
    for await (const part of content) {
      bytes += part.length
      if (bytes > mostBytes) throw new DocumentRefused('too_large')
      if (type === undefined) {
        head = Buffer.concat([head, part.subarray(0, signatureBytes)])
        if (head.length >= signatureBytes) tell()
      }
      if (type !== undefined && !mayHold(type, part)) throw new DocumentRefused('not_a_document')
      hash.update(part)
      await writeAll(handle, part)
    }
    if (bytes === 0) throw new DocumentRefused('empty')
    const told = type ?? tell()
    await handle.sync()
    return { hash: hash.digest('hex'), bytes, type: told }
  } finally {
    await handle.close()
  }
}

/** A single `write` may accept fewer bytes than given. */
async function writeAll(handle: FileHandle, part: Buffer): Promise<void> {
  for (let at = 0; at < part.length; ) at += (await handle.write(part, at)).bytesWritten
}

async function sweep(arriving: string): Promise<void> {
  for (const name of await readdir(arriving)) {
    const file = path.join(arriving, name)
    const left = await stat(file).catch(() => undefined)
    if (left && Date.now() - left.mtimeMs > LEFT_BEHIND_MS) await rm(file, { force: true })
  }
}
