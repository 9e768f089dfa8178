import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '../..')
let home: string
const children = new Set<ChildProcess>()
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'tamngan-serve-'))
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await rm(home, { recursive: true, force: true })
})

type Run = {
  child: ChildProcess
  output(): string
  saying(pattern: RegExp): Promise<RegExpExecArray>
  exit: Promise<number | null>
}

function start(args: string[], env: Record<string, string> = {}, input = ''): Run {
  const child = spawn(process.execPath, ['server/main.ts', ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, PORT: '0', SEED: 'none', DATA_DIR: path.join(home, 'data'), ...env },
  })
  children.add(child)
  child.stdin.end(input)
  let output = ''
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve))
  const saying = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const checkOutput = () => {
        const match = pattern.exec(output)
        if (match) resolve(match)
      }
      child.stdout.on('data', checkOutput)
      child.stderr.on('data', checkOutput)
      void exit.then(() => reject(new Error(`ended without saying ${pattern}: ${output}`)))
      checkOutput()
    })
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  }
  return { child, output: () => output, saying, exit }
}

async function done(run: Run): Promise<string> {
  expect([run.output(), await run.exit][1], run.output()).toBe(0)
  return run.output()
}

async function serving(env: Record<string, string> = {}): Promise<Run & { url: string }> {
  const run = start(['serve'], env)
  const [, url] = await run.saying(/is ready after [\d.]+ s: (http:\S+)/)
  return { ...run, url: url!.replace('localhost', '127.0.0.1') }
}

test('a server answers, accepts CLI commands, refuses a second process and shuts down cleanly', async () => {
  const server = await serving()
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  expect(await done(start(['admin', 'organisations']))).toContain('code')
  const file = path.join(home, 'small.csv')
  await writeFile(file, csv(3))
  const imported = await done(start(['import', file]))
  expect(imported).toContain('read 3 = imported 3 + quarantined 0')
  expect(imported).toContain('3 new')
  const second = start(['serve'])
  expect(await second.exit).toBe(1)
  expect(second.output()).toContain(`in use by process ${server.child.pid}`)
  const unknown = start(['import', path.join(home, 'none.csv')])
  expect(await unknown.exit).toBe(1)
  expect(unknown.output()).not.toMatch(/\n {2,}at /)
  server.child.kill('SIGTERM')
  expect(await server.exit).toBe(0)
  // The stopped server left no lock, so an import can start at once.
  expect(await done(start(['import', file]))).toContain('3 unchanged')
}, 120_000)

test('the next server takes over the lock of a killed one', async () => {
  const first = await serving()
  first.child.kill('SIGKILL')
  await first.exit
  const next = await serving()
  next.child.kill('SIGTERM')
  expect(await next.exit).toBe(0)
}, 120_000)

test('a request in progress during shutdown gets its answer', async () => {
  const server = await serving()
  const body = JSON.stringify({ email: 'nobody@x.example', password: 'x' })
  const slow = await openRequest(server.url, body.length)
  server.child.kill('SIGTERM')
  await new Promise((resolve) => setTimeout(resolve, 500))
  let answer = ''
  slow.on('data', (chunk) => {
    answer += chunk
  })
  slow.write(body)
  const answeredAt = performance.now()
  expect(await server.exit).toBe(0)
  // The server stops well before the ten seconds that it would wait for an unfinished request.
  expect(performance.now() - answeredAt).toBeLessThan(8_000)
  expect(answer).toMatch(/^HTTP\/1.1 400 /)
}, 120_000)

test('a shutdown under fifty requests a second answers all accepted ones within ten seconds (R51)', async () => {
  const server = await serving({ RATE_LIMIT_FACTOR: '1000' })
  type SentRequest = { readonly at: number; endedAt: number; status: number }
  const requests: SentRequest[] = []
  const body = JSON.stringify({ email: 'nobody@x.example' })
  // Each request takes at least 150 ms, so that some requests are always in progress.
  const sendRequest = async () => {
    const request: SentRequest = { at: performance.now(), endedAt: Number.POSITIVE_INFINITY, status: 0 }
    requests.push(request)
    const address = `${server.url}/api/v2/auth/check-email-exist/`
    const headers = { 'content-type': 'application/json' }
    request.status = await fetch(address, { method: 'POST', headers, body }).then(
      (answer) => answer.status,
      () => 0,
    )
    request.endedAt = performance.now()
  }
  const asking = setInterval(() => void sendRequest(), 20)
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  const signalledAt = performance.now()
  server.child.kill('SIGTERM')
  expect(await server.exit).toBe(0)
  expect(performance.now() - signalledAt).toBeLessThan(10_000)
  clearInterval(asking)
  // The server may never have accepted requests sent at the last moment, so ignore those.
  const had = requests.filter(({ at }) => at < signalledAt - 50)
  expect(had.filter(({ endedAt }) => endedAt > signalledAt).length).toBeGreaterThan(0)
  expect(had.filter(({ status }) => status !== 200)).toEqual([])
}, 120_000)

test('a server started by npm stops when npm is stopped', async () => {
  const shell = spawn('sh', ['-c', `"${process.execPath}" server/main.ts serve; true`], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      SEED: 'none',
      DATA_DIR: path.join(home, 'npm'),
      npm_lifecycle_event: 'start',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(shell)
  const ended = new Promise<void>((resolve) => shell.stdout.once('close', () => resolve()))
  await new Promise<void>((resolve) => shell.stdout.once('data', () => resolve()))
  shell.kill('SIGTERM')
  // The pipe closes once its last writer, the server, has exited.
  await ended
  expect(existsSync(path.join(home, 'npm/pglite.lock'))).toBe(false)
}, 120_000)

test('a second signal stops a server at once that waits for a request', async () => {
  const server = await serving()
  const slow = await openRequest(server.url, 100)
  await new Promise((resolve) => setTimeout(resolve, 300))
  server.child.kill('SIGTERM')
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  const secondAt = performance.now()
  server.child.kill('SIGTERM')
  expect(await server.exit).toBe(1)
  expect(performance.now() - secondAt).toBeLessThan(2_000)
  slow.destroy()
}, 120_000)

test('a killed import publishes nothing and resumes where it stopped', async () => {
  const env = { DATA_DIR: path.join(home, 'killed') }
  const file = path.join(home, 'large.csv')
  await writeFile(file, csv(250_000))
  const killed = start(['import', file], env)
  // Progress is first printed after five seconds; slow machines are still reading then, fast ones already publishing.
  await killed.saying(/(read|published) \d/)
  killed.child.kill('SIGKILL')
  await killed.exit
  const again = await done(start(['import', file], env))
  expect(again).toMatch(/continued after line [1-9]/)
  expect(again).toContain('read 250,000 = imported 250,000 + quarantined 0')
  expect(again).toContain('250,000 new, 0 updated')
}, 600_000)

test.each([
  ['no secret', {}],
  ['a short secret', { AUTH_SECRET: 'short' }],
])('refuses to start in production with %s (R57)', async (_, env) => {
  const run = start(['serve'], { NODE_ENV: 'production', ...env })
  expect(await run.exit).toBe(1)
  expect(run.output()).toMatch(/^AUTH_SECRET: /)
})

/** Opens a login request whose body has not been sent yet. */
async function openRequest(url: string, bodyLength: number): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()))
  const head = [
    'POST /api/v2/auth/login/ HTTP/1.1',
    'Host: x',
    'Content-Type: application/json',
    `Content-Length: ${bodyLength}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  await new Promise((resolve) => setTimeout(resolve, 300))
  return socket
}

function csv(rows: number): string {
  const lines = Array.from({ length: rows }, (_, n) => `${69_010_000_000 + n},ซื้อกล้องวงจรปิด ชุดที่ ${n},กรมตัวอย่าง`)
  return ['project_id,project_name,dept_name', ...lines].join('\n')
}
