import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { findMessageFault } from './line-messages.ts'

export type LinePerson = { readonly id: string; readonly name: string }

type DeliveredMessage = {
  readonly to: string
  readonly messages: readonly SentMessage[]
  readonly retryKey: string | undefined
}
export type SentMessage = {
  readonly type: string
  readonly text?: string
  readonly altText?: string
  readonly contents?: unknown
}

export type LineEvent = Readonly<Record<string, unknown>> & { readonly webhookEventId: string }

/**
 * How the server responds. `loses`: accepts the message, then drops the connection before responding; `garbled`: 200
 * with an unexpected body.
 */
type LineMood =
  | 'well'
  | 'hangs'
  | 'loses'
  | 'garbled'
  | 'redirects'
  | 'endless'
  | { readonly status: number; readonly body?: string }

const REPLY_MS = 60_000
const LINK_TOKEN_MS = 10 * 60_000
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const PERSON = /^[UCR][0-9a-f]{32}$/

/**
 * A local LINE Messaging API that follows its reference: bearer token, message limits, retry keys, quota, link tokens,
 * profiles and signed webhooks. Tests set its moods.
 */
export class LineServer {
  readonly secret = randomBytes(16).toString('hex')
  readonly token = randomBytes(40).toString('base64')
  readonly basicId = '@042tamng'
  readonly delivered: DeliveredMessage[] = []
  readonly replies: { readonly to: string; readonly messages: readonly SentMessage[] }[] = []
  readonly refused: { readonly path: string; readonly status: number; readonly reason: string }[] = []
  requestCount = 0
  quota: number | undefined
  used = 0
  mood: LineMood = 'well'
  /** Overrides `mood` for push messages. */
  pushMood: LineMood | undefined
  onHang: () => void = () => undefined
  now: () => number = Date.now
  readonly #friends = new Map<string, LinePerson>()
  readonly #retryKeys = new Map<string, string>()
  readonly #replyTokens = new Map<string, { to: string; at: number }>()
  readonly #linkTokens = new Map<string, { to: string; at: number }>()
  readonly #server = createServer((request, response) => void this.#answer(request, response))

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return this.url
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  settings(timeoutMs = 5_000) {
    return { channelId: '1650000000', channelSecret: this.secret, accessToken: this.token, apiUrl: this.url, timeoutMs }
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  person(name: string): LinePerson {
    const person = { id: `U${randomBytes(16).toString('hex')}`, name }
    this.#friends.set(person.id, person)
    return person
  }

  group = (): string => `C${randomBytes(16).toString('hex')}`

  event(
    type: string,
    { id }: { readonly id: string },
    more: Readonly<Record<string, unknown>> = {},
    groupId?: string,
  ): LineEvent {
    const source = groupId === undefined ? { type: 'user', userId: id } : { type: 'group', groupId, userId: id }
    const replyToken = randomBytes(16).toString('hex')
    const hasReply = type !== 'unfollow' && type !== 'leave'
    if (hasReply) this.#replyTokens.set(replyToken, { to: groupId ?? id, at: this.now() })
    return {
      type,
      webhookEventId: `01${randomBytes(12).toString('hex').toUpperCase()}`,
      deliveryContext: { isRedelivery: false },
      timestamp: this.now(),
      source,
      mode: 'active',
      ...(hasReply && { replyToken }),
      ...more,
    }
  }

  follow = (person: LinePerson) => {
    this.#friends.set(person.id, person)
    return this.event('follow', person, { follow: { isUnblocked: false } })
  }
  unfollow = (person: LinePerson) => {
    this.#friends.delete(person.id)
    return this.event('unfollow', person)
  }
  message = (person: { readonly id: string }, text: string, groupId?: string) =>
    this.event('message', person, { message: { type: 'text', id: String(this.now()), quoteToken: 'q', text } }, groupId)
  postback = (person: { readonly id: string }, data: string) => this.event('postback', person, { postback: { data } })
  join = (groupId: string) => this.event('join', { id: `U${'0'.repeat(32)}` }, {}, groupId)
  leave = (groupId: string) => this.event('leave', { id: `U${'0'.repeat(32)}` }, {}, groupId)

  /** Redelivers an event, as LINE does when a webhook is not answered in time. */
  again = (event: LineEvent): LineEvent => ({ ...event, deliveryContext: { isRedelivery: true } })

  /**
   * Simulates a person opening an account link in LINE. Returns the event, or undefined when LINE refuses because the
   * token is old, used or belongs to another person.
   */
  openAccountLink(person: LinePerson, address: string): LineEvent | undefined {
    const url = new URL(address)
    if (url.origin !== 'https://access.line.me' || url.pathname !== '/dialog/bot/accountLink') return undefined
    const token = url.searchParams.get('linkToken') ?? ''
    const nonce = url.searchParams.get('nonce') ?? ''
    const issued = this.#linkTokens.get(token)
    if (!issued || issued.to !== person.id || this.now() - issued.at > LINK_TOKEN_MS) return undefined
    if (nonce.length < 10 || nonce.length > 255) return undefined
    this.#linkTokens.delete(token)
    return this.event('accountLink', person, { link: { result: 'ok', nonce } })
  }

  sign = (body: string, secret = this.secret) => createHmac('sha256', secret).update(body).digest('base64')

  webhook(events: readonly LineEvent[], secret?: string) {
    const payload = JSON.stringify({ destination: `U${'1'.repeat(32)}`, events })
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'x-line-signature': this.sign(payload, secret),
    }
    return { method: 'POST' as const, url: '/api/v2/line/webhook', payload, headers }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requestCount += 1
    let raw = ''
    for await (const piece of request.setEncoding('utf8')) raw += piece
    const path = new URL(request.url ?? '/', 'http://line').pathname
    const mood = (path.endsWith('/push') ? this.pushMood : undefined) ?? this.mood
    const refuse = (status: number, reason: string, headers: Readonly<Record<string, string>> = {}) => {
      this.refused.push({ path, status, reason })
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(JSON.stringify({ message: reason }))
    }
    const answer = (body: object) => {
      if (mood === 'loses') return void request.socket.destroy()
      response.writeHead(200, { 'content-type': 'application/json', 'x-line-request-id': randomUUID() })
      response.end(mood === 'garbled' ? '<html>maintenance</html>' : JSON.stringify(body))
    }
    if (mood === 'hangs') return this.onHang()
    if (mood === 'redirects') return void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
    if (mood === 'endless') return this.#endless(response)
    if (typeof mood === 'object') return refuse(mood.status, mood.body ?? 'a fault of the tests')
    if (request.headers.authorization !== `Bearer ${this.token}`)
      return refuse(401, 'Authentication failed. Confirm that the access token in the authorization header is valid.')
    const [, lineId] = /^\/v2\/bot\/(?:user|profile)\/(U[0-9a-f]{32})(?:\/linkToken)?$/.exec(path) ?? []
    switch (`${request.method} ${path.replace(lineId ?? '/never', ':id')}`) {
      case 'GET /v2/bot/info':
        return answer({ userId: `U${'1'.repeat(32)}`, basicId: this.basicId, displayName: 'ตามงาน', chatMode: 'bot' })
      case 'GET /v2/bot/message/quota':
        return answer(this.quota === undefined ? { type: 'none' } : { type: 'limited', value: this.quota })
      case 'GET /v2/bot/message/quota/consumption':
        return answer({ totalUsage: this.used })
      case 'GET /v2/bot/profile/:id': {
        const friend = this.#friends.get(lineId!)
        return friend
          ? answer({ userId: friend.id, displayName: friend.name, language: 'th' })
          : refuse(404, 'Not found')
      }
      case 'POST /v2/bot/user/:id/linkToken': {
        if (!this.#friends.has(lineId!)) return refuse(404, 'Not found')
        const linkToken = randomBytes(24).toString('base64url')
        this.#linkTokens.set(linkToken, { to: lineId!, at: this.now() })
        return answer({ linkToken })
      }
      case 'POST /v2/bot/message/push':
        return void this.#push(request, raw, { answer, refuse })
      case 'POST /v2/bot/message/reply':
        return void this.#reply(request, raw, { answer, refuse })
      default:
        return refuse(404, 'Not found')
    }
  }

  #push(request: IncomingMessage, raw: string, { answer, refuse }: Answers): void {
    const { to, messages } = parsed<{ to: unknown; messages: SentMessage[] }>(raw)
    const retryKey = request.headers['x-line-retry-key']?.toString()
    if (retryKey !== undefined && !UUID.test(retryKey)) return void refuse(400, 'Invalid retry key')
    if (typeof to !== 'string' || !PERSON.test(to))
      return void refuse(400, "The property, 'to', in the request body is invalid")
    const fault = findMessageFault(messages)
    if (fault) return void refuse(400, fault)
    const accepted = retryKey && this.#retryKeys.get(retryKey)
    if (accepted)
      return void refuse(409, 'The retry key is already accepted', { 'x-line-accepted-request-id': accepted })
    if (this.quota !== undefined && this.used >= this.quota)
      return void refuse(429, 'You have reached your monthly limit.')
    if (retryKey) this.#retryKeys.set(retryKey, randomUUID())
    // For a user who blocked the account LINE also returns 200, but delivers nothing.
    if (this.#friends.has(to)) {
      this.used += 1
      this.delivered.push({ to, messages, retryKey })
    }
    answer({ sentMessages: messages.map((_, id) => ({ id: String(id), quoteToken: 'q' })) })
  }

  #reply(request: IncomingMessage, raw: string, { answer, refuse }: Answers): void {
    const { replyToken, messages } = parsed<{ replyToken: string; messages: SentMessage[] }>(raw)
    if (request.headers['x-line-retry-key'] !== undefined) return void refuse(400, 'Retry key is not allowed here')
    const issued = this.#replyTokens.get(replyToken)
    if (!issued || this.now() - issued.at > REPLY_MS) return void refuse(400, 'Invalid reply token')
    const fault = findMessageFault(messages)
    if (fault) return void refuse(400, fault)
    this.#replyTokens.delete(replyToken)
    this.replies.push({ to: issued.to, messages })
    answer({ sentMessages: [] })
  }

  #endless(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'application/json' })
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(10_000)));
    }
    response.on('drain', more)
    more()
  }
}

type Answers = {
  readonly answer: (body: object) => void
  readonly refuse: (status: number, reason: string, headers?: Readonly<Record<string, string>>) => void
}

function parsed<T>(raw: string): Partial<T> & T {
  try {
    return JSON.parse(raw) as T
  } catch {
    return {} as T
  }
}
