import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { createDb } from './create-db.ts'
import { migrate, schemaFingerprint } from './migrate.ts'
import { openPglite } from './pglite.ts'

/** In the project's own folder, which other users of the machine cannot write. */
const CACHE = path.join(import.meta.dirname, '../../../node_modules/.cache/tamngan-empty')

/** By all that goes into it: the embedded database and the schema. */
async function folderName(): Promise<string> {
  const main = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const { version } = JSON.parse(await readFile(path.join(path.dirname(main), '../package.json'), 'utf8')) as {
    version: string
  }
  return `${version}-${await schemaFingerprint()}`
}

/**
 * Makes an empty embedded database with the newest schema, to be copied by `copyEmptyFolder`, when there is none yet. The build does so: to make one is 8 s of
 * computing, most of it PostgreSQL's own `initdb` in WebAssembly. Older ones are removed.
 */
export async function makeEmptyFolder(cache = CACHE): Promise<void> {
  const name = await folderName()
  const folder = path.join(cache, name)
  if (existsSync(folder)) return
  await mkdir(cache, { recursive: true })
  const draft = `${folder}.${process.pid}`
  const db = createDb(await openPglite({ folder: draft }))
  try {
    await migrate(db)
    await db.script('checkpoint')
  } finally {
    await db.close()
  }
  // A build that runs at the same time may have made it first; then this copy is removed.
  await rename(draft, folder).catch(() => rm(draft, { recursive: true, force: true }))
  for (const other of await readdir(cache))
    if (!other.startsWith(name)) await rm(path.join(cache, other), { recursive: true, force: true })
}

/**
 * Begins a database folder that does not exist yet with that copy; leaves it absent when none was made for this program, and the database makes its own. The
 * caller holds the folder's lock. Killed in the middle it leaves a draft that the next start replaces, never half a database.
 */
export async function copyEmptyFolder(folder: string, cache = CACHE): Promise<void> {
  if (existsSync(folder)) return
  const made = path.join(cache, await folderName())
  if (!existsSync(made)) return
  const draft = `${folder}.draft`
  await rm(draft, { recursive: true, force: true })
  try {
    await cp(made, draft, { recursive: true })
    await rename(draft, folder)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}
