import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { createDb } from '#server/engine/create-db.ts'
import type { OpenDb } from '#server/engine/db.ts'
import { migrate } from '#server/engine/migrate.ts'
import { openMemoryDb } from '#server/engine/open-db.ts'
import { openPostgres } from '#server/engine/postgres.ts'
import { openFeedFile } from '#server/features/feed/open-feed-file.ts'
import { type Compared, compareWithAnswers } from '../test/company-answers.ts'
import { ownCompanies, readCsv } from '../test/company-figures.ts'
import { startPostgresServer } from '../test/server/postgres-server.ts'

/**
 * Whether the companies' figures are right: computes them from a CSV of contracts by itself, takes the same file in through the product, asks its
 * API, and prints each figure beside the other.
 *
 *   npx node scripts/check-company-figures.ts [FILE]
 *
 * Ends with 1 when one differs. Uses the server of DATABASE_URL (a database of its own, dropped afterwards), else a throwaway PostgreSQL, else PGlite.
 */
const SHARED = path.join(import.meta.dirname, '../../shared/data/egp-2568-competitive-53736.csv.gz')
const file = process.argv[2] ?? SHARED
if (!existsSync(file)) {
  console.error(`there is no file ${file}`)
  process.exit(2)
}
const own = ownCompanies(readCsv(file))
const feed = await openFeedFile(file)
const lines = await inOwnDatabase((db) => compareWithAnswers(db, feed, own))
for (const { what, own: mine, answered } of lines)
  console.log(`${isEqual({ what, own: mine, answered }) ? 'equal    ' : 'DIFFERENT'}  ${what}: ${mine} / ${answered}`)
const different = lines.filter((line) => !isEqual(line)).length
console.log(`${lines.length} figures compared, ${different} different`)
process.exit(different === 0 ? 0 : 1)

function isEqual({ own: mine, answered }: Compared): boolean {
  return Object.is(mine, answered)
}

async function inOwnDatabase<T>(work: (db: OpenDb) => Promise<T>): Promise<T> {
  const server = process.env.DATABASE_URL === undefined ? await startPostgresServer() : undefined
  const address = process.env.DATABASE_URL ?? server?.url
  if (address === undefined) return await inDatabase(await openMemoryDb(), work)
  const name = `tamngan_check_${randomBytes(4).toString('hex')}`
  const admin = createDb(await openPostgres(address))
  await admin.script(`create database ${name}`)
  try {
    const url = new URL(address)
    url.pathname = `/${name}`
    return await inDatabase(createDb(await openPostgres(url.href)), work)
  } finally {
    await admin.script(`drop database ${name} with (force)`)
    await admin.close()
    await server?.stop()
  }
}

async function inDatabase<T>(db: OpenDb, work: (db: OpenDb) => Promise<T>): Promise<T> {
  try {
    await migrate(db)
    return await work(db)
  } finally {
    await db.close()
  }
}
