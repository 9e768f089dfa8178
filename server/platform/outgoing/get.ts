import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { assertOutside, guardedLookup, OutgoingForbidden, OutgoingTimeout } from './guard.ts'

const IDLE_MS = 30_000
const MOST_REDIRECTS = 3

/** Identifies the program and its contact; does not pretend to be a browser. */
export const userAgent = (contact: string) => `tamngan/1.0 (+mailto:${contact})`

export type Answer = {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: IncomingMessage
}
export type OutgoingRequest = {
  /** The only host that may be contacted, including redirects: that of the configured source. */
  readonly host: string
  readonly headers?: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}
export type Outgoing = (address: URL, request: OutgoingRequest) => Promise<Answer>

/**
 * HTTPS GET to the one host of a source with an honest user agent. Follows redirects only within that host, and refuses
 * internal addresses whatever name resolves to them. `isLocalAllowed`: for tests with a local server. Rejects with
 * `OutgoingForbidden`, `OutgoingTimeout` or the network error.
 */
export function createOutgoing(options: {
  readonly contact: string
  readonly isLocalAllowed?: boolean
  readonly idleMs?: number
}): Outgoing {
  const { contact, isLocalAllowed = false, idleMs = IDLE_MS } = options
  const assertAllowed = (address: URL, host: string) => {
    if (address.host !== host) throw new OutgoingForbidden(`อยู่ที่ ${address.host} ซึ่งไม่ใช่ ${host} ที่ตั้งไว้`)
    if (!isLocalAllowed) assertOutside(address)
  }
  const ask = (address: URL, { headers, signal }: OutgoingRequest): Promise<Answer> =>
    new Promise((settle, reject) => {
      const request = (address.protocol === 'https:' ? https : http).get(address, {
        headers: { 'user-agent': userAgent(contact), ...headers },
        signal,
        ...(isLocalAllowed ? {} : { lookup: guardedLookup() }),
      })
      // Restarts with every byte, so it also ends a transfer that stalls midway.
      let answer: IncomingMessage | undefined
      request.setTimeout(idleMs, () => {
        const timeout = new OutgoingTimeout('nothing came')
        // Fails the reader of the body with the same error.
        answer?.destroy(timeout)
        request.destroy(timeout)
      })
      request.once('error', reject)
      request.once('response', (body) => {
        answer = body
        settle({ status: body.statusCode ?? 0, headers: body.headers, body })
      })
    })
  return async (address, request) => {
    let next = address
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
      assertAllowed(next, request.host)
      const answer = await ask(next, request)
      const { location } = answer.headers
      if (![301, 302, 303, 307, 308].includes(answer.status) || location === undefined) return answer
      answer.body.destroy()
      if (!URL.canParse(location, next.href)) throw new OutgoingForbidden('ถูกส่งต่อไปที่อยู่ที่อ่านไม่ได้')
      next = new URL(location, next)
    }
    throw new OutgoingForbidden(`ถูกส่งต่อเกิน ${MOST_REDIRECTS} ครั้ง`)
  }
}
