import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { API_PROBLEM_TEXTS } from '#contract/http/problem-texts.ts'
import { formatReportSearch } from '#contract/report/report-params.ts'
import { SEARCH_LIMITS } from '#contract/search/search-grammar.ts'
import { PROVINCES } from '#contract/thai/province.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { migrateDatabase } from '#server/platform/engine/migrate-database.ts'
import { openMemoryDb } from '#server/platform/engine/open-db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { appOn, type SignedIn, signIn } from '../../test/server/http-app.ts'

const HOST = 'Host: localhost'
const JSON_TYPE = 'Content-Type: application/json'

let db: OpenDb
let app: RouteApp
let session: SignedIn
let port: number

beforeAll(async () => {
  db = await openMemoryDb()
  await migrateDatabase(db)
  await seedSampleOrganisations(db, '2026-11-21')
  app = await appOn(db, { settings: { publicUrl: 'https://tamngan.example' } })
  session = await signIn(app, 'manager@tharamek.example')
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as AddressInfo).port
})
afterAll(async () => {
  await app.close()
  await db.close()
})

type Answer = { status: number; headers: Record<string, string>; body: unknown }

async function open(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

async function lastAnswer(socket: Socket): Promise<Answer> {
  const parts: Buffer[] = []
  socket.on('data', (part: Buffer) => parts.push(part))
  await once(socket, 'close')
  const text = Buffer.concat(parts).toString()
  const [head = '', body = ''] = text.slice(text.lastIndexOf('HTTP/1.1 ')).split('\r\n\r\n')
  const [status = '', ...lines] = head.split('\r\n')
  return {
    status: Number(status.split(' ')[1]),
    headers: Object.fromEntries(
      lines.map((line) => line.split(/: (.*)/, 2)).map(([name, value]) => [name!.toLowerCase(), value!]),
    ),
    body: JSON.parse(body),
  }
}

async function send(...lines: string[]): Promise<Answer> {
  const socket = await open()
  socket.write(lines.join('\r\n'))
  return await lastAnswer(socket)
}

function expectOwnError(answer: Answer, status: number, text: string): void {
  expect([answer.status, answer.body]).toEqual([status, { non_field_errors: [text] }])
  expect(answer.headers).toMatchObject({
    'content-security-policy': expect.stringContaining("script-src 'self'"),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'strict-transport-security': expect.stringContaining('max-age='),
    'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    connection: 'close',
  })
}

test.each([
  ['an unknown method', ['BREW / HTTP/1.1', HOST, '', '']],
  ['no HTTP at all', ['\u0016\u0003\u0001', '', '']],
  [
    'a length and chunks',
    ['POST /x HTTP/1.1', HOST, 'Content-Length: 3', 'Transfer-Encoding: chunked', '', '0', '', ''],
  ],
  ['two lengths', ['POST /x HTTP/1.1', HOST, 'Content-Length: 3', 'Content-Length: 4', '', 'abc']],
  ['a length that is none', ['POST /x HTTP/1.1', HOST, 'Content-Length: -1', '', '']],
  ['a header without a name', ['GET / HTTP/1.1', HOST, ': x', '', '']],
  ['a line end in a header', ['GET / HTTP/1.1', HOST, 'X: a\rb', '', '']],
  [
    'a chunk without a length',
    ['POST /api/v2/auth/login/ HTTP/1.1', HOST, JSON_TYPE, 'Transfer-Encoding: chunked', '', 'zz', ''],
  ],
])('R37: refuses %s with the usual headers and a Thai text', async (_what, lines) => {
  expectOwnError(await send(...lines), 400, API_PROBLEM_TEXTS.bad_input)
})

test('R37: refuses a parser error the same way on a connection that already answered', async () => {
  const socket = await open()
  const answer = lastAnswer(socket)
  socket.write(`GET /livez HTTP/1.1\r\n${HOST}\r\n\r\n`)
  await once(socket, 'data')
  socket.write('BREW / HTTP/1.1\r\n\r\n')
  expectOwnError(await answer, 400, API_PROBLEM_TEXTS.bad_input)
})

test.each([70_000, 200_000])('R39: refuses an address of %d bytes and blames the filters', async (length) => {
  const answer = await send(`GET /api/v2/projects?x=${'a'.repeat(length)} HTTP/1.1`, HOST, '', '')
  expectOwnError(answer, 431, API_PROBLEM_TEXTS.address_too_long)
})

test('accepts the largest filter that the screen can build together with a long token', async () => {
  const term = 'ก'.repeat(SEARCH_LIMITS.characters)
  const query = new URLSearchParams(
    formatReportSearch({
      project_name__in: term,
      project_dept_sub__in: term,
      project_winner_name__in: term,
      project_id__in: Array.from({ length: 200 }, (_, n) => String(69_010_000_000 + n)),
      project_province__in: { values: PROVINCES.map(({ th }) => th), negated: true },
      project_province_dept_sub__in: { values: PROVINCES.map(({ th }) => th), negated: false },
      project_label__in: {
        values: Array.from({ length: 30 }, (_, n) => `label-${n}-0123456789abcdef`),
        negated: false,
      },
    }),
  ).toString()
  expect(query.length).toBeGreaterThan(17_800)
  const answer = await fetch(`http://127.0.0.1:${port}/api/v2/projects?${query}`, {
    headers: { ...session.headers, 'x-padding': 'a'.repeat(4_000) },
  })
  expect(answer.status).toBe(200)
})
