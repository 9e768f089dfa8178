import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { SAMPLE_PASSWORD } from '#sample/accounts/sample-organisations.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { SLOW_MACHINE_OPTIONS } from '../../test/server/database-setup.ts'
import { makeMigratedPostgres } from '../../test/server/databases.ts'

const root = path.join(import.meta.dirname, '../..')
const secret = randomBytes(48).toString('base64url')
const LOGINS = 60
const MANAGER = 'manager@tharamek.example'
const FILES = 12

describe.skipIf(inject('postgres') === undefined)('two servers and a worker on one PostgreSQL', () => {
  let db: OpenDb
  let drop: () => Promise<void>
  let dataDir: string
  let servers: [string, string]
  const children: ChildProcess[] = []

  /** Starts a server or worker and returns its URL. Each process has its own data folder, as on separate machines. */
  async function start(command: 'serve' | 'work', databaseUrl: string): Promise<string> {
    const child = spawn(process.execPath, ['server/main.ts', command], {
      cwd: root,
      env: {
        ...{ PATH: process.env.PATH, SEED: 'none', AUTH_SECRET: secret, DATABASE_URL: databaseUrl },
        ...{ DATA_DIR: path.join(dataDir, String(children.length)), PORT: '0', WORKER_PORT: '0', LOG_LEVEL: 'error' },
        // The proxy in front of both servers provides the client address.
        ...{ TRUSTED_PROXIES: '127.0.0.1' },
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    children.push(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk
      })
    await vi.waitFor(() => expect(output).toMatch(/http:\/\/[\w.]+:\d+/), { timeout: 90_000, interval: 50 })
    return /http:\/\/[\w.]+:\d+/.exec(output)![0].replace('localhost', '127.0.0.1')
  }

  beforeAll(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'tamngan-many-'))
    const database = await makeMigratedPostgres()
    drop = database.drop
    db = createDb(await openPostgres(database.url, SLOW_MACHINE_OPTIONS))
    await seedSampleOrganisations(db, '2026-11-21')
    const [first, second] = await Promise.all([
      start('serve', database.url),
      start('serve', database.url),
      start('work', database.url),
    ])
    servers = [first, second]
  }, 240_000)
  afterAll(async () => {
    const living = children.filter(({ exitCode }) => exitCode === null)
    const ends = living.map((child) => new Promise((resolve) => child.once('exit', resolve)))
    for (const child of living) child.kill('SIGTERM')
    await Promise.all(ends)
    await db.close()
    await drop()
    await rm(dataDir, { recursive: true, force: true })
  }, 60_000)

  const post = (server: string, url: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${server}/api/v2${url}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const login = (server: string, email: string, password: string, address: string) =>
    post(server, '/auth/login/', { email, password }, { 'x-forwarded-for': address })
  async function signIn(server: string, address: string): Promise<Record<string, string>> {
    const answer = await login(server, MANAGER, SAMPLE_PASSWORD, address)
    expect(answer.status).toBe(200)
    const { access } = (await answer.json()) as { access: string }
    return { authorization: `Bearer ${access}` }
  }
  const statusOf = async (server: string, headers: Record<string, string>) =>
    (await fetch(`${server}/api/v2/users/me`, { headers })).status

  test('R11: both servers accept a session, and ending it at one ends it at the other within a second', async () => {
    const session = await signIn(servers[0], '192.0.2.1')
    expect(await statusOf(servers[1], session)).toBe(200)
    const out = await post(servers[0], '/auth/logout/', {}, session)
    expect(out.status).toBeLessThan(300)
    const ended = performance.now()
    await expect.poll(() => statusOf(servers[1], session), { interval: 20, timeout: 10_000 }).toBe(401)
    expect(performance.now() - ended).toBeLessThan(1_000)
  }, 60_000)

  test('R5: five wrong passwords lock the account, whichever server received them', async () => {
    const tries: number[] = []
    for (let n = 0; n < 8; n += 1)
      tries.push((await login(servers[n % 2]!, 'sales@tharamek.example', 'Wrong#2569', `192.0.2.${10 + n}`)).status)
    expect(tries).toEqual([400, 400, 400, 400, 400, 429, 429, 429])
  }, 60_000)

  test('R42: the login limit per address and minute applies across servers', async () => {
    const wrong = (n: number) => login(servers[n % 2]!, `nobody-${n}@tamngan.example`, 'Wrong#2569', '192.0.2.99')
    const answers: Response[] = []
    for (let n = 0; n < LOGINS + 8; n += 4) answers.push(...(await Promise.all([n, n + 1, n + 2, n + 3].map(wrong))))
    const refused = answers.filter(({ status }) => status === 429)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(LOGINS)
    expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await login(servers[0], 'nobody@tamngan.example', 'Wrong#2569', '192.0.2.98')).status).toBe(400)
  }, 60_000)

  test('R52: exports requested at both servers are each made once by one of the three', async () => {
    const session = await signIn(servers[0], '192.0.2.2')
    const answers = await Promise.all(
      Array.from({ length: FILES }, (_, n) =>
        post(
          servers[n % 2]!,
          '/projects/exports',
          { format: 'csv', query: {}, columns: ['project_id', 'name'] },
          session,
        ),
      ),
    )
    const taken = answers.filter(({ status }) => status === 202).length
    expect(taken, String(answers.map(({ status }) => status))).toBeGreaterThan(0)
    const jobs = () =>
      db.query<{ state: string; attempts: number }>(sql`select state, attempts from jobs where kind = 'export'`)
    await expect
      .poll(async () => (await jobs()).map(({ state }) => state), { timeout: 60_000 })
      .toEqual(Array(taken).fill('done'))
    expect((await jobs()).map(({ attempts }) => attempts)).toEqual(Array(taken).fill(1))
  }, 120_000)
})
