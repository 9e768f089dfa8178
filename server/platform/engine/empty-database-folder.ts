import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { createDb } from './create-db.ts'
import { computeSchemaFingerprint, migrateDatabase } from './migrate-database.ts'
import { openPglite } from './pglite.ts'

/** The cache is inside the project folder, because other users of the machine cannot write there. */
const CACHE = path.join(import.meta.dirname, '../../../node_modules/.cache/tamngan-empty')

async function folderName(): Promise<string> {
  const main = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const { version } = JSON.parse(await readFile(path.join(path.dirname(main), '../package.json'), 'utf8')) as {
    version: string
  }
  return `${version}-${await computeSchemaFingerprint()}`
}

/**
 * Creates an empty embedded database with the newest schema for `copyEmptyDatabaseFolder`, unless it exists, and
 * removes outdated ones. Runs at build time because it takes 8 s of computing, mostly `initdb` in WebAssembly.
 */
export async function buildEmptyDatabaseFolder(cache = CACHE): Promise<void> {
  const name = await folderName()
  const folder = path.join(cache, name)
  if (existsSync(folder)) return
  await mkdir(cache, { recursive: true })
  const draft = `${folder}.${process.pid}`
  const db = createDb(await openPglite({ folder: draft }))
  try {
    await migrateDatabase(db)
    await db.script('checkpoint')
  } finally {
    await db.close()
  }
  await rename(draft, folder).catch(() => rm(draft, { recursive: true, force: true }))
  for (const entry of await readdir(cache))
    if (!entry.startsWith(name)) await rm(path.join(cache, entry), { recursive: true, force: true })
}

/**
 * Initialises a database folder that does not exist from the prebuilt copy. If there is no copy for this version,
 * leaves the folder absent and the database creates its own. The caller must hold the folder lock. A process killed
 * midway leaves only a draft, never half a database; the next start replaces the draft.
 */
export async function copyEmptyDatabaseFolder(folder: string, cache = CACHE): Promise<void> {
  if (existsSync(folder)) return
  const prebuilt = path.join(cache, await folderName())
  if (!existsSync(prebuilt)) return
  const draft = `${folder}.draft`
  await rm(draft, { recursive: true, force: true })
  try {
    await cp(prebuilt, draft, { recursive: true })
    await rename(draft, folder)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}
