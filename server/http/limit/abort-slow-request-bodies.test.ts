import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { createServerOptions } from '../server-options.ts'
import { abortSlowRequestBodies, limitConcurrentUploads } from './abort-slow-request-bodies.ts'

const SETTINGS = { authSecrets: ['x'] as const, logLevel: 'silent' as const }
const LIMITS = { bodyMs: 300, uploadMs: 4_000, progressMs: 300, progressBytes: 100 }
let app: RouteApp
let port: number

beforeAll(async () => {
  app = Fastify({ ...createServerOptions(SETTINGS), requestTimeout: 60_000 }) as unknown as RouteApp
  abortSlowRequestBodies(app, LIMITS)
  limitConcurrentUploads(app, async ({ headers }) => ({ sub: Number(headers['x-user'] ?? 1) }) as never)
  app.addContentTypeParser('application/octet-stream', (_request, content, done) => done(null, content))
  for (const [url, upload] of [
    ['/file', true],
    ['/other', undefined],
  ] as const)
    app.post(url, { config: upload ? { upload } : {} }, async ({ body }) => {
      let bytes = 0
      for await (const part of body as AsyncIterable<Buffer>) bytes += part.length
      return { bytes }
    })
  await app.listen({ port: 0 })
  port = (app.server.address() as { port: number }).port
})
afterAll(() => app.close())

async function send(path: string, length: number, bytes: number, user = 1): Promise<string> {
  const socket: Socket = connect(port, 'localhost')
  await once(socket, 'connect')
  let answer = ''
  socket.on('data', (part) => (answer += part)).on('error', () => undefined)
  const head = `POST ${path} HTTP/1.1\r\nhost: x\r\nx-user: ${user}\r\ncontent-type: application/octet-stream\r\ncontent-length: ${length}\r\n\r\n`
  socket.write(head)
  for (let sent = 0; sent < length && answer === '' && !socket.destroyed; sent += bytes) {
    socket.write(Buffer.alloc(Math.min(bytes, length - sent)))
    await sleep(100)
  }
  for (let waited = 0; answer === '' && waited < 100; waited += 1) await sleep(100)
  socket.destroy()
  return answer
}

test('R39: ends a slow body with 408, but lets a file continue while data arrives', async () => {
  const [otherAnswer, fileAnswer] = await Promise.all([send('/other', 8_000, 1_000), send('/file', 8_000, 1_000, 2)])
  expect(otherAnswer).toContain('408 Request Timeout')
  expect(otherAnswer).toContain('non_field_errors')
  expect(fileAnswer).toContain('{"bytes":8000}')
})

test('ends a trickling file at the first check and an endless one at the last', async () => {
  const [trickle, endless] = await Promise.all([send('/file', 20_000, 10, 3), send('/file', 1_000_000, 1_000, 4)])
  expect(trickle).toContain('408 Request Timeout')
  expect(endless).toContain('408 Request Timeout')
})

test('limits a user to four concurrent files and accepts the next when one ends', async () => {
  const some = Array.from({ length: 4 }, () => send('/file', 6_000, 1_000, 5))
  await sleep(150)
  const [fifth, of] = await Promise.all([send('/file', 10, 10, 5), send('/file', 10, 10, 6)])
  expect(fifth).toContain('429 Too Many Requests')
  expect(of).toContain('200 OK')
  for (const answer of await Promise.all(some)) expect(answer).toContain('200 OK')
  expect(await send('/file', 10, 10, 5)).toContain('200 OK')
})
