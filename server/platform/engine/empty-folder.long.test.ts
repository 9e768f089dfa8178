import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDb } from './create-db.ts'
import { buildEmptyDatabaseFolder, copyEmptyDatabaseFolder } from './empty-database-folder.ts'
import { listKnownMigrations, migrateDatabase } from './migrate-database.ts'
import { openPglite } from './pglite.ts'

let home: string
const cache = () => path.join(home, 'cache')
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'tamngan-empty-'))
  await mkdir(path.join(cache(), '0.1.0-older'), { recursive: true })
  await buildEmptyDatabaseFolder(cache())
}, 120_000)
afterAll(() => rm(home, { recursive: true, force: true }))

test('caches only the folder of the build, which opens with the newest schema and no rows', async () => {
  expect(await readdir(cache())).toHaveLength(1)
  const folder = path.join(home, 'pglite')
  // Create what remains of a start that was killed while copying.
  await mkdir(`${folder}.draft`)
  await writeFile(path.join(`${folder}.draft`, 'half'), '')
  await copyEmptyDatabaseFolder(folder, cache())
  expect(await readdir(home)).not.toContain('pglite.draft')
  expect(await readdir(folder)).not.toContain('half')
  const db = createDb(await openPglite({ folder }))
  try {
    const applied = await db.query(sql`select number, name, checksum from schema_migrations order by number`)
    expect(applied).toEqual(
      (await listKnownMigrations()).map(({ number, name, checksum }) => ({ number, name, checksum })),
    )
    await migrateDatabase(db)
    expect(await db.query(sql`select count(*)::int as rows from organisations`)).toEqual([{ rows: 0 }])
  } finally {
    await db.close()
  }
})

test('leaves an existing folder alone', async () => {
  const folder = path.join(home, 'mine')
  await mkdir(folder)
  await writeFile(path.join(folder, 'PG_VERSION'), 'mine')
  await copyEmptyDatabaseFolder(folder, cache())
  expect(await readdir(folder)).toEqual(['PG_VERSION'])
})

test('does nothing when the build made no folder', async () => {
  await copyEmptyDatabaseFolder(path.join(home, 'none'), path.join(home, 'no-cache'))
  expect(await readdir(home)).not.toContain('none')
})
