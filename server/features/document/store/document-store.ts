import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { MOST_DOCUMENT_BYTES } from '#contract/document/document.ts'
import {
  type DocumentRefusal,
  type DocumentType,
  documentTypeOf,
  SIGNATURE_BYTES,
} from '#contract/document/project-document.ts'

/** What came in is not kept; `reason` says why. */
export class DocumentRefused extends Error {
  override readonly name = 'DocumentRefused'
  readonly reason: DocumentRefusal

  constructor(reason: DocumentRefusal) {
    super(reason)
    this.reason = reason
  }
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

/** PDFs, pictures and bundles of a tender. */
const DOCUMENTS: FileRule<DocumentType> = {
  mostBytes: MOST_DOCUMENT_BYTES,
  signatureBytes: SIGNATURE_BYTES,
  typeOf: documentTypeOf,
}

/** A file that has come in whole and is not a part of the store yet. */
export type ArrivedFile<Type extends string = DocumentType> = {
  /** SHA-256, hexadecimal. */
  readonly hash: string
  readonly bytes: number
  readonly type: Type
  /** Puts it into the store, safe against loss of power; the same file may be there already. */
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
  /** Hashes of all files that came before a moment, a folder at a time. */
  list(before: Date): AsyncIterable<readonly string[]>
}

/** What is still coming in lies here; only a rename makes a file visible under its hash. */
const ARRIVING = 'arriving'
/** What a process left behind that was ended in the middle of an upload, which takes half a minute at most. */
const LEFT_BEHIND_MS = 60 * 60 * 1000

/** A store in one folder, which all processes must see: `ab/abcdef…`. Folders are made when the first file comes. */
export function createFolderStore(folder: string): DocumentStore {
  const pathOf = (hash: string) => {
    if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error('a document is named by its SHA-256')
    return path.join(folder, hash.slice(0, 2), hash)
  }
  return {
    async receive<Type extends string>(content: AsyncIterable<Buffer>, rule = DOCUMENTS as unknown as FileRule<Type>) {
      const arriving = path.join(folder, ARRIVING)
      await mkdir(arriving, { recursive: true, mode: 0o700 })
      await sweep(arriving)
      const file = path.join(arriving, randomUUID())
      const drop = () => rm(file, { force: true })
      try {
        const arrived = await writeDown(file, content, rule)
        return { ...arrived, drop, keep: () => moveInto(file, pathOf(arrived.hash)) }
      } catch (error) {
        await drop()
        throw error
      }
    },
    async read(hash, range) {
      const handle = await open(pathOf(hash), 'r')
      return handle.createReadStream(range && { start: range.from, end: range.to })
    },
    async withFile(hash, work) {
      const file = pathOf(hash)
      await stat(file)
      return await work(file)
    },
    remove: (hash) => rm(pathOf(hash), { force: true }),
    async *list(before) {
      const parts = await readdir(folder).catch(() => [])
      for (const part of parts.filter((name) => /^[0-9a-f]{2}$/.test(name))) {
        const old: string[] = []
        for (const name of await readdir(path.join(folder, part))) {
          const found = await stat(path.join(folder, part, name)).catch(() => undefined)
          if (found && found.mtimeMs < before.getTime()) old.push(name)
        }
        yield old
      }
    },
  }
}

/** Writes what comes, counting and hashing it, and flushes it to the disk. */
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
      // What is none of ours is refused before the rest of it has come.
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

/** One `write` may take less than it is given. */
async function writeAll(handle: FileHandle, part: Buffer): Promise<void> {
  for (let at = 0; at < part.length; ) at += (await handle.write(part, at)).bytesWritten
}

/** A rename is one step: nobody ever reads half a file. The folder is flushed too, or the name may be lost with the power. */
async function moveInto(from: string, to: string): Promise<void> {
  const folder = path.dirname(to)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await rename(from, to)
  for (const changed of [folder, path.dirname(folder)]) {
    const handle = await open(changed, 'r')
    await handle.sync()
    await handle.close()
  }
}

async function sweep(arriving: string): Promise<void> {
  for (const name of await readdir(arriving)) {
    const file = path.join(arriving, name)
    const left = await stat(file).catch(() => undefined)
    if (left && Date.now() - left.mtimeMs > LEFT_BEHIND_MS) await rm(file, { force: true })
  }
}
