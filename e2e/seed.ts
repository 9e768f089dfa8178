import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { FolderInUse, lockFolder } from '#server/platform/engine/folder-lock.ts'
import { bangkokToday } from '../contract/thai/thai-date.ts'
import { sourcesDigest } from '../scripts/build-when-stale.ts'
import { processTerminal } from '../server/cli/terminal.ts'
import { seedWhenEmpty } from '../server/start/seed.ts'
import { readSettings } from '../server/start/settings.ts'
import { openMigrated } from '../server/start/with-database.ts'
import { runAdminIn } from './admin.ts'

const root = path.dirname(import.meta.dirname)
const CACHE = path.join(root, 'node_modules/.cache/e2e-seed')

/** Organisations of the sample whose lists and projects the tests change as a person would by day, also between 01:00 and 09:00 in Bangkok. */
const OPEN_LISTS = ['demo', 'tharamek', 'noensai']

/**
 * A data folder that holds the whole sample, to be copied. Making it takes a minute, so it is kept by all that goes into it: the code of the
 * server, what it shares with the browser, the database, and the day, from which the sample is counted. Older ones are removed.
 */
export async function seedFolder(): Promise<string> {
  const name = seedName()
  const folder = path.join(CACHE, name)
  await mkdir(CACHE, { recursive: true })
  while (!existsSync(folder)) {
    const lock = await lockFolder(`${folder}.draft`).catch((error: unknown) => {
      if (error instanceof FolderInUse) return undefined
      throw error
    })
    if (lock === undefined) await sleep(250)
    else
      try {
        if (!existsSync(folder)) await makeSeed(folder)
      } finally {
        await lock.release()
      }
  }
  return folder
}

async function makeSeed(folder: string): Promise<void> {
  const draft = `${folder}.data`
  rmSync(draft, { recursive: true, force: true })
  const db = await openMigrated(readSettings({ DATA_DIR: draft }))
  try {
    await seedWhenEmpty(db, processTerminal())
  } finally {
    await db.close()
  }
  for (const organisation of OPEN_LISTS) runAdminIn(draft, 'set-window', organisation, 'off')
  for (const older of readdirSync(CACHE))
    if (!older.startsWith(path.basename(folder))) rmSync(path.join(CACHE, older), { recursive: true, force: true })
  renameSync(draft, folder)
}

/** All that goes into it. */
const SOURCES = ['server', 'contract', 'e2e/seed.ts', 'node_modules/@electric-sql/pglite/package.json']

const seedName = () => `${bangkokToday(new Date())}-${sourcesDigest(root, SOURCES).slice(0, 16)}`

if (import.meta.main) console.log(await seedFolder())
