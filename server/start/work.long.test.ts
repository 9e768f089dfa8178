import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { enqueueProjectMatchJob } from '#server/matching/match-requests.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { requestExport } from '../../test/exports.ts'
import { makeMigratedPostgres } from '../../test/server/databases.ts'
import { startSmtpServer, type TestSmtp } from '../../test/server/smtp-server.ts'
import { addReader, publish } from '../../test/world/report-mail-world.ts'
import { addOrganisation, addUser } from '../../test/world/report-world.ts'

const root = path.join(import.meta.dirname, '../..')
const ORGANISATIONS = 3
const READERS = 8
const EXPORTS = 6
/** Enough rows that writing one export takes a second or more. */
const PROJECTS = 5_000

const secret = randomBytes(48).toString('base64url')
let dataDir: string
const children = new Set<ChildProcess>()
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'tamngan-work-'))
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await rm(dataDir, { recursive: true, force: true })
})

type Run = { readonly child: ChildProcess; output(): string; readonly exit: Promise<number | null> }

function start(env: Record<string, string> = {}): Run {
  const child = spawn(process.execPath, ['server/main.ts', 'work'], {
    cwd: root,
    env: { PATH: process.env.PATH, SEED: 'none', DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  }
  return { child, output: () => output, exit: new Promise((resolve) => child.once('close', resolve)) }
}

async function ready({ output, exit }: Run): Promise<string> {
  const ended = exit.then((code) => Promise.reject(new Error(`ended with ${code}: ${output()}`)))
  const isReady = expect.poll(output, { timeout: 60_000 }).toContain('/readyz')
  await Promise.race([isReady, ended])
  ended.catch(() => undefined)
  return /(http:\/\/[^\s/]+)\/readyz/.exec(output())![1]!
}

test('refuses to start a worker without PostgreSQL, in one line', async () => {
  const run = start()
  expect(await run.exit).toBe(1)
  expect(run.output().trim()).toMatch(/^DATABASE_URL: a worker requires PostgreSQL.*$/)
}, 60_000)

describe.skipIf(inject('postgres') === undefined)('workers on one PostgreSQL', () => {
  let drop: () => Promise<void>
  let url: string
  let db: OpenDb
  let smtp: TestSmtp
  beforeAll(async () => {
    const database = await makeMigratedPostgres()
    ;({ url, drop } = database)
    db = createDb(await openPostgres(url))
    smtp = await startSmtpServer()
    await publish(db, [{ id: '68000000001', name: 'ซื้อกล้อง', isArchived: true }], { now: new Date() })
    await db.execute(sql`
      insert into projects
      select (jsonb_populate_record(p, jsonb_build_object('project_id', (68100000000 + n)::text, 'name', 'ซื้อกล้อง ' || md5(n::text)))).*
      from projects p, generate_series(1, ${PROJECTS}::int) n where p.project_id = '68000000001'`)
  }, 120_000)
  afterAll(async () => {
    await smtp.close()
    await db.close()
    await drop()
  })

  const worker = () =>
    start({
      DATABASE_URL: url,
      WORKER_PORT: '0',
      AUTH_SECRET: secret,
      SMTP_URL: smtp.url,
      PUBLIC_URL: 'https://tamngan.example',
    })
  async function addWork(name: string): Promise<void> {
    const ids: number[] = []
    for (let i = 0; i < ORGANISATIONS; i += 1) {
      const id = await addOrganisation(db, { words: { include: ['กล้อง'] } })
      ids.push(id)
      for (let n = 0; n < READERS; n += 1) await addReader(db, id, `${name}-${i}-${n}@x.example`)
    }
    await publish(db, [{ id: `69${String(Date.now()).slice(-9)}`, name: 'ซื้อกล้องใหม่' }], { now: new Date() })
    for (const id of ids) await db.transaction((tx) => enqueueProjectMatchJob(tx, id, { all: true }, new Date()))
    const user = await addUser(db, ids[0]!)
    for (let n = 0; n < EXPORTS; n += 1) {
      await requestExport(db, { id: `${name}-${n}`, organisationId: ids[0]!, userId: user, at: new Date() })
    }
  }
  /** Counts unfinished jobs and unsent emails. Ignores the job `term-advice`, which is not due before Monday. */
  const ends = async () => {
    const [row] = await db.query<Record<string, number>>(sql`
      select (select count(*) from jobs where state <> 'done' and kind not in ('term-advice', 'coverage-mail')) + (select count(*) from report_mails where state = 'waiting')
        + (select count(*) from mails where state <> 'sent') as open`)
    return row!.open
  }
  const sentTo = (name: string) => smtp.received.map(({ to }) => to[0]!).filter((address) => address.startsWith(name))
  const begunTwice = async (...except: string[]) =>
    (
      await db.query<{ n: number }>(
        sql`select count(*) as n from jobs where attempts > 1 and kind <> all (${except}::text[])`,
      )
    )[0]!.n

  test('R52: two workers run each job once, answer probes and shut down cleanly', async () => {
    await addWork('pair')
    const pair = [worker(), worker()]
    const [address] = await Promise.all(pair.map(ready))
    for (const probe of ['livez', 'readyz', 'metrics']) expect((await fetch(`${address}/${probe}`)).status).toBe(200)
    expect((await fetch(`${address}/api/v2/users/me`)).status).toBe(404)
    await expect.poll(ends, { timeout: 90_000, interval: 200 }).toBe(0)
    expect(sentTo('pair')).toHaveLength(ORGANISATIONS * READERS)
    expect(new Set(sentTo('pair')).size).toBe(ORGANISATIONS * READERS)
    // Exports are not checked, because an export restarts if matching changes its report meanwhile.
    expect(await begunTwice('mail', 'export')).toBe(0)
    for (const { child } of pair) child.kill('SIGTERM')
    for (const { exit, output } of pair) expect(await exit, output()).toBe(0)
  }, 180_000)

  test('R52: another worker takes over the jobs of a killed one within a minute and runs them once', async () => {
    const first = worker()
    await ready(first)
    await addWork('killed')
    const underway = () =>
      db.query<{ seconds: number }>(sql`
        select extract(epoch from lease_until - now())::float8 as seconds from jobs where kind = 'export' and state = 'running'`)
    await expect.poll(underway, { timeout: 60_000, interval: 20 }).not.toHaveLength(0)
    first.child.kill('SIGKILL')
    await first.exit
    const left = await underway()
    expect(left.length).toBeGreaterThan(0)
    for (const { seconds } of left) expect(seconds).toBeLessThanOrEqual(60)
    await db.script(`update jobs set lease_until = lease_until - interval '1 minute' where lease_until is not null`)
    await db.script(`update job_leases set expires_at = expires_at - interval '1 minute'`)
    const next = worker()
    await expect.poll(ends, { timeout: 90_000, interval: 200 }).toBe(0)
    expect(await begunTwice('mail')).toBeGreaterThan(0)
    // A mail being sent when its worker dies may go out twice; both copies have the same Message-ID, so mailboxes show
    // one (R53).
    expect(new Set(sentTo('killed')).size).toBe(ORGANISATIONS * READERS)
    const letters = smtp.received.filter(({ to }) => to[0]!.startsWith('killed')).map(({ parsed }) => parsed.messageId)
    expect(new Set(letters).size).toBe(ORGANISATIONS * READERS)
    next.child.kill('SIGTERM')
    expect(await next.exit, next.output()).toBe(0)
  }, 180_000)
})
