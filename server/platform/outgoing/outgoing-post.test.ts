import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer as createNetServer } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HostResolver, isInternalAddress, OutgoingRequestForbiddenError } from './outgoing-guard.ts'
import { assertOutgoingPostUrl, createOutgoingPost, MAX_POST_RESPONSE_BYTES } from './outgoing-post.ts'

const { signal } = new AbortController()
const sent = { headers: { 'content-type': 'application/json' }, body: '{"a":"ก"}', signal }

let requests: string[] = []
let answer: (request: IncomingMessage, response: ServerResponse) => void
const server: Server = createServer((request, response) => {
  requests.push(`${request.method} ${request.url}`)
  answer(request, response)
})
const portOf = (listener: { address(): unknown }) => (listener.address() as AddressInfo).port
let port = 0
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = portOf(server)
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const local = createOutgoingPost({ isLoopbackAllowed: true, answerMs: 400 })
const there = (path = '/') => new URL(`http://127.0.0.1:${port}${path}`)
function resolver(...turns: string[][]) {
  const names: string[] = []
  const resolve: HostResolver = (hostname, _options, callback) => {
    const addresses = turns[Math.min(names.length, turns.length - 1)]!
    names.push(hostname)
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
  return { names, resolve }
}

test('R80: recognises every kind of internal address, including embedded ones', () => {
  for (const address of [
    ...['10.0.0.1', '127.9.9.9', '169.254.169.254', '100.100.100.200', '192.0.0.192', '168.63.129.16', '239.1.1.1'],
    ...['172.31.255.255', '192.168.0.1', '0.0.0.0', '255.255.255.255', '198.18.0.1'],
    ...['::1', '::', '::7f00:1', 'fd00:ec2::254', 'fe80::1', 'fec0::1', 'ff02::1', '::ffff:169.254.169.254'],
    ...['::ffff:a9fe:a9fe', '64:ff9b::a9fe:a9fe', '64:ff9b:1::7f00:1', '2002:7f00:1::', '2001:0:1::1'],
  ])
    expect(isInternalAddress(address), address).toBe(true)
  for (const address of ['8.8.8.8', '172.32.0.1', '100.128.0.1', '2001:4860:4860::8888', '2a00:1450::1'])
    expect(isInternalAddress(address), address).toBe(false)
})

const hex = (value: bigint) => (value.toString(16).padStart(32, '0').match(/.{4}/g) ?? []).join(':')

test('R80: treats only global unicast IPv6, minus the IANA-reserved ranges, as external (property)', () => {
  const reserved = [
    [0x2001n << 112n, 23n],
    [0x20010db8n << 96n, 32n],
    [0x2002n << 112n, 16n],
    [0x3fffn << 112n, 20n],
  ] as const
  const isOutside = (value: bigint) =>
    value >> 125n === 1n && !reserved.some(([network, bits]) => value >> (128n - bits) === network >> (128n - bits))
  const anyAddress = fc.oneof(
    fc.bigInt(0n, 2n ** 128n - 1n),
    fc.bigInt(2n ** 125n, 2n ** 126n - 1n),
    fc
      .tuple(fc.constantFrom(...reserved), fc.bigInt(-3n, 3n), fc.boolean())
      .map(([[network, bits], off, atEnd]) => network + (atEnd ? 1n << (128n - bits) : 0n) + off),
  )
  fc.assert(
    fc.property(anyAddress, (value) => {
      expect(isInternalAddress(hex(value)), hex(value)).toBe(!isOutside(value))
    }),
    { numRuns: 2_000 },
  )
})

test('R80: refuses an internal IPv6 address with any embedded IPv4 address in every notation (property)', () => {
  const wrappers = [0n, 0xffffn << 32n, 0xffff0000n << 32n, 0x64ff9bn << 96n, 0x64ff9b0001n << 80n]
  fc.assert(
    fc.property(fc.constantFrom(...wrappers), fc.integer({ min: 0, max: 2 ** 32 - 1 }), (prefix, ipv4) => {
      const dotted = [24, 16, 8, 0].map((shift) => (ipv4 >>> shift) & 255).join('.')
      expect(isInternalAddress(hex(prefix | BigInt(ipv4)))).toBe(true)
      expect(isInternalAddress(hex(prefix).replace(/:[^:]+:[^:]+$/, `:${dotted}`))).toBe(true)
      expect(isInternalAddress(hex((0x2002n << 112n) | (BigInt(ipv4) << 80n)))).toBe(true)
      expect(() => assertOutgoingPostUrl(new URL(`https://[${hex(prefix | BigInt(ipv4))}]/`), false)).toThrow(
        OutgoingRequestForbiddenError,
      )
    }),
  )
})

test('R80: refuses plain HTTP, credentials, ports of other services and internal hosts', () => {
  const refused = (text: string, isLoopbackAllowed = false) => {
    try {
      assertOutgoingPostUrl(new URL(text), isLoopbackAllowed)
      return undefined
    } catch (error) {
      return (error as Error).message
    }
  }
  expect(refused('http://hooks.example/')).toMatch('https://')
  expect(refused('ftp://hooks.example/', true)).toMatch('https://')
  expect(refused(`https://${'me:word'}@hooks.example/`)).toMatch('รหัสผ่าน')
  expect(refused('https://hooks.example:25/')).toMatch('พอร์ต 25')
  for (const host of ['localhost', '127.0.0.1', '[::1]', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '10.1.1.1'])
    expect(refused(`https://${host}/`), host).toMatch('ภายในเครือข่าย')
  for (const text of ['https://hooks.example/', 'https://hooks.example:8443/a?b', 'https://hooks.example:1024/'])
    expect(refused(text), text).toBeUndefined()
  // With `isLoopbackAllowed`, only loopback addresses are allowed, no other private addresses.
  expect([refused('http://localhost:9000/', true), refused('http://127.0.0.1:81/', true)]).toEqual([
    undefined,
    undefined,
  ])
  expect(refused('http://192.168.1.1/', true)).toMatch('https://')
  expect(refused('https://192.168.1.1/', true)).toMatch('ภายในเครือข่าย')
})

test('R80: refuses a name that resolves to an internal address at connect time, and sends nothing', async () => {
  requests = []
  for (const addresses of [
    ['127.0.0.1'],
    ['10.0.0.1'],
    ['::ffff:127.0.0.1'],
    ['::1'],
    ['8.8.8.8', '127.0.0.1'],
    ['fd00::1'],
  ]) {
    const { resolve } = resolver(addresses)
    const posted = await createOutgoingPost({ resolve, answerMs: 400 })(
      new URL(`https://inside.example:${port}/`),
      sent,
    )
    expect(posted, addresses.join()).toMatchObject({ kind: 'forbidden', reason: expect.stringMatching('ภายในเครือข่าย') })
  }
  expect(requests).toEqual([])
})

test('R80: resolves a name once per request and connects to that address; refuses a DNS rebind', async () => {
  answer = (_request, response) => response.end('once')
  requests = []
  // Simulate DNS rebinding: the first lookup returns an allowed address, the next one a forbidden address.
  const { names, resolve } = resolver(['127.0.0.1'], ['10.0.0.1'])
  const rebound = createOutgoingPost({ isLoopbackAllowed: true, resolve })
  expect(await rebound(new URL(`http://localhost:${port}/`), sent)).toMatchObject({ kind: 'answered', answer: 'once' })
  expect([names, requests]).toEqual([['localhost'], ['POST /']])
  expect(await rebound(new URL(`http://localhost:${port}/`), sent)).toMatchObject({ kind: 'forbidden' })
  // Even in development, a public name must not resolve to this machine.
  const home = createOutgoingPost({ isLoopbackAllowed: true, resolve: resolver(['127.0.0.1']).resolve })
  expect(await home(new URL(`https://hooks.example:${port}/`), sent)).toMatchObject({ kind: 'forbidden' })
  expect(requests).toEqual(['POST /'])
})

test('sends the whole body, and returns status, duration and answer text', async () => {
  let got = ''
  answer = (request, response) => {
    request.setEncoding('utf8').on('data', (part) => {
      got += part
    })
    request.on('end', () => {
      response.writeHead(202, { 'retry-after': '7' }).end(`${request.headers['content-length']} ok`)
    })
  }
  expect(await local(there('/hook?x=1'), sent)).toEqual({
    ...{ kind: 'answered', status: 202, answer: '11 ok', retryAfter: '7' },
    ms: expect.any(Number),
  })
  expect([got, requests.at(-1)]).toEqual(['{"a":"ก"}', 'POST /hook?x=1'])
})

test('R80: follows no redirect', async () => {
  answer = (_request, response) => response.writeHead(307, { location: there('/elsewhere').href }).end('moved')
  requests = []
  expect(await local(there('/moved'), sent)).toMatchObject({ kind: 'answered', status: 307 })
  expect(requests).toEqual(['POST /moved'])
})

test('R80: times out when the target is silent, and truncates an endless answer at 4 kB', async () => {
  answer = () => undefined
  expect(await local(there(), sent)).toMatchObject({ kind: 'timeout' })
  answer = (_request, response) => {
    response.writeHead(200)
    const flood = setInterval(() => response.write('x'.repeat(1_000)), 1)
    response.on('close', () => clearInterval(flood))
  }
  const posted = await local(there(), sent)
  expect(posted).toMatchObject({ kind: 'answered', status: 200, answer: 'x'.repeat(MAX_POST_RESPONSE_BYTES) })
})

test('distinguishes resets, protocol errors and refused connections from short or binary answers', async () => {
  answer = (request) => request.socket.destroy()
  expect(await local(there(), sent)).toMatchObject({ kind: 'broken', code: 'ECONNRESET' })
  answer = (request) => request.socket.end('HELLO\r\n\r\n')
  expect(await local(there(), sent)).toMatchObject({ kind: 'broken' })
  answer = (request) => request.socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort')
  expect(await local(there(), sent)).toMatchObject({ kind: 'answered', status: 200, answer: 'short' })
  answer = (_request, response) => response.end(Buffer.from([0, 0xff, 0x41]))
  expect(await local(there(), sent)).toMatchObject({ kind: 'answered', answer: '��A' })
  const closed = createNetServer()
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
  const free = portOf(closed)
  await new Promise((resolve) => closed.close(resolve))
  expect(await local(new URL(`http://127.0.0.1:${free}/`), sent)).toMatchObject({
    kind: 'broken',
    code: 'ECONNREFUSED',
  })
})

test('R80: ignores the proxy of the environment', async () => {
  const before = { ...process.env }
  answer = (_request, response) => response.end('direct')
  process.env.NODE_USE_ENV_PROXY = '1'
  process.env.HTTP_PROXY = process.env.http_proxy = 'http://127.0.0.1:1'
  try {
    expect(await local(there(), sent)).toMatchObject({ kind: 'answered', answer: 'direct' })
  } finally {
    process.env = before
  }
})

test('a stopping worker aborts the request under way', async () => {
  const stopping = new AbortController()
  answer = () => stopping.abort(new Error('stopped'))
  await expect(local(there(), { ...sent, signal: stopping.signal })).rejects.toThrow()
})
