import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { makeEmptyPostgres } from '../../../test/server/databases.ts'
import { type FaultProxy, startFaultProxy, throughProxy } from '../../../test/server/fault-proxy.ts'
import { createDb } from './create-db.ts'
import { DbUnavailable, type OpenDb, QueryTimeout } from './db.ts'
import { openPostgres } from './postgres.ts'

const one = sql`select 1 as n`
/**
 * R48 allows two seconds, and `bench/faults/outage.ts` measures them. This test allows more, because other test files
 * may run at the same time.
 */
const MOST_MS = 5_000

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
    db = createDb(await openPostgres(throughProxy(database.url, wire)))
  })
  afterAll(async () => {
    await wire.close()
    await db.close()
    await direct.close()
    await drop()
  })

  test('that goes away is told as unavailable within two seconds, and found again without a restart (R48)', async () => {
    expect(await db.query(one)).toEqual([{ n: 1 }])
    const underway = db.query(sql`select pg_sleep(20)`, { timeoutMs: 0 })
    underway.catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, 200))
    await wire.refuse()
    wire.reset()
    await expect(underway).rejects.toBeInstanceOf(DbUnavailable)
    const askedAt = performance.now()
    await expect(db.query(one)).rejects.toBeInstanceOf(DbUnavailable)
    expect(performance.now() - askedAt).toBeLessThan(MOST_MS)
    await wire.listen()
    expect(await db.query(one)).toEqual([{ n: 1 }])
  })

  test('that ends every connection is found again at once', async () => {
    expect(await db.query(one)).toEqual([{ n: 1 }])
    const ended = await direct.query(sql`
      select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`)
    expect(ended.length).toBeGreaterThan(0)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(await db.query(one)).toEqual([{ n: 1 }])
  })

  test('that falls silent (half-open connection) is told as unavailable within two seconds, whatever the limit of the statement (R48)', async () => {
    expect(await db.query(one)).toEqual([{ n: 1 }])
    wire.set({ kind: 'hang' })
    const askedAt = performance.now()
    const asked = [db.query(one), db.query(one, { timeoutMs: 0 }), db.transaction((tx) => tx.query(one))]
    for (const answer of asked) await expect(answer).rejects.toBeInstanceOf(DbUnavailable)
    expect(performance.now() - askedAt).toBeLessThan(MOST_MS)
    wire.set({ kind: 'pass' })
    await expect.poll(() => db.query(one).catch(() => 'not yet'), { timeout: 5_000 }).toEqual([{ n: 1 }])
  })

  test('that is only slow is waited for, although it is asked after', async () => {
    expect(await db.query(sql`select 1 as n from pg_sleep(1.5)`)).toEqual([{ n: 1 }])
  })

  test('whose connections are all in use is told as unavailable within two seconds, unless the caller has no limit', async () => {
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
    const patient = db.query(one, { timeoutMs: 0 })
    const askedAt = performance.now()
    await expect(db.query(one)).rejects.toBeInstanceOf(DbUnavailable)
    expect(performance.now() - askedAt).toBeLessThan(MOST_MS)
    free.resolve()
    expect(await patient).toEqual([{ n: 1 }])
    await Promise.all(busy)
  })

  test('runs maintenance with a limit of its own, which may stand behind no other statement', async () => {
    await db.script('create table if not exists swept (n int)')
    expect(await db.execute(sql`vacuum swept`, { timeoutMs: 4_000 })).toBe(0)
    expect(await db.query(sql`select current_setting('statement_timeout') as most`)).toEqual([{ most: '15s' }])
  })

  test('cuts a statement at its limit on the server as well', async () => {
    await expect(db.query(sql`select pg_sleep(30)`, { timeoutMs: 300 })).rejects.toBeInstanceOf(QueryTimeout)
    const running = () =>
      direct.query(sql`
      select 1 from pg_stat_activity where datname = current_database() and state = 'active' and query like '%pg_sleep(30)%' and pid <> pg_backend_pid()`)
    // The refusal arrives just before the session counts as idle; uncancelled it would run for half a minute.
    await expect.poll(running, { timeout: 10_000 }).toEqual([])
  })

  test('does not let the limit of a transaction that was rolled back stay with its connection', async () => {
    const cut = db.transaction((tx) => tx.query(sql`select pg_sleep(5)`, { timeoutMs: 200 }))
    await expect(cut).rejects.toBeInstanceOf(QueryTimeout)
    await db.query(sql`select pg_sleep(0.4)`)
  })
})
