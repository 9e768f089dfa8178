import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { importJWK, jwtVerify } from 'jose'
import webPush from 'web-push'
import type { BrowserPushSubscription, PushPayload } from '#contract/channels/push.ts'
import type { PushKeys } from '#server/channels/push/send-push.ts'
import { createOutgoingPost } from '#server/platform/outgoing/outgoing-post.ts'

const SUBJECT = 'mailto:ops@tamngan.example'
export const TEST_VAPID: PushKeys = { ...webPush.generateVAPIDKeys(), subject: SUBJECT }
export const TEST_PUSH = {
  keys: TEST_VAPID,
  post: createOutgoingPost({ isLoopbackAllowed: true, answerMs: 1_000 }),
  isLoopbackAllowed: true,
}

/**
 * What the server returns: a status, optionally with `retryAfter`; `hang`: no response, ever; `cut`: drops the
 * connection after receiving the message.
 */
type PushMood = number | { readonly status: number; readonly retryAfter: string } | 'hang' | 'cut'

type ReceivedPush = {
  readonly browser: string
  readonly payload: PushPayload
  readonly ttl: number
  readonly urgency: string | undefined
  readonly topic: string | undefined
}

export type TestBrowser = { readonly name: string; readonly address: BrowserPushSubscription }

export type TestPushServer = {
  readonly url: string
  /** Messages with a verified sender and readable content, in order of arrival. */
  readonly received: ReceivedPush[]
  readonly complaints: string[]
  /**
   * Upcoming responses in order; afterwards the server returns 201. An entry in `moodOf` applies to that browser until
   * it is removed.
   */
  readonly moods: PushMood[]
  readonly moodOf: Map<string, PushMood>
  browser(name: string): TestBrowser
  onMessage: ((message: ReceivedPush) => void | Promise<void>) | undefined
  close(): Promise<void>
}

/** Maximum message size. RFC 8030 allows services to refuse larger messages. */
const MAX_MESSAGE_BYTES = 4_096

/**
 * Starts a push service. It accepts POSTs at secret URLs, checks the VAPID token (ES256, audience, expiry, key) and
 * decrypts messages with its browsers' keys, which a real service could not do.
 */
export async function startPushServer(vapidPublicKey: string = TEST_VAPID.publicKey): Promise<TestPushServer> {
  const browsers = new Map<string, { name: string; ecdh: ECDH; auth: Buffer }>()
  const [received, complaints, moods]: [ReceivedPush[], string[], PushMood[]] = [[], [], []]
  const moodOf = new Map<string, PushMood>()

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
    const body = Buffer.concat(parts)
    const browser = browsers.get(request.url ?? '')
    if (request.method !== 'POST' || !browser) return void response.writeHead(404).end()
    if (body.length > MAX_MESSAGE_BYTES) return void response.writeHead(413).end()
    const problem = await vapidProblem(request.headers.authorization ?? '', server.url, vapidPublicKey)
    if (problem) {
      complaints.push(problem)
      return void response.writeHead(403).end(problem)
    }
    const { headers } = request
    if (headers['content-encoding'] !== 'aes128gcm') complaints.push('not aes128gcm')
    if (!/^\d+$/.test(String(headers.ttl))) complaints.push('no TTL')
    if (headers.topic !== undefined && !/^[A-Za-z0-9_-]{1,32}$/.test(String(headers.topic))) complaints.push('topic')
    const text = decrypt(body, browser)
    const message: ReceivedPush = {
      browser: browser.name,
      payload: JSON.parse(text) as PushPayload,
      ttl: Number(headers.ttl),
      urgency: headers.urgency as string | undefined,
      topic: headers.topic as string | undefined,
    }
    const mood = moodOf.get(browser.name) ?? moods.shift() ?? 201
    await server.onMessage?.(message)
    if (mood === 'hang') return
    if (mood === 'cut') {
      received.push(message)
      return void request.socket.destroy()
    }
    const { status, retryAfter } = typeof mood === 'number' ? { status: mood, retryAfter: undefined } : mood
    if (status < 300) received.push(message)
    response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end()
  }

  const http = createServer((request, response) => {
    take(request, response).catch((error: unknown) => {
      complaints.push(String(error))
      response.writeHead(400).end()
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const server: TestPushServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    ...{ received, complaints, moods, moodOf },
    onMessage: undefined,
    browser(name) {
      const ecdh = createECDH('prime256v1')
      ecdh.generateKeys()
      const auth = randomBytes(16)
      const path = `/push/${randomBytes(24).toString('base64url')}`
      browsers.set(path, { name, ecdh, auth })
      const keys = { p256dh: ecdh.getPublicKey('base64url'), auth: auth.toString('base64url') }
      return { name, address: { endpoint: `${server.url}${path}`, keys } }
    },
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  }
  return server
}

/** Returns what is wrong with the VAPID token, or undefined when it is valid (RFC 8292). */
async function vapidProblem(authorization: string, origin: string, publicKey: string): Promise<string | undefined> {
  const [, token, key] = /^vapid t=([^,]+), ?k=([\w-]+)$/.exec(authorization) ?? []
  if (token === undefined || key === undefined) return 'no vapid'
  if (key !== publicKey) return 'another key'
  const point = Buffer.from(key, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  try {
    const { payload } = await jwtVerify(token, await importJWK(jwk, 'ES256'), {
      audience: origin,
      algorithms: ['ES256'],
    })
    if ((payload.exp ?? 0) > Date.now() / 1000 + 24 * 3_600) return 'lives longer than a day'
    return payload.sub === SUBJECT ? undefined : 'no subject'
  } catch (error) {
    return String(error)
  }
}

const TAG_BYTES = 16
/** Delimiter byte behind the text of the last record (RFC 8188). */
const LAST = 2

/**
 * Decrypts one aes128gcm record for a browser (RFC 8291) without the package that wrote it. Throws on anything else.
 */
function decrypt(body: Buffer, { ecdh, auth }: { readonly ecdh: ECDH; readonly auth: Buffer }): string {
  const [salt, sender] = [body.subarray(0, 16), body.subarray(21, 21 + body[20]!)]
  const record = body.subarray(21 + sender.length)
  if (record.length > body.readUInt32BE(16)) throw new Error('more than one record')
  const derive = (from: Buffer, by: Buffer, info: Buffer | string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', from, by, info, bytes))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender])
  const secret = derive(ecdh.computeSecret(sender), auth, info, 32)
  const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16)
  const nonce = derive(secret, salt, 'Content-Encoding: nonce\0', 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(record.subarray(-TAG_BYTES))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -TAG_BYTES)), decipher.final()])
  const end = padded.lastIndexOf(LAST)
  if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('no end of the last record')
  return padded.subarray(0, end).toString('utf8')
}
