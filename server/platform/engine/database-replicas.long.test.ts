import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Replicated, startReplicated } from '../../../test/server/replicated.ts'
import { type WalPosition, withReplicaReads } from './replica-reads.ts'
import { runAsTenant, runWithoutTenant } from './tenant.ts'

const IS_REPLICA = sql`select pg_is_in_recovery() as replica, current_setting('port') as port`
const NOTHING = 0n
const ORGANISATIONS = [1, 2]

describe.skipIf(inject('postgres') === undefined)('replicas [PostgreSQL]', () => {
  let all: Replicated
  const paused = new Set<number>()

  beforeAll(async () => {
    all = await startReplicated(2, async (db) => {
      await db.script(`create table things (id int generated always as identity primary key, name text not null)`)
      for (const id of ORGANISATIONS)
        await db.script(`
          insert into organisations (id, code, name, package, customer_config, areas_with_provinces) overriding system value
            values (${id}, 'o${id}', 'องค์กร ${id}', 'full', '{}', '{}');
          insert into users (id, organisation_id, email, email_key, password_hash) overriding system value
            values (${id}, ${id}, 'u${id}@o.example', 'u${id}@o.example', 'none');
          insert into labels (user_id, id, name, color) values (${id}, 'l${id}', 'ป้าย ${id}', 'red')`)
    })
  })
  afterAll(() => all.close())
  afterEach(async () => {
    for (const index of paused) await all.direct[index]!.execute(sql`select pg_wal_replay_resume()`)
    paused.clear()
    await expect
      .poll(() => all.opened.figures().every(({ isUp, lagBytes }) => isUp && lagBytes === 0), { timeout: 10_000 })
      .toBe(true)
  })

  const pause = async (index: number) => {
    await all.direct[index]!.execute(sql`select pg_wal_replay_pause()`)
    paused.add(index)
    await expect
      .poll(
        async () =>
          (await all.direct[index]!.query<{ state: string }>(sql`select pg_get_wal_replay_pause_state() as state`))[0]!
            .state,
      )
      .toBe('paused')
  }
  const reading = <T>(work: () => Promise<T>, atLeast: WalPosition = NOTHING, clientId = '7') =>
    withReplicaReads({ atLeast, clientId }, work)
  const where = async () => (await all.opened.db.query<{ replica: boolean; port: string }>(IS_REPLICA))[0]!
  const add = (name: string) => all.opened.db.execute(sql`insert into things (name) values (${name})`)
  const names = async () =>
    (await all.opened.db.query<{ name: string }>(sql`select name from things order by id`)).map(({ name }) => name)

  test('serve only reads marked for replicas', async () => {
    expect((await where()).replica).toBe(false)
    expect((await reading(where)).replica).toBe(true)
    expect(
      await reading(() =>
        all.opened.db.transaction(async (tx) => (await tx.query<{ replica: boolean }>(IS_REPLICA))[0]!.replica, {
          readOnly: true,
        }),
      ),
    ).toBe(true)
    // Shared caches and session lookups must read the primary.
    expect((await reading(() => runWithoutTenant(where))).replica).toBe(false)
  })

  test('serve one user from the same replica and spread several users', async () => {
    const ports = await Promise.all(
      ['7', '7', '7', '8', '9', '10'].map(async (clientId) => (await reading(where, NOTHING, clientId)).port),
    )
    expect(new Set(ports.slice(0, 3)).size).toBe(1)
    expect(new Set(ports).size).toBe(2)
  })

  test('a write goes to the primary, and so do all later reads of the same request', async () => {
    const seen = await reading(async () => {
      const before = (await where()).replica
      await add('written while reading')
      return [before, (await where()).replica, (await names()).includes('written while reading')]
    })
    expect(seen).toEqual([true, false, true])
  })

  test('a query that turns out to write is repeated on the primary', async () => {
    const before = all.opened.figures().reduce((sum, { repeated }) => sum + repeated, 0)
    const rows = await reading(() =>
      all.opened.db.query<{ name: string }>(sql`insert into things (name) values ('asked for') returning name`),
    )
    expect(rows).toEqual([{ name: 'asked for' }])
    expect(all.opened.figures().reduce((sum, { repeated }) => sum + repeated, 0)).toBe(before + 1)
  })

  test('enforce tenant isolation as well', async () => {
    for (const id of ORGANISATIONS) {
      const seen = await reading(() =>
        runAsTenant({ organisationId: id, userId: id }, async () => [
          (await where()).replica,
          ...(await all.opened.db.query<{ name: string }>(sql`select name from labels order by name`)).map(
            ({ name }) => name,
          ),
        ]),
      )
      expect(seen).toEqual([true, `ป้าย ${id}`])
    }
  })

  test('are skipped when they lag behind the user’s last write: the next one serves, then the primary', async () => {
    await pause(0)
    await add('after the first pause')
    const since = await all.opened.position()
    const secondReplica = await all.direct[1]!.query<{ port: string }>(IS_REPLICA)
    // A client that has not written may see a slightly older state; the writer never does.
    for (const clientId of ['7', '8']) {
      const seen = await reading(
        async () => [(await where()).port, (await names()).includes('after the first pause')],
        since,
        clientId,
      )
      expect([clientId, ...seen]).toEqual([clientId, secondReplica[0]!.port, true])
    }
    await pause(1)
    await add('after the second pause')
    const primaryFallbacks = all.opened.primaryFallbacks()
    const seen = await reading(
      async () => [(await where()).replica, (await names()).includes('after the second pause')],
      await all.opened.position(),
    )
    expect(seen).toEqual([false, true])
    expect(all.opened.primaryFallbacks()).toBe(primaryFallbacks + 1)
  })

  test('serve no reads when they lag more than two seconds', async () => {
    await pause(0)
    await pause(1)
    await add('nobody sees it there')
    expect((await reading(where)).replica).toBe(true)
    await expect.poll(async () => (await reading(where)).replica, { timeout: 10_000 }).toBe(false)
    expect(await reading(names)).toContain('nobody sees it there')
  })

  test('cause no errors when one dies, and use it again once it is back', async () => {
    const errors: unknown[] = []
    let queryCount = 0
    let isOver = false
    const readers = ['7', '8', '9', '10'].map(async (clientId) => {
      while (!isOver) {
        await reading(
          () => all.opened.db.query(sql`select count(*), pg_sleep(0.01) from things`),
          NOTHING,
          clientId,
        ).catch((error: unknown) => errors.push(error))
        queryCount += 1
      }
    })
    await sleep(300)
    await all.replicas[0]!.stop('immediate')
    await all.replicas[1]!.stop('immediate')
    await sleep(1_000)
    expect((await reading(where)).replica).toBe(false)
    await all.replicas[0]!.start()
    await all.replicas[1]!.start()
    await expect.poll(async () => (await reading(where)).replica, { timeout: 15_000 }).toBe(true)
    isOver = true
    await Promise.all(readers)
    expect(errors).toEqual([])
    expect(queryCount).toBeGreaterThan(50)
  }, 60_000)
})

describe.skipIf(inject('postgres') === undefined)('a replica that became a primary [PostgreSQL]', () => {
  test('serves no reads; they go to another host', async () => {
    const all = await startReplicated(1, async () => undefined)
    try {
      const isReplica = () =>
        withReplicaReads({ atLeast: NOTHING, clientId: '7' }, async () => {
          const [row] = await all.opened.db.query<{ replica: boolean; port: string }>(IS_REPLICA)
          return [row!.replica, row!.port === new URL(all.primary.url).port]
        })
      expect(await isReplica()).toEqual([true, false])
      await all.direct[0]!.execute(sql`select pg_promote()`)
      await expect.poll(() => all.opened.figures()[0]!.isUp, { timeout: 10_000 }).toBe(false)
      expect(await isReplica()).toEqual([false, true])
    } finally {
      await all.close()
    }
  })
})
