import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, describe, inject } from 'vitest'
import { createDb } from '#server/engine/create-db.ts'
import type { OpenDb } from '#server/engine/db.ts'
import { openMemoryDb } from '#server/engine/open-db.ts'
import { openPostgres } from '#server/engine/postgres.ts'
import { inDatabase, PATIENT, urlOf } from './database-setup.ts'

/** Makes a fresh, migrated, empty database (about 1 s on PGlite, 0.1 s on PostgreSQL). All are closed when the file is done. */
export type MakeDb = () => Promise<OpenDb>

/**
 * Runs the same tests on both engines: in memory on PGlite always, and on PostgreSQL when there is a server (`database-setup.ts` says so loudly when not).
 * Usually one database a file: `beforeAll(async () => { db = await makeDb() })`.
 */
export function onEachEngine(name: string, tests: (makeDb: MakeDb) => void): void {
  describe(`${name} [PGlite]`, () => {
    tests(closingAll(makePglite))
  })
  const postgres = inject('postgres')
  describe.skipIf(postgres === undefined)(`${name} [PostgreSQL]`, () => {
    tests(closingAll(makePostgres))
  })
}

function closingAll(make: () => Promise<OpenDb>): MakeDb {
  const made: OpenDb[] = []
  afterAll(async () => {
    await Promise.all(made.map((db) => db.close()))
  })
  return async () => {
    const db = await make()
    made.push(db)
    return db
  }
}

/** A PostgreSQL database without a single table, for tests of migration itself. */
export async function makeEmptyPostgres(): Promise<{ url: string; drop(): Promise<void> }> {
  const { url } = runningPostgres()
  const name = `tamngan_test_${randomBytes(6).toString('hex')}`
  await inDatabase(url, (admin) => admin.script(`create database ${name}`))
  return {
    url: urlOf(url, name),
    drop: () => inDatabase(url, (admin) => admin.script(`drop database if exists ${name} with (force)`)),
  }
}

/** A migrated, empty PostgreSQL database by its address, for tests of the way there. */
export async function makeMigratedPostgres(): Promise<{ url: string; drop(): Promise<void> }> {
  const { url, template } = runningPostgres()
  const name = `tamngan_test_${randomBytes(6).toString('hex')}`
  await inDatabase(url, (admin) => admin.script(`create database ${name} template ${template}`))
  return {
    url: urlOf(url, name),
    drop: () => inDatabase(url, (admin) => admin.script(`drop database if exists ${name} with (force)`)),
  }
}

function runningPostgres(): NonNullable<ReturnType<typeof inject<'postgres'>>> {
  const postgres = inject('postgres')
  if (postgres === undefined) throw new Error('there is no PostgreSQL server in this run')
  return postgres
}

async function makePglite(): Promise<OpenDb> {
  return await openMemoryDb(new Uint8Array(readFileSync(inject('pgliteSnapshot'))))
}

async function makePostgres(): Promise<OpenDb> {
  const { url, drop } = await makeMigratedPostgres()
  const db = createDb(await openPostgres(url, PATIENT))
  return {
    ...db,
    async close() {
      await db.close()
      await drop()
    },
  }
}
