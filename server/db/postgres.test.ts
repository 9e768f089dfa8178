import { connect, createServer, type Server, type Socket } from 'node:net'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { makeEmptyPostgres } from '../../test/databases.ts'
import { createDb } from './create-db.ts'
import { DbUnavailable, type OpenDb, QueryTimeout } from './db.ts'
import { openPostgres } from './postgres.ts'

/** A wire to the server that can be cut, or hold its breath. */
async function openWire(target: URL) {
  const sockets = new Set<Socket>()
  let isSilent = false
  let server: Server
  function forward(near: Socket): void {
    const far = connect(Number(target.port), target.hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (chunk) => {
        if (!isSilent) to.write(chunk)
      })
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
    }
  }
  const listen = (port: number) =>
    new Promise<number>((resolve) => {
      server = createServer(forward).listen(port, '127.0.0.1', () =>
        resolve((server.address() as { port: number }).port),
      )
    })
  const port = await listen(0)
  function cut(): Promise<void> {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
    return new Promise((resolve) => server.close(() => resolve()))
  }
  return {
    url: Object.assign(new URL(target), { port: String(port) }).href,
    cut,
    mend: () => listen(port),
    setSilent(silent: boolean) {
      isSilent = silent
    },
  }
}

const one = sql`select 1 as n`

describe.skipIf(inject('postgres') === undefined)('PostgreSQL', () => {
  let wire: Awaited<ReturnType<typeof openWire>>
  let db: OpenDb
  let direct: OpenDb
  let drop: () => Promise<void>
  beforeAll(async () => {
    const database = await makeEmptyPostgres()
    drop = database.drop
    direct = createDb(await openPostgres(database.url))
    wire = await openWire(new URL(database.url))
    db = createDb(await openPostgres(wire.url))
  })
  afterAll(async () => {
    wire.setSilent(false)
    await db.close()
    await direct.close()
    await wire.cut()
    await drop()
  })

  test('that goes away is told as unavailable within two seconds, and found again without a restart (R48)', async () => {
    expect(await db.query(one)).toEqual([{ n: 1 }])
    const underway = db.query(sql`select pg_sleep(20)`, { timeoutMs: 0 })
    underway.catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, 200))
    await wire.cut()
    await expect(underway).rejects.toBeInstanceOf(DbUnavailable)
    const askedAt = performance.now()
    await expect(db.query(one)).rejects.toBeInstanceOf(DbUnavailable)
    expect(performance.now() - askedAt).toBeLessThan(2_000)
    await wire.mend()
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

  test('that falls silent (half-open connection) is given up soon after the limit of the statement', async () => {
    expect(await db.query(one)).toEqual([{ n: 1 }])
    wire.setSilent(true)
    const askedAt = performance.now()
    await expect(db.query(one, { timeoutMs: 300 })).rejects.toThrow()
    expect(performance.now() - askedAt).toBeLessThan(4_500)
    wire.setSilent(false)
    expect(await db.query(one)).toEqual([{ n: 1 }])
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
    expect(performance.now() - askedAt).toBeLessThan(3_000)
    free.resolve()
    expect(await patient).toEqual([{ n: 1 }])
    await Promise.all(busy)
  })

  test('cuts a statement at its limit on the server as well', async () => {
    await expect(db.query(sql`select pg_sleep(30)`, { timeoutMs: 300 })).rejects.toBeInstanceOf(QueryTimeout)
    const running = await direct.query(sql`
      select 1 from pg_stat_activity where datname = current_database() and state = 'active' and query like '%pg_sleep(30)%' and pid <> pg_backend_pid()`)
    expect(running).toEqual([])
  })

  test('does not let the limit of a transaction that was rolled back stay with its connection', async () => {
    const cut = db.transaction((tx) => tx.query(sql`select pg_sleep(5)`, { timeoutMs: 200 }))
    await expect(cut).rejects.toBeInstanceOf(QueryTimeout)
    await db.query(sql`select pg_sleep(0.4)`)
  })
})
