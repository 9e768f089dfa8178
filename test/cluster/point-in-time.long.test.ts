import { existsSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { readWalArchiveStatus } from '#server/platform/engine/backup/backup-runs.ts'
import { countTableRows, listBackupTables } from '#server/platform/engine/backup/backup-tables.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { Db, OpenDb } from '#server/platform/engine/db.ts'
import { migrateDatabase } from '#server/platform/engine/migrate-database.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { SLOW_MACHINE_OPTIONS } from '../server/database-setup.ts'
import { signIn } from '../server/http-app.ts'
import { findPostgresBinaries } from '../server/postgres-programs.ts'
import { createServerFolder, type RestartablePostgres } from '../server/postgres-server.ts'
import { makeUserWorld, projectId, type UserWorld } from '../world/user-world.ts'
import {
  getConfigPath,
  restoreToTarget,
  runPgbackrest,
  runRestoreDrill,
  startArchivingPostgres,
  waitUntilArchived,
  waitUntilReplayed,
} from './pgbackrest.ts'
import { findProgram } from './processes.ts'

const canRun = findProgram('pgbackrest') !== undefined && findPostgresBinaries() !== undefined
if (!canRun) console.warn('SKIPPED: point-in-time recovery: pgbackrest or PostgreSQL is not installed')

const WAIT = { timeout: 60_000, interval: 100 }

/** Runs the commands of "Point-in-time recovery" in docs/operations.md. */
describe.skipIf(!canRun)('R47: point-in-time recovery of PostgreSQL', () => {
  let folder: string
  let server: RestartablePostgres
  let db: OpenDb
  let world: UserWorld
  let me: Awaited<ReturnType<typeof signIn>>
  let moment: string
  let rows: Record<string, number>

  const star = async (n: number) => {
    const { status } = await world.patch(me, { bookmark_action: { action: 'add', project_id: projectId(n) } })
    if (status !== 200) throw new Error(`not starred: ${status}`)
  }
  const stars = async (on: Db) =>
    (await on.query<{ id: string }>(sql`select project_id as id from bookmarks order by 1`)).map(({ id }) => id)
  /**
   * Counts the rows of all tables except job leases, which change shortly after a response and when another server
   * takes over.
   */
  const rowsOf = async (on: Db) => {
    const counts: Record<string, number> = {}
    for (const { name } of await listBackupTables(on))
      if (name !== 'job_leases') counts[name] = await countTableRows(on, name)
    return counts
  }
  const now = async () => (await db.query<{ at: string }>(sql`select clock_timestamp()::text as at`))[0]!.at

  beforeAll(async () => {
    folder = createServerFolder()
    server = (await startArchivingPostgres(folder))!
    db = createDb(await openPostgres(server.url, SLOW_MACHINE_OPTIONS))
    await migrateDatabase(db)
    world = await makeUserWorld(db, { projects: 200 })
    me = await signIn(world.app, 'manager@tharamek.example')
    await star(1)
    await runPgbackrest(folder, ['--type=full', 'backup'])
    // pgBackRest records the end of a backup in whole seconds and restores only to a later second.
    await sleep(2_000)
  }, 240_000)
  afterAll(async () => {
    await world?.app.close()
    await db?.close()
    await server?.stop('immediate')
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  })

  test('restores beside the live server: earlier changes are there, later ones are not, and the live server is untouched', async () => {
    await star(2)
    rows = await rowsOf(db)
    moment = await now()
    await star(3)
    await db.execute(sql`delete from projects where project_id = ${projectId(200)}`)
    await waitUntilArchived(db, WAIT.timeout)
    const done = await runRestoreDrill(folder, moment, async (copy) => ({
      stars: await stars(copy),
      rows: await rowsOf(copy),
    }))
    expect(done.seen).toEqual({ stars: [projectId(1), projectId(2)], rows })
    console.log(`drill: files ${done.restoreSeconds.toFixed(1)} s, log ${done.replaySeconds.toFixed(1)} s`)
    expect(await stars(db)).toEqual([projectId(1), projectId(2), projectId(3)])
    expect(existsSync(path.join(folder, 'drill'))).toBe(false)
    const [info] = JSON.parse(await runPgbackrest(folder, ['--output=json', 'info'])) as [
      { archive: { max: string }[] },
    ]
    expect(info.archive.map(({ max }) => max.slice(0, 8))).toEqual(['00000001'])
  }, 120_000)

  test('reports failing WAL archiving at once and recovers by itself', async () => {
    const config = getConfigPath(folder)
    renameSync(config, `${config}.away`)
    await db.query(sql`select pg_switch_wal()`)
    await vi.waitFor(async () => expect((await readWalArchiveStatus(db)).isFailing).toBe(true), WAIT)
    renameSync(`${config}.away`, config)
    // PostgreSQL pauses a minute after archiving fails; finishing a WAL segment makes it retry at once.
    await star(4)
    await db.query(sql`select pg_switch_wal()`)
    await vi.waitFor(async () => expect((await readWalArchiveStatus(db)).isFailing).toBe(false), {
      ...WAIT,
      timeout: 120_000,
    })
  }, 240_000)

  test('replaces a stopped server: the later star is gone, every session has ended, and archiving continues', async () => {
    await waitUntilArchived(db, WAIT.timeout)
    await server.stop('fast')
    await restoreToTarget(folder, moment, ['--delta'])
    await server.start()
    await waitUntilReplayed(db)
    await db.script(`
      delete from job_leases;
      update jobs set state = 'waiting', leased_by = null, lease_until = null where state = 'running';
      update sessions set revoked_at = now() where revoked_at is null;`)
    expect(await stars(db)).toEqual([projectId(1), projectId(2)])
    expect(await rowsOf(db)).toEqual(rows)
    expect((await world.patch(me, {})).status).toBe(401)
    await waitUntilArchived(db, WAIT.timeout)
    const later = await now()
    await db.execute(sql`delete from bookmarks`)
    await waitUntilArchived(db, WAIT.timeout)
    const { seen } = await runRestoreDrill(folder, later, stars)
    expect(seen).toEqual([projectId(1), projectId(2)])
  }, 240_000)
})
