import { rmSync } from 'node:fs'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { migrateDatabase } from '#server/platform/engine/migrate-database.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { SLOW_MACHINE_OPTIONS } from '../../test/server/database-setup.ts'
import { appOn } from '../../test/server/http-app.ts'
import {
  createServerFolder,
  type RestartablePostgres,
  startPostgresIn,
  startReplicaIn,
} from '../../test/server/postgres-server.ts'
import { createReplicationWatcher } from './operate/health.ts'

const SOON = { timeout: 20_000 }

describe.skipIf(inject('postgres') === undefined)('a primary without its synchronous standby [PostgreSQL]', () => {
  const folders = [createServerFolder(), createServerFolder()]
  const servers: RestartablePostgres[] = []
  let db: OpenDb
  let app: RouteApp
  beforeAll(async () => {
    servers.push((await startPostgresIn(folders[0]!, ['fsync=off', 'max_connections=200']))!)
    db = createDb(await openPostgres(servers[0]!.url, SLOW_MACHINE_OPTIONS))
    await migrateDatabase(db)
    servers.push((await startReplicaIn(folders[1]!, servers[0]!.url))!)
    await db.script(`alter system set synchronous_standby_names = '*'`)
    await db.query(sql`select pg_reload_conf()`)
    app = await appOn(db)
  })
  afterAll(async () => {
    await app.close()
    await db.close()
    for (const server of servers) await server.stop('immediate')
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  })
  const standbys = async () => (await app.inject('/readyz')).json().synchronous_standbys
  /** Sends a change without a session, which is refused before it writes, with or without a standby. */
  const change = async () => {
    const { statusCode, headers, body } = await app.inject({ method: 'PATCH', url: '/api/v2/users/me', payload: {} })
    return [statusCode, headers['retry-after'], body.includes('ไม่มีเครื่องสำรอง')]
  }

  test('refuses changes with a reason, answers queries, and accepts changes when the standby is back', async () => {
    await expect.poll(standbys, SOON).toBe('1 เครื่อง')
    expect(await change()).toEqual([401, undefined, false])
    await servers[1]!.stop('immediate')
    await expect.poll(standbys, SOON).toContain('ยังไม่มี')
    expect(await change()).toEqual([401, undefined, false])
    await expect.poll(change, SOON).toEqual([503, '2', true])
    expect((await app.inject('/api/v2/users/me')).statusCode).toBe(401)
    expect((await app.inject('/readyz')).statusCode).toBe(200)
    await servers[1]!.start()
    await expect.poll(change, SOON).toEqual([401, undefined, false])
  })

  test('counts as unprotected after five seconds without a standby, and only where commits wait for one', async () => {
    let now = 0
    const watch = createReplicationWatcher(db, () => now)
    const isWithoutStandbyAt = async (at: number) => {
      now = at
      await watch.text()
      return await watch.isWithoutStandby()
    }
    await expect.poll(standbys, SOON).toBe('1 เครื่อง')
    expect([await isWithoutStandbyAt(0), await isWithoutStandbyAt(60_000)]).toEqual([false, false])
    await servers[1]!.stop('immediate')
    await expect.poll(standbys, SOON).toContain('ยังไม่มี')
    expect([
      await isWithoutStandbyAt(70_000),
      await isWithoutStandbyAt(74_000),
      await isWithoutStandbyAt(76_000),
    ]).toEqual([false, false, true])
    await db.script('alter system set synchronous_commit = local')
    await db.query(sql`select pg_reload_conf()`)
    await expect.poll(() => isWithoutStandbyAt(now + 2_000), SOON).toBe(false)
  })
})
