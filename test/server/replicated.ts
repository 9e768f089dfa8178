import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDb } from '#server/platform/engine/create-db.ts'
import { type DatabaseReplicas, openDatabaseReplicas } from '#server/platform/engine/database-replicas.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { migrateDatabase } from '#server/platform/engine/migrate-database.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { SLOW_MACHINE_OPTIONS } from './database-setup.ts'
import { createServerFolder, type RestartablePostgres, startPostgresIn, startReplicaIn } from './postgres-server.ts'

export type Replicated = {
  readonly primary: RestartablePostgres
  readonly replicas: readonly RestartablePostgres[]
  readonly opened: DatabaseReplicas
  readonly direct: readonly OpenDb[]
  close(): Promise<void>
}

/**
 * Starts a real, migrated primary with streaming replicas, which are created after `fill` and have replayed it.
 * Takes one or two seconds per server.
 */
export async function startReplicated(count: number, fill: (db: OpenDb) => Promise<unknown>): Promise<Replicated> {
  const folders = Array.from({ length: count + 1 }, createServerFolder)
  const primary = await startPostgresIn(folders[0]!, ['fsync=off', 'max_connections=200'])
  if (primary === undefined) throw new Error('there is no PostgreSQL here')
  const db = createDb(await openPostgres(primary.url, SLOW_MACHINE_OPTIONS))
  await migrateDatabase(db)
  await fill(db)
  const replicas: RestartablePostgres[] = []
  for (const folder of folders.slice(1)) replicas.push((await startReplicaIn(folder, primary.url))!)
  const urls = replicas.map(({ url }) => url)
  const opened = await openDatabaseReplicas(db, urls)
  // Until then the primary serves the reads, because a replica that lags does not.
  while (!opened.figures().every(({ isUp, lagBytes }) => isUp && lagBytes === 0)) await sleep(20)
  const direct = await Promise.all(urls.map(async (url) => createDb(await openPostgres(url, SLOW_MACHINE_OPTIONS))))
  return {
    primary,
    replicas,
    opened,
    direct,
    async close() {
      await opened.db.close()
      await Promise.all(direct.map((replicaDb) => replicaDb.close()))
      await Promise.all(replicas.map((replica) => replica.stop('immediate')))
      await primary.stop('immediate')
      for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}
