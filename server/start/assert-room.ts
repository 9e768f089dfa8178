import { access, mkdir, statfs } from 'node:fs/promises'
import path from 'node:path'
import type { Settings } from './settings.ts'

/** What the data folder cannot hold; the message says what to do. */
export class FolderUnusable extends Error {
  override readonly name = 'FolderUnusable'
}

/** An embedded database is 45 MB and its log up to 100; with the sample it grows to 760 MB. */
const NEEDED_MB = { none: 200, sample: 1_000 } as const

/** Before the first start of an embedded database: the folder can be written, and its disk holds what will come. Throws `FolderUnusable`. */
export async function assertRoom({ databaseUrl, dataDir, seed }: Settings): Promise<void> {
  if (databaseUrl !== undefined) return
  const folder = path.resolve(dataDir)
  const exists = await access(path.join(folder, 'pglite', 'PG_VERSION')).then(
    () => true,
    () => false,
  )
  if (exists) return
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { bavail, bsize } = await statfs(folder)
  const freeMb = Math.floor((bavail * bsize) / 2 ** 20)
  if (freeMb < NEEDED_MB[seed])
    throw new FolderUnusable(
      `DATA_DIR: ${folder} has ${freeMb} MB free, and the first start needs ${NEEDED_MB[seed]} MB${seed === 'sample' ? ' (200 MB with SEED=none)' : ''}`,
    )
}
