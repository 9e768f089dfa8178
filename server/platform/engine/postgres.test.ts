import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { makeEmptyPostgres } from '../../../test/server/databases.ts'
import { type FaultProxy, getProxiedUrl, startFaultProxy } from '../../../test/server/fault-proxy.ts'
import { createDb } from './create-db.ts'
import { DbUnavailableError, type OpenDb, QueryTimeoutError } from './db.ts'
import { openPostgres } from './postgres.ts'

const selectOne = sql`select 1 as n`
/**
 * R48 allows two seconds, which `bench/faults/outage.ts` measures. This test allows more because other test files may
 * run at the same time.
 */
const MAX_WAIT_MS = 5_000

describe.skipIf(inject('postgres') === undefined)('PostgreSQL', () => {
  let wire: FaultProxy
  let db: OpenDb
  let direct: OpenDb
  let drop: () => Promise<void>
  beforeAll(async () => {
    const database = await makeEmptyPostgres()
    drop = database.drop
    direct = createDb(await openPostgres(database.url))
    const { hostname, port } = new URL(database.url)
    wire = await startFaultProxy({ host: hostname, port: Number(port) })
    db = createDb(await openPostgres(getProxiedUrl(database.url, wire)))
  })
  afterAll(async () => {
    await wire.close()
    await db.close()
    await direct.close()
    await drop()
  })

  test('reports a lost database as unavailable within two seconds and reconnects without a restart (R48)', async () => {
    expect(await db.query(selectOne)).toEqual([{ n: 1 }])
    const underway = db.query(sql`select pg_sleep(20)`, { timeoutMs: 0 })
    underway.catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, 200))
    await wire.refuse()
    wire.reset()
    await expect(underway).rejects.toBeInstanceOf(DbUnavailableError)
    const startedAt = performance.now()
    await expect(db.query(selectOne)).rejects.toBeInstanceOf(DbUnavailableError)
    expect(performance.now() - startedAt).toBeLessThan(MAX_WAIT_MS)
    await wire.listen()
    expect(await db.query(selectOne)).toEqual([{ n: 1 }])
  })

  test('reconnects at once after the database ended every connection', async () => {
    expect(await db.query(selectOne)).toEqual([{ n: 1 }])
    const ended = await direct.query(sql`
      select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`)
    expect(ended.length).toBeGreaterThan(0)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(await db.query(selectOne)).toEqual([{ n: 1 }])
  })

  test('reports a half-open connection as unavailable within two seconds, whatever the timeout (R48)', async () => {
    expect(await db.query(selectOne)).toEqual([{ n: 1 }])
    wire.set({ kind: 'hang' })
    const startedAt = performance.now()
    const pending = [
      db.query(selectOne),
      db.query(selectOne, { timeoutMs: 0 }),
      db.transaction((tx) => tx.query(selectOne)),
    ]
    for (const answer of pending) await expect(answer).rejects.toBeInstanceOf(DbUnavailableError)
    expect(performance.now() - startedAt).toBeLessThan(MAX_WAIT_MS)
    wire.set({ kind: 'pass' })
    await expect.poll(() => db.query(selectOne).catch(() => 'not yet'), { timeout: 5_000 }).toEqual([{ n: 1 }])
  })

  test('waits for a slow statement although it probes the connection', async () => {
    expect(await db.query(sql`select 1 as n from pg_sleep(1.5)`)).toEqual([{ n: 1 }])
  })

  test('reports a full pool as unavailable within two seconds, unless the caller has no timeout', async () => {
    const free = Promise.withResolvers<void>()
    const busy: Promise<void>[] = []
    for (let n = 0; n < 10; n += 1) {
      const inside = Promise.withResolvers<void>()
      busy.push(
        db.transaction(
          async () => {
            inside.resolve()
            await free.promise
          },
          { idleTimeoutMs: 0 },
        ),
      )
      await inside.promise
    }
    const patient = db.query(selectOne, { timeoutMs: 0 })
    const startedAt = performance.now()
    await expect(db.query(selectOne)).rejects.toBeInstanceOf(DbUnavailableError)
    expect(performance.now() - startedAt).toBeLessThan(MAX_WAIT_MS)
    free.resolve()
    expect(await patient).toEqual([{ n: 1 }])
    await Promise.all(busy)
  })

  test('runs maintenance statements with their own timeout and outside any transaction', async () => {
    await db.script('create table if not exists swept (n int)')
    expect(await db.execute(sql`vacuum swept`, { timeoutMs: 4_000 })).toBe(0)
    expect(await db.query(sql`select current_setting('statement_timeout') as most`)).toEqual([{ most: '15s' }])
  })

  test('cancels a statement on the server too when it times out', async () => {
    await expect(db.query(sql`select pg_sleep(30)`, { timeoutMs: 300 })).rejects.toBeInstanceOf(QueryTimeoutError)
    const running = () =>
      direct.query(sql`
      select 1 from pg_stat_activity where datname = current_database() and state = 'active' and query like '%pg_sleep(30)%' and pid <> pg_backend_pid()`)
    // The error arrives just before the session counts as idle, so poll. Without the cancellation the query would run
    // for half a minute.
    await expect.poll(running, { timeout: 10_000 }).toEqual([])
  })

  test('resets the statement timeout of a connection after a rolled-back transaction', async () => {
    const cut = db.transaction((tx) => tx.query(sql`select pg_sleep(5)`, { timeoutMs: 200 }))
    await expect(cut).rejects.toBeInstanceOf(QueryTimeoutError)
    await db.query(sql`select pg_sleep(0.4)`)
  })
})
