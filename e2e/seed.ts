import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { seedDatabaseWhenEmpty } from '#sample/seed-when-empty.ts'
import { createCommandLineOutput } from '#server/cli/terminal.ts'
import { FolderInUseError, lockFolder } from '#server/platform/engine/folder-lock.ts'
import { parseSettings } from '#server/start/settings.ts'
import { openMigratedDatabase } from '#server/start/with-database.ts'
import { computeSourcesDigest } from '../scripts/build-when-stale.ts'
import { runAdminIn } from './admin.ts'

const root = path.dirname(import.meta.dirname)
const CACHE = path.join(root, 'node_modules/.cache/e2e-seed')

/**
 * Demo organisations whose lists and projects the tests edit, also between 01:00 and 09:00 Bangkok time, when editing
 * is normally closed.
 */
const OPEN_LISTS = ['demo', 'tharamek', 'noensai']

/**
 * Returns a data folder with the whole demo data, to be copied. Building it takes a minute, so it is cached by
 * everything it depends on: the code of the server, the contract and the demo data, the model of terms, the database,
 * and the day, which the demo data is relative to. Older folders are removed.
 */
export async function prepareSeedFolder(): Promise<string> {
  const name = seedName()
  const folder = path.join(CACHE, name)
  await mkdir(CACHE, { recursive: true })
  while (!existsSync(folder)) {
    const lock = await lockFolder(`${folder}.draft`).catch((error: unknown) => {
      if (error instanceof FolderInUseError) return undefined
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
  const db = await openMigratedDatabase(parseSettings({ DATA_DIR: draft }))
  try {
    await seedDatabaseWhenEmpty(db, createCommandLineOutput())
  } finally {
    await db.close()
  }
  for (const organisation of OPEN_LISTS) runAdminIn(draft, 'set-window', organisation, 'off')
  for (const older of readdirSync(CACHE))
    if (!older.startsWith(path.basename(folder))) rmSync(path.join(CACHE, older), { recursive: true, force: true })
  renameSync(draft, folder)
}

const SOURCES = [
  'server',
  'contract',
  'sample',
  'data/term-model',
  'e2e/seed.ts',
  'node_modules/@electric-sql/pglite/package.json',
]

const seedName = () => `${getBangkokToday(new Date())}-${computeSourcesDigest(root, SOURCES).slice(0, 16)}`

if (import.meta.main) console.log(await prepareSeedFolder())
