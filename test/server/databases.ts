import { randomBytes } from 'node:crypto'
import { afterAll, describe, inject, onTestFinished, TestRunner } from 'vitest'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { Db, OpenDb } from '#server/platform/engine/db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { getDatabaseUrl, SLOW_MACHINE_OPTIONS, withDatabase } from './database-setup.ts'
import { leasePglite } from './pglite-pool.ts'

/**
 * Creates a migrated, empty database (about 0.1 s on either engine). One created in a test or before each test is
 * closed after that test; one created before all, after the file.
 */
export type MakeDb = () => Promise<OpenDb>

/**
 * Runs the same tests on both engines: always on PGlite in memory, and on PostgreSQL when there is a server
 * (`database-setup.ts` warns loudly when not). For queries, the engines and whatever must behave alike on both.
 */
export function onEachEngine(name: string, tests: (makeDb: MakeDb) => void): void {
  // The second run of the suite repeats only the tests that use `onEachEngineInTurn`.
  if (process.env.TEST_TURN === 'second') return
  onPglite(name, tests)
  onPostgres(name, tests)
}

/**
 * Runs the tests once: on PostgreSQL, which serves many queries in parallel, or on PGlite when there is no server. For
 * behaviour above the database that is the same on either: HTTP rules, permissions, hostile requests.
 */
export function onOneEngine(name: string, tests: (makeDb: MakeDb) => void): void {
  if (inject('postgres') === undefined) onPglite(name, tests)
  else onPostgres(name, tests)
}

/**
 * Runs the tests on PostgreSQL in `npm test`, and on PGlite in `npm run test:long` (the project `second-engine` of
 * vitest.config.ts, which finds the files by this name). For jobs, channels, accounts and migrations of rows: their
 * guarantees are decided above the engine, yet their SQL must work on both.
 */
export function onEachEngineInTurn(name: string, tests: (makeDb: MakeDb) => void): void {
  if (process.env.TEST_TURN === 'second') onPglite(name, tests)
  else onOneEngine(name, tests)
}

/**
 * Rounds of a randomised search per engine: all on PostgreSQL, a third on PGlite when both run, because the second
 * repeats the first.
 */
export const roundsOn = ({ engine }: Db, rounds: number): number =>
  engine === 'pglite' && inject('postgres') !== undefined ? Math.ceil(rounds / 3) : rounds

function onPostgres(name: string, tests: (makeDb: MakeDb) => void): void {
  describe.skipIf(inject('postgres') === undefined)(`${name} [PostgreSQL]`, () => {
    tests(closingAll(makePostgres))
  })
}

function onPglite(name: string, tests: (makeDb: MakeDb) => void): void {
  describe(`${name} [PGlite]`, () => {
    tests(closingAll(() => leasePglite(inject('pgliteSnapshot'))))
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

type PostgresDatabase = { readonly url: string; drop(): Promise<void> }

export const makeEmptyPostgres = (): Promise<PostgresDatabase> => makePostgresFrom('template1')

export const makeMigratedPostgres = (): Promise<PostgresDatabase> => makePostgresFrom(runningPostgres().template)

async function makePostgresFrom(template: string): Promise<PostgresDatabase> {
  const { url } = runningPostgres()
  const name = `tamngan_test_${randomBytes(6).toString('hex')}`
  await withDatabase(url, (admin) => admin.script(`create database ${name} template ${template}`))
  return {
    url: getDatabaseUrl(url, name),
    drop: () => withDatabase(url, (admin) => admin.script(`drop database if exists ${name} with (force)`)),
  }
}

function runningPostgres(): NonNullable<ReturnType<typeof inject<'postgres'>>> {
  const postgres = inject('postgres')
  if (postgres === undefined) throw new Error('there is no PostgreSQL server in this run')
  return postgres
}

async function makePostgres(): Promise<OpenDb> {
  const { url, drop } = await makeMigratedPostgres()
  const db = createDb(await openPostgres(url, SLOW_MACHINE_OPTIONS))
  return {
    ...db,
    async close() {
      await db.close()
      await drop()
    },
  }
}
