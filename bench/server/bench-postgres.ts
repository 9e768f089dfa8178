import { createDb } from '#server/platform/engine/create-db.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { startPostgresServer } from '../../test/server/postgres-server.ts'

/**
 * Measures on a database of this name, on the server of DATABASE_URL or on one started for it; a database left by an
 * earlier run is reused. Prints a notice and does nothing if there is no server.
 */
export async function withBenchPostgres(
  database: string,
  say: (text: string) => void,
  measure: (open: () => Promise<OpenDb>) => Promise<void>,
): Promise<void> {
  const startedServer = process.env.DATABASE_URL === undefined ? await startPostgresServer() : undefined
  const server = process.env.DATABASE_URL ?? startedServer?.url
  if (server === undefined) {
    console.log('postgres  SKIPPED: neither DATABASE_URL nor a local server binary')
    return
  }
  const url = new URL(server)
  url.pathname = `/${database}`
  const admin = createDb(await openPostgres(server))
  await admin.script(`create database ${database}`).catch(() => say('postgres: using the existing database'))
  await admin.close()
  await measure(async () => createDb(await openPostgres(url.href)))
  await startedServer?.stop()
}
