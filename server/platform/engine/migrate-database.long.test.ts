import { readFileSync } from 'node:fs'
import sql from 'sql-template-tag'
import { afterAll, expect, inject, test } from 'vitest'
import { makeEmptyPostgres, onEachEngine } from '../../../test/server/databases.ts'
import { createDb } from './create-db.ts'
import type { OpenDb } from './db.ts'
import { listKnownMigrations, migrateDatabase } from './migrate-database.ts'
import { openMemoryDb } from './open-db.ts'
import { openPostgres } from './postgres.ts'

const applied = (db: OpenDb) => db.query<{ number: number }>(sql`select number from schema_migrations order by number`)

onEachEngine('a migrated database', (makeDb) => {
  test('is not changed by a second migration run', async () => {
    const db = await makeDb()
    const before = await applied(db)
    await migrateDatabase(db)
    expect(before.length).toBeGreaterThan(0)
    expect(await applied(db)).toEqual(before)
  })

  test('is refused when a shipped migration was edited', async () => {
    const db = await makeDb()
    await db.script(`update schema_migrations set checksum = 'other' where number = 1`)
    await expect(migrateDatabase(db)).rejects.toThrow('0001_foundation.sql was changed after it had been applied')
  })

  test('is refused when it is newer than the program', async () => {
    const db = await makeDb()
    await db.script(`insert into schema_migrations (number, name, checksum) values (9999, '9999_later.sql', '')`)
    await expect(migrateDatabase(db)).rejects.toThrow('9999_later.sql, which this version does not know')
  })
})

// Three migrations run at once, possibly on a busy machine, so the timeout is long; one migration takes 3 s.
test('migrates an empty PGlite once for several concurrent callers', { timeout: 180_000 }, async () => {
  const db = await openMemoryDb()
  afterAll(() => db.close())
  await Promise.all([migrateDatabase(db), migrateDatabase(db), migrateDatabase(db)])
  expect((await applied(db)).length).toBeGreaterThan(0)
})

test.skipIf(inject('postgres') === undefined)(
  'migrates an empty PostgreSQL once when several servers start at the same time',
  async () => {
    const { url, drop } = await makeEmptyPostgres()
    const servers = await Promise.all([1, 2, 3].map(async () => createDb(await openPostgres(url))))
    try {
      await Promise.all(servers.map((server) => migrateDatabase(server)))
      expect((await applied(servers[0]!)).length).toBeGreaterThan(0)
    } finally {
      await Promise.all(servers.map((server) => server.close()))
      await drop()
    }
  },
)

// Installations store the checksum and refuse to start on a mismatch, so even the comments of a shipped migration are frozen.
test('every migration has the checksum it was shipped with', async () => {
  const shipped = readFileSync(new URL('./migrations/checksums.txt', import.meta.url), 'utf8')
  const lines = (await listKnownMigrations()).map(({ name, checksum }) => `${checksum}  ${name}\n`)
  expect(lines.join(''), 'append new migrations to checksums.txt and never edit a shipped one').toBe(shipped)
})
