import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import {
  assertPublicUrl,
  createGuardedLookup,
  OutgoingRequestForbiddenError,
  OutgoingRequestTimeoutError,
} from './outgoing-guard.ts'

const IDLE_MS = 30_000
const MAX_REDIRECTS = 3

export const buildUserAgent = (contact: string) => `tamngan/1.0 (+mailto:${contact})`

export type OutgoingGetResponse = {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: IncomingMessage
}
export type OutgoingGetRequest = {
  /** The only host to which requests may go, including redirects: the host of the configured source. */
  readonly host: string
  readonly headers?: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}
export type OutgoingGetFn = (address: URL, request: OutgoingGetRequest) => Promise<OutgoingGetResponse>

/**
 * Creates a function that sends HTTPS GET requests to the one host of a source with an honest user agent. Follows
 * redirects only within that host, and refuses internal addresses whatever name resolves to them. `isLocalAllowed`: for
 * tests with a local server. Rejects with `OutgoingRequestForbiddenError`, `OutgoingRequestTimeoutError` or the network error.
 */
export function createOutgoingGet(options: {
  readonly contact: string
  readonly isLocalAllowed?: boolean
  readonly idleMs?: number
}): OutgoingGetFn {
  const { contact, isLocalAllowed = false, idleMs = IDLE_MS } = options
  const assertAllowed = (address: URL, host: string) => {
    if (address.host !== host) throw new OutgoingRequestForbiddenError(`อยู่ที่ ${address.host} ซึ่งไม่ใช่ ${host} ที่ตั้งไว้`)
    if (!isLocalAllowed) assertPublicUrl(address)
  }
  const send = (address: URL, { headers, signal }: OutgoingGetRequest): Promise<OutgoingGetResponse> =>
    new Promise((settle, reject) => {
      const request = (address.protocol === 'https:' ? https : http).get(address, {
        headers: { 'user-agent': buildUserAgent(contact), ...headers },
        signal,
        ...(isLocalAllowed ? {} : { lookup: createGuardedLookup() }),
      })
      // The timeout restarts with every byte, so it also ends a transfer that stalls midway.
      let response: IncomingMessage | undefined
      request.setTimeout(idleMs, () => {
        const timeout = new OutgoingRequestTimeoutError('nothing came')
        response?.destroy(timeout)
        request.destroy(timeout)
      })
      request.once('error', reject)
      request.once('response', (body) => {
        response = body
        settle({ status: body.statusCode ?? 0, headers: body.headers, body })
      })
    })
  return async (address, request) => {
    let next = address
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      assertAllowed(next, request.host)
      const response = await send(next, request)
      const { location } = response.headers
      if (![301, 302, 303, 307, 308].includes(response.status) || location === undefined) return response
      response.body.destroy()
      if (!URL.canParse(location, next.href)) throw new OutgoingRequestForbiddenError('ถูกส่งต่อไปที่อยู่ที่อ่านไม่ได้')
      next = new URL(location, next)
    }
    throw new OutgoingRequestForbiddenError(`ถูกส่งต่อเกิน ${MAX_REDIRECTS} ครั้ง`)
  }
}
