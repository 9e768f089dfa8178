import { rmSync } from 'node:fs'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { createDb } from '#server/platform/engine/create-db.ts'
import { DbUnavailableError, type OpenDb } from '#server/platform/engine/db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { SLOW_MACHINE_OPTIONS } from '../../../../test/server/database-setup.ts'
import { type FaultProxy, getProxiedUrl, startFaultProxy } from '../../../../test/server/fault-proxy.ts'
import {
  createServerFolder,
  type RestartablePostgres,
  startPostgresIn,
  startReplicaIn,
} from '../../../../test/server/postgres-server.ts'

const PORT = sql`select current_setting('port') as port`
const WAIT = { timeout: 15_000, interval: 50 }

describe.skipIf(inject('postgres') === undefined)('an address with two hosts [PostgreSQL]', () => {
  let folders: string[]
  let primary: RestartablePostgres
  let standby: RestartablePostgres
  let wire: FaultProxy
  let db: OpenDb
  let direct: OpenDb
  const portOf = ({ url }: RestartablePostgres) => new URL(url).port
  const add = (name: string) => db.execute(sql`insert into things values (${name})`)
  const where = async () => (await db.query<{ port: string }>(PORT))[0]!.port
  const promote = () => direct.execute(sql`select pg_promote()`)

  beforeEach(async () => {
    folders = [createServerFolder(), createServerFolder()]
    primary = (await startPostgresIn(folders[0]!, ['fsync=off', 'synchronous_standby_names=*']))!
    // Commit locally, because a commit would wait for the first standby, which does not exist yet.
    const first = createDb(await openPostgres(primary.url, SLOW_MACHINE_OPTIONS))
    await first.script('set synchronous_commit = local; create table things (name text primary key)')
    await first.close()
    standby = (await startReplicaIn(folders[1]!, primary.url))!
    wire = await startFaultProxy({ host: '127.0.0.1', port: Number(portOf(primary)) })
    direct = createDb(await openPostgres(standby.url, SLOW_MACHINE_OPTIONS))
    const hosts = [standby.url, getProxiedUrl(primary.url, wire)].map((url) => new URL(url).host)
    db = createDb(
      await openPostgres(
        `postgres://postgres@${hosts.join(',')}/postgres?target_session_attrs=read-write`,
        SLOW_MACHINE_OPTIONS,
      ),
    )
  })
  afterEach(async () => {
    await wire.close()
    await db.close()
    await direct.close()
    await standby.stop('immediate')
    await primary.stop('immediate')
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  })

  test('skips the replica, follows its promotion after the primary died, and loses no acknowledged write', async () => {
    expect(await where()).toBe(portOf(primary))
    const acknowledged: string[] = []
    let isOver = false
    const failures: unknown[] = []
    const writers = [0, 1, 2, 3].map(async (writer) => {
      for (let n = 0; !isOver; n += 1)
        await add(`${writer} ${n}`).then(
          () => acknowledged.push(`${writer} ${n}`),
          (error: unknown) => failures.push(error),
        )
    })
    await expect.poll(() => acknowledged.length, WAIT).toBeGreaterThan(50)
    await primary.stop('immediate')
    await expect.poll(() => failures.length, WAIT).toBeGreaterThan(0)
    await expect(add('to nobody')).rejects.toBeInstanceOf(DbUnavailableError)
    await promote()
    const before = acknowledged.length
    await expect.poll(() => acknowledged.length, WAIT).toBeGreaterThan(before + 50)
    isOver = true
    await Promise.all(writers)
    expect(await where()).toBe(portOf(standby))
    expect(failures.every((error) => error instanceof DbUnavailableError)).toBe(true)
    const stored = await direct.query<{ name: string }>(sql`select name from things`)
    const names = new Set(stored.map(({ name }) => name))
    expect(acknowledged.filter((name) => !names.has(name))).toEqual([])
  })

  test('switches from an unresponsive primary to the promoted standby', async () => {
    expect(await where()).toBe(portOf(primary))
    wire.set({ kind: 'hang' })
    await promote()
    await expect.poll(() => where().catch(() => 'not yet'), WAIT).toBe(portOf(standby))
    expect(await add('after the silence')).toBe(1)
  })

  test('reports a primary that turned read-only as unavailable, then leaves it for the promoted standby', async () => {
    expect(await add('before')).toBe(1)
    const old = createDb(await openPostgres(primary.url, SLOW_MACHINE_OPTIONS))
    await old.script('alter system set default_transaction_read_only = on')
    await old.query(sql`select pg_reload_conf()`)
    await expect
      .poll(async () => {
        const [row] = await old.query<{ is: string }>(
          sql`select current_setting('default_transaction_read_only') as is`,
        )
        return row!.is
      }, WAIT)
      .toBe('on')
    await old.close()
    // No server accepts writes now, so the error must be `DbUnavailableError` rather than a statement error.
    await expect(add('to nobody')).rejects.toBeInstanceOf(DbUnavailableError)
    await expect(where()).rejects.toBeInstanceOf(DbUnavailableError)
    await promote()
    await expect.poll(() => where().catch(() => 'not yet'), WAIT).toBe(portOf(standby))
  })

  test('a change that no standby confirms is not acknowledged, although the primary has it', async () => {
    expect(await add('before')).toBe(1)
    await standby.stop('immediate')
    await expect(db.execute(sql`insert into things values ('late')`, { timeoutMs: 500 })).rejects.toThrow()
    // If the wait for a standby is cancelled by hand, PostgreSQL commits and sends only a warning.
    const ended = db.execute(sql`insert into things values ('ended')`)
    ended.catch(() => undefined)
    const old = createDb(await openPostgres(primary.url, SLOW_MACHINE_OPTIONS))
    const cancel = sql`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep' and query like '%ended%'`
    await expect.poll(async () => (await old.query(cancel)).length, WAIT).toBeGreaterThan(0)
    await old.close()
    await expect(ended).rejects.toThrow(/no standby/)
    await standby.start()
    await expect.poll(() => add('after').catch(() => 0), WAIT).toBe(1)
  })

  test('a read-only transaction that tries to write still gets the read-only error', async () => {
    const wrong = db.transaction((tx) => tx.execute(sql`insert into things values ('no')`), { readOnly: true })
    await expect(wrong).rejects.toMatchObject({ code: '25006' })
    expect(await where()).toBe(portOf(primary))
  })
})
