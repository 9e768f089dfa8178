import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import { DocumentDamagedError } from './document-store.ts'
import { createFolderDocumentStore } from './folder-store.ts'
import type { S3DocumentStore } from './s3-document-store.ts'

export type DocumentCopyReport = {
  /** `alreadyStored` files were in the bucket with the right bytes before the copy. */
  readonly copied: number
  readonly alreadyStored: number
  readonly damaged: readonly string[]
}

export async function loadReferencedDocumentHashes(db: Db): Promise<string[]> {
  const rows = await db.query<{ hash: string }>(
    sql`select hash from documents union select hash from note_files union select hash from intake_versions order by 1`,
    { timeoutMs: 0 },
  )
  return rows.map(({ hash }) => hash)
}

/**
 * Copies files that are missing in the bucket, reads each back and checks its SHA-256. Idempotent; leaves the source
 * folder unchanged. Rejects with `DocumentStoreUnavailableError`; files copied before that remain.
 */
export async function copyDocumentsToBucket(
  folder: string,
  bucket: S3DocumentStore,
  onProgress: (files: number) => void,
): Promise<DocumentCopyReport> {
  const damaged: string[] = []
  let [copied, alreadyStored] = [0, 0]
  for await (const hashes of createFolderDocumentStore(folder).list(new Date(8.64e15)))
    for (const hash of hashes.filter((name) => /^[0-9a-f]{64}$/.test(name))) {
      const file = path.join(folder, hash.slice(0, 2), hash)
      const stats = await stat(file).catch(() => undefined)
      if (!stats) continue
      if ((await hashOf(createReadStream(file))) !== hash) {
        damaged.push(hash)
        continue
      }
      const isThere = (await bucket.sizeOf(hash)) === stats.size && (await hasMatchingHash(bucket, hash))
      if (!isThere) {
        await bucket.put(hash, { path: file, bytes: stats.size })
        if (!(await hasMatchingHash(bucket, hash)))
          throw new DocumentDamagedError(`${hash}: the bucket returned different bytes`)
      }
      if (isThere) alreadyStored += 1
      else copied += 1
      onProgress(copied + alreadyStored)
    }
  return { copied, alreadyStored, damaged }
}

export async function findMissingDocumentHashes(bucket: S3DocumentStore, hashes: readonly string[]): Promise<string[]> {
  const missing = new Set(hashes)
  for await (const page of bucket.list(new Date(8.64e15))) for (const hash of page) missing.delete(hash)
  return [...missing]
}

async function hasMatchingHash(bucket: S3DocumentStore, hash: string): Promise<boolean> {
  try {
    await hashOf(await bucket.read(hash))
    return true
  } catch (error) {
    if (error instanceof DocumentDamagedError) return false
    throw error
  }
}

async function hashOf(content: AsyncIterable<Buffer>): Promise<string> {
  const sum = createHash('sha256')
  for await (const chunk of content) sum.update(chunk)
  return sum.digest('hex')
}
