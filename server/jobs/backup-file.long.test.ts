import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { listRecordedBackups } from '#server/platform/engine/backup/backup-runs.ts'
import { checksumTable, listBackupTables } from '#server/platform/engine/backup/backup-tables.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { Db, OpenDb } from '#server/platform/engine/db.ts'
import { migrateDatabase } from '#server/platform/engine/migrate-database.ts'
import { openDb } from '#server/platform/engine/open-db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { SLOW_MACHINE_OPTIONS } from '../../test/server/database-setup.ts'
import { makeEmptyPostgres, onEachEngine } from '../../test/server/databases.ts'
import { killOnOutput } from '../../test/server/killed-process.ts'
import { addOrganisation } from '../../test/world/report-world.ts'
import { makeUserWorld } from '../../test/world/user-world.ts'
import { createBackup, restoreDatabaseFromFile } from './backup-file.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tamngan-backup-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const inFolder = (name: string) => path.join(folder, name)
const ALONE = { alongside: false }
const FRESH = { replace: false }

async function sums(db: Db): Promise<Record<string, { rows: number; hash: string }>> {
  const entries: [string, { rows: number; hash: string }][] = []
  for (const table of (await listBackupTables(db)).filter(({ name }) => name !== 'backup_runs'))
    entries.push([table.name, await checksumTable(db, table)])
  return Object.fromEntries(entries)
}

/**
 * Fills the database with the demo organisations, 2,000 projects, and values that are hard to serialise: large bytes,
 * NULLs, quotes, backslashes, line ends, microseconds.
 */
async function fillWorld(db: Db): Promise<void> {
  const world = await makeUserWorld(db, { projects: 2_000 })
  await world.app.close()
  await db.execute(
    sql`update projects set remark = ${'"ก"\\n\n\t{,NULL} \u{1F600}'}, district = null where project_id = '67000000002'`,
  )
  await db.execute(sql`
    insert into report_exports (id, organisation_id, user_id, format, query, columns, requested_at)
    select 'e', organisation_id, id, 'csv', '{}', '{"a,b","c\\"d",NULL}', '2026-11-21 01:02:03.000004+07' from users limit 1`)
  for (let index = 0; index < 5; index += 1)
    await db.execute(sql`
      insert into report_export_parts (export_id, place, bytes) select 'e', ${index}::int, decode(repeat(md5(${index}::int::text), 16384), 'hex')`)
}

let backupOfPglite: string
onEachEngine('a backup', (makeDb) => {
  let db: OpenDb
  let file: string
  beforeAll(async () => {
    db = await makeDb()
    await fillWorld(db)
    file = inFolder(`${db.engine}.backup`)
    if (db.engine === 'pglite') backupOfPglite = file
  }, 240_000)

  test('is one private file; restored over another database it gives equal counts and hashes (R47)', async () => {
    const made = await createBackup(db, file, ALONE)
    expect(made.rows).toBeGreaterThan(2_000)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const target = await makeDb()
    await addOrganisation(target)
    await expect(restoreDatabaseFromFile(target, file, FRESH)).rejects.toThrow('the database is not empty')
    const restored = await restoreDatabaseFromFile(target, file, { replace: true })
    expect(restored).toMatchObject({ rows: made.rows, tables: made.tables })
    const expected = await sums(db)
    expect(expected.projects).toMatchObject({ rows: 2_000 })
    expect(await sums(target)).toEqual(expected)
    const [organisation] = await target.query<{ id: number; most: number }>(sql`
      insert into loads (source, origin, state) values ('x', 'x', 'staging') returning id, (select max(id) from loads) as most`)
    expect(organisation!.id).toBeGreaterThan(organisation!.most)
    expect(await shapeOf(target)).toEqual(await shapeOf(db))
    await expect(target.execute(sql`delete from organisations`)).resolves.toBeGreaterThan(0)
  }, 120_000)

  test('encrypted with a key restores only with it and reveals none of its content', async () => {
    const key = 'a long passphrase of the house'
    const sealed = inFolder(`${db.engine}.sealed`)
    const made = await createBackup(db, sealed, { ...ALONE, key })
    expect(made.isEncrypted).toBe(true)
    expect((await readFile(sealed)).subarray(0, 2).equals((await readFile(file)).subarray(0, 2))).toBe(false)
    const unusedDb = {} as OpenDb
    await expect(restoreDatabaseFromFile(unusedDb, sealed, FRESH)).rejects.toThrow('is encrypted: set BACKUP_KEY')
    await expect(restoreDatabaseFromFile(unusedDb, sealed, { ...FRESH, key: `${key}.` })).rejects.toThrow(
      'a key other than BACKUP_KEY',
    )
    await writeFile(inFolder('flipped'), flipped(await readFile(sealed)))
    await expect(restoreDatabaseFromFile(unusedDb, inFolder('flipped'), { ...FRESH, key })).rejects.toThrow('damaged')
    const target = await makeDb()
    await restoreDatabaseFromFile(target, sealed, { ...FRESH, key })
    expect(await sums(target)).toEqual(await sums(db))
    expect((await listRecordedBackups(db)).map(({ kind }) => kind)).toEqual(['file'])
  }, 120_000)

  test('never overwrites an existing file and leaves no partial one', async () => {
    await expect(createBackup(db, file, ALONE)).rejects.toThrow('already exists')
    const stopped = createBackup(db, inFolder('stopped'), { ...ALONE, signal: AbortSignal.timeout(1) })
    await expect(stopped).rejects.toThrow()
    expect((await readdir(folder)).filter((name) => name.startsWith('stopped'))).toEqual([])
  })

  test('with changed values fails the hash check of its table and changes nothing', async () => {
    // Use a separate database, because the report cache reads the other one over two connections and a restore needs
    // exclusive access.
    const target = await makeDb()
    await addOrganisation(target)
    const before = await sums(target)
    await writeFile(
      inFolder('changed'),
      gzipSync(
        gunzipSync(await readFile(file))
          .toString()
          .replace('เทศบาล', 'เทศบาน'),
      ),
    )
    await expect(restoreDatabaseFromFile(target, inFolder('changed'), { replace: true })).rejects.toThrow(
      /damaged: table \w+ has/,
    )
    expect(await sums(target)).toEqual(before)
  }, 120_000)
})

test('refuses a damaged, truncated, newer or foreign file before touching the database', async () => {
  const intact = await readFile(backupOfPglite)
  const text = gunzipSync(intact).toString()
  const lines = text.split('\n')
  const later = '"migrations":[{"number":9999,"name":"9999_later.sql","checksum":"x"},'
  const damaged: Record<string, [Buffer, RegExp]> = {
    'cut off': [intact.subarray(0, intact.length / 2), /damaged: unexpected end of file/],
    'a byte flipped': [flipped(intact), /damaged/],
    'without its end': [gzipSync(lines.slice(0, -2).join('\n')), /damaged: it ends too early/],
    'a table left out': [
      gzipSync(lines.filter((line) => !/^\{"(table|end)":"users"/.test(line)).join('\n')),
      /table users is missing/,
    ],
    'rows left out': [
      gzipSync(lines.filter((line) => !/^\{"table":"users"/.test(line)).join('\n')),
      /table users has 0 rows, not \d+/,
    ],
    newer: [gzipSync(text.replace('"migrations":[', later)), /9999_later.sql, which this program does not know/],
    'something else': [gzipSync('{"a":1}\n'), /not a tamngan backup/],
    'not even packed': [Buffer.from('Hello'), /not a backup, or is damaged/],
  }
  const unusedDb = {} as OpenDb
  for (const [what, [bytes, why]] of Object.entries(damaged)) {
    await writeFile(inFolder('damaged'), bytes)
    await expect(restoreDatabaseFromFile(unusedDb, inFolder('damaged'), { replace: true }), what).rejects.toThrow(why)
  }
  await expect(restoreDatabaseFromFile(unusedDb, inFolder('nowhere'), FRESH)).rejects.toThrow('there is no file')
})

const shapeOf = (db: Db) =>
  db.query(sql`
    select pg_get_indexdef(indexrelid) as definition from pg_index i join pg_class c on c.oid = i.indrelid
    where c.relnamespace = current_schema()::text::regnamespace
    union all
    select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint where connamespace = current_schema()::text::regnamespace
    union all
    select pg_get_triggerdef(g.oid) || ' ' || g.tgenabled::text from pg_trigger g join pg_class c on c.oid = g.tgrelid
    where not g.tgisinternal and c.relnamespace = current_schema()::text::regnamespace
    order by 1`)

function flipped(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  copy[copy.length >> 1]! ^= 0x55
  return copy
}

test.skipIf(inject('postgres') === undefined)(
  'PostgreSQL restores a backup of the embedded database with the same hashes',
  async () => {
    const { url, drop } = await makeEmptyPostgres()
    const db = createDb(await openPostgres(url, SLOW_MACHINE_OPTIONS))
    expect((await restoreDatabaseFromFile(db, backupOfPglite, FRESH)).rows).toBeGreaterThan(2_000)
    await db.close()
    await drop()
  },
)

test.skipIf(inject('postgres') === undefined)(
  'a restore waits for closing connections, and is refused while a server stays connected',
  async () => {
    const { url, drop } = await makeEmptyPostgres()
    const server = createDb(await openPostgres(url, SLOW_MACHINE_OPTIONS))
    const db = createDb(await openPostgres(url, SLOW_MACHINE_OPTIONS))
    await server.query(sql`select`)
    await expect(restoreDatabaseFromFile(db, backupOfPglite, FRESH)).rejects.toThrow(
      '1 connections of a running server',
    )
    const restoring = restoreDatabaseFromFile(db, backupOfPglite, FRESH)
    restoring.catch(() => undefined)
    const hasLooked = async () => {
      const looking = await server.query(
        sql`select from pg_stat_activity where state = 'idle in transaction' and query like '%pg_stat_clear_snapshot%'`,
      )
      expect(looking).toHaveLength(1)
    }
    await vi.waitFor(hasLooked, { timeout: 20_000, interval: 10 })
    await server.close()
    expect((await restoring).rows).toBeGreaterThan(2_000)
    await db.close()
    await drop()
  },
  60_000,
)

const RESTORER = path.join(import.meta.dirname, 'restorer-for-tests.ts')

test('R47: backs up a folder while its server runs; a restore killed with SIGKILL leaves it unchanged', async () => {
  const dataDir = inFolder('data')
  const db = await openDb({ dataDir })
  await migrateDatabase(db)
  await makeUserWorld(db, { projects: 5 }).then(({ app }) => app.close())
  const made = await createBackup(db, inFolder('beside'), { alongside: true })
  expect(made.pausedMs).toBeGreaterThan(0)
  expect(await readdir(dataDir)).toEqual(['pglite', 'pglite.lock'])
  const before = await sums(db)
  await db.close()
  await killOnOutput(RESTORER, [dataDir, backupOfPglite], /half/)
  const after = await openDb({ dataDir })
  expect(await sums(after)).toEqual(before)
  await restoreDatabaseFromFile(after, inFolder('beside'), { replace: true })
  expect(await sums(after)).toEqual(before)
  await after.close()
}, 240_000)
