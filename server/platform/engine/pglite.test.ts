import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DbUnavailableError, type OpenDb, QueryTimeoutError } from './db.ts'
import { openDb } from './open-db.ts'
import { runAsTenant, runWithoutTenant } from './tenant.ts'

/** Statement that takes seconds of pure computing on either engine. */
const ENDLESS = sql`select count(*) from generate_series(1, 2000000000) as n where n % 7 = 3`

let dataDir: string
let db: OpenDb
let thread: Worker
const trackThread = (started: Worker) => {
  thread = started
}
beforeAll(async () => {
  process.on('worker', trackThread)
  dataDir = await mkdtemp(path.join(tmpdir(), 'tamngan-pglite-'))
  // Start with an empty database, even if a build has left a schema template.
  await mkdir(path.join(dataDir, 'pglite'))
  db = await openDb({ dataDir })
  await db.script('create table kept (n int primary key)')
})
afterAll(async () => {
  process.off('worker', trackThread)
  await db.close()
  await rm(dataDir, { recursive: true, force: true })
})

test('cancels a query over its limit; other queries succeed and acknowledged writes survive (R49)', async () => {
  await db.execute(sql`insert into kept values (1) on conflict do nothing`)
  let ticks = 0
  const ticking = setInterval(() => {
    ticks += 1
  }, 5)
  const started = performance.now()
  const offender = db.query(ENDLESS, { timeoutMs: 500 })
  await sleep(50)
  const otherQueries = Promise.all(Array.from({ length: 5 }, () => db.query<{ n: number }>(sql`select n from kept`)))
  await expect(offender).rejects.toBeInstanceOf(QueryTimeoutError)
  const cutAfter = performance.now() - started
  expect(await otherQueries).toEqual(Array.from({ length: 5 }, () => [{ n: 1 }]))
  clearInterval(ticking)
  expect(cutAfter).toBeLessThan(10_000)
  // The timer would not fire at all if the query ran on the event loop. On an idle machine it fires a hundred times,
  // but other test files run here.
  expect(ticks).toBeGreaterThan(10)
})

test('a cancelled transaction leaves nothing behind and invalidates its handle', async () => {
  const work = db.transaction(async (tx) => {
    await tx.execute(sql`insert into kept values (2)`)
    await tx.query(ENDLESS, { timeoutMs: 300 }).catch(() => undefined)
    await tx.execute(sql`insert into kept values (3)`)
  })
  await expect(work).rejects.toThrow()
  expect(await db.query(sql`select n from kept order by n`)).toEqual([{ n: 1 }])
})

test('rejects with DbUnavailableError and sends nothing when the queue wait exceeds the timeout', async () => {
  const holding = db.transaction(async (tx) => {
    await tx.query(sql`select 1`)
    await sleep(1_000)
  })
  const waiting = db.execute(sql`insert into kept values (4)`, { timeoutMs: 200 })
  await expect(waiting).rejects.toBeInstanceOf(DbUnavailableError)
  await holding
  expect(await db.query(sql`select n from kept where n = 4`)).toEqual([])
})

test('a restarted thread runs as the superuser until a tenant queries (R25)', async () => {
  await db.script('create role tamngan_tenant nologin')
  const roleOf = async () => (await db.query<{ role: string }>(sql`select current_user::text as role`))[0]!.role
  const cut = () => db.query(ENDLESS, { timeoutMs: 100 }).catch((error: Error) => error.name)
  const asA = <T>(work: () => T) => runAsTenant({ organisationId: 1, userId: 1 }, work)
  expect([await asA(roleOf), await asA(cut), await runWithoutTenant(roleOf)]).toEqual([
    'tamngan_tenant',
    'QueryTimeoutError',
    'postgres',
  ])
})

test('a thread that dies under load loses only its running query; acknowledged writes survive (R48)', async () => {
  await db.execute(sql`insert into kept values (50)`)
  const underway = db.query(ENDLESS, { timeoutMs: 0 })
  const refused = expect(underway).rejects.toBeInstanceOf(DbUnavailableError)
  const otherWrites = Promise.all(
    Array.from({ length: 5 }, (_, n) => db.execute(sql`insert into kept values (${51 + n}::int)`)),
  )
  await sleep(100)
  const before = thread
  await thread.terminate()
  await refused
  expect(await otherWrites).toEqual([1, 1, 1, 1, 1])
  expect(thread).not.toBe(before)
  expect(await db.query(sql`select n from kept where n >= 50 order by n`)).toEqual(
    [50, 51, 52, 53, 54, 55].map((n) => ({ n })),
  )
})

test('refuses a second handle on the same folder and reports our pid (R50)', async () => {
  await expect(openDb({ dataDir })).rejects.toMatchObject({ name: 'FolderInUseError', pid: process.pid })
})
