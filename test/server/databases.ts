import { randomBytes } from 'node:crypto'
import { afterAll, describe, inject, onTestFinished, TestRunner } from 'vitest'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { Db, OpenDb } from '#server/platform/engine/db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { inDatabase, PATIENT, urlOf } from './database-setup.ts'
import { takePglite } from './pglite-pool.ts'

/**
 * Makes a migrated, empty database (about 0.1 s on either engine). One that is made in a test or before each test is closed when that test is done,
 * one that is made before all when the file is.
 */
export type MakeDb = () => Promise<OpenDb>

/**
 * Runs the same tests on both engines: in memory on PGlite always, and on PostgreSQL when there is a server (`database-setup.ts` says so loudly when not).
 * For queries, the engines and whatever must be alike on both.
 */
export function onEachEngine(name: string, tests: (makeDb: MakeDb) => void): void {
  // A file of which a part is asked in turn.
  if (process.env.TEST_TURN === 'second') return
  onPglite(name, tests)
  onPostgres(name, tests)
}

/**
 * Runs the tests once: on PostgreSQL, which many requests can ask at a time, or on PGlite when there is no server. For what is decided above the
 * database and is the same on either: HTTP rules, who may do what, hostile requests.
 */
export function onOneEngine(name: string, tests: (makeDb: MakeDb) => void): void {
  if (inject('postgres') === undefined) onPglite(name, tests)
  else onPostgres(name, tests)
}

/**
 * Runs the tests on PostgreSQL in `npm test`, and on PGlite in `npm run test:long` (the project `second-engine` of vitest.config.ts, which finds the files by
 * this name). For jobs, channels and accounts: what they promise is decided above the database, and their SQL is kept on both engines all the same.
 */
export function onEachEngineInTurn(name: string, tests: (makeDb: MakeDb) => void): void {
  if (process.env.TEST_TURN === 'second') onPglite(name, tests)
  else onOneEngine(name, tests)
}

/** Of a random search on each engine: all `rounds` on PostgreSQL, a third on PGlite where both run, because the second repeats the first. */
export const roundsOn = ({ engine }: Db, rounds: number): number =>
  engine === 'pglite' && inject('postgres') !== undefined ? Math.ceil(rounds / 3) : rounds

function onPostgres(name: string, tests: (makeDb: MakeDb) => void): void {
  describe.skipIf(inject('postgres') === undefined)(`${name} [PostgreSQL]`, () => {
    tests(closingAll(makePostgres))
  })
}

function onPglite(name: string, tests: (makeDb: MakeDb) => void): void {
  describe(`${name} [PGlite]`, () => {
    tests(closingAll(() => takePglite(inject('pgliteSnapshot'))))
  })
}

function closingAll(make: () => Promise<OpenDb>): MakeDb {
  const made: OpenDb[] = []
  afterAll(async () => {
    await Promise.all(made.map((db) => db.close()))
  })
  return async () => {
    const db = await make()
    if (TestRunner.getCurrentTest() === undefined) made.push(db)
    else onTestFinished(() => db.close())
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
