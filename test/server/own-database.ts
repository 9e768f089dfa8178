import { randomBytes } from 'node:crypto'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { migrateDatabase } from '#server/platform/engine/migrate-database.ts'
import { openMemoryDb } from '#server/platform/engine/open-db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { startPostgresServer } from './postgres-server.ts'

/**
 * Runs `work` on a temporary database, dropped afterwards: on the server of DATABASE_URL, else on a throwaway
 * PostgreSQL, else PGlite.
 */
export async function withTemporaryDatabase<T>(work: (db: OpenDb) => Promise<T>): Promise<T> {
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
    await migrateDatabase(db)
    return await work(db)
  } finally {
    await db.close()
  }
}
