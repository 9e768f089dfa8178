import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { assertSha256Hash, type DocumentStore, type UploadRule } from './document-store.ts'
import { writeUploadToTempFile } from './write-upload-to-temp-file.ts'

/**
 * Creates a store in one folder that all processes share, with files at `ab/abcdef…`. Subfolders are created on demand.
 */
export function createFolderDocumentStore(folder: string): DocumentStore {
  const pathOf = (hash: string) => path.join(folder, assertSha256Hash(hash).slice(0, 2), hash)
  return {
    async receive<Type extends string>(content: AsyncIterable<Buffer>, rule?: UploadRule<Type>) {
      const { file, ...arrived } = await writeUploadToTempFile(folder, content, rule)
      return { ...arrived, persist: () => moveInto(file, pathOf(arrived.hash)) }
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
      // The folder is created with the first file.
      const subfolders = (await ignoreMissing(readdir(folder))) ?? []
      for (const subfolder of subfolders.filter((name) => /^[0-9a-f]{2}$/.test(name))) {
        const hashes: string[] = []
        for (const name of await readdir(path.join(folder, subfolder))) {
          const stats = await ignoreMissing(stat(path.join(folder, subfolder, name)))
          if (stats && stats.mtimeMs < before.getTime()) hashes.push(name)
        }
        yield hashes
      }
    },
  }
}

function ignoreMissing<T>(result: Promise<T>): Promise<T | undefined> {
  return result.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
}

/**
 * Renames atomically, so a partial file is never visible. Flushes the folders too; otherwise a power failure could lose
 * the name.
 */
async function moveInto(from: string, to: string): Promise<void> {
  const folder = path.dirname(to)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await rename(from, to)
  for (const changedFolder of [folder, path.dirname(folder)]) {
    const handle = await open(changedFolder, 'r')
    await handle.sync()
    await handle.close()
  }
}
