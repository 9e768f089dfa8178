import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import {
  assertPublicUrl,
  createGuardedLookup,
  type HostResolver,
  isLocalHost,
  OutgoingRequestForbiddenError,
} from './outgoing-guard.ts'

export const MAX_POST_RESPONSE_BYTES = 4_096
const RESPONSE_TIMEOUT_MS = 15_000
/** Time limit for reading the response body, which only explains the status that has already arrived. */
const BODY_TIMEOUT_MS = 2_000
/**
 * Lowest port allowed besides 443 (https). Lower ports belong to mail, shells and the like, which a request must not
 * reach.
 */
const MIN_PORT = 1_024

export type OutgoingPostResult =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly ms: number
      readonly answer: string
      readonly retryAfter: string | undefined
    }
  /** A rule forbids the request, so nothing was sent. `reason` is a text for the user. */
  | { readonly kind: 'forbidden'; readonly ms: number; readonly reason: string }
  | { readonly kind: 'timeout'; readonly ms: number }
  /** A network, DNS or certificate error. `code` is a code such as ECONNREFUSED, never a message. */
  | { readonly kind: 'broken'; readonly ms: number; readonly code: string }

export type OutgoingPostRequest = {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
  readonly signal: AbortSignal
}
/** Rejects only when the caller's signal aborts it; every other failure is a `OutgoingPostResult`. */
export type OutgoingPostFn = (address: URL, request: OutgoingPostRequest) => Promise<OutgoingPostResult>

/**
 * Throws `OutgoingRequestForbiddenError`, with a message for the user, unless customer requests may go to this URL: https to the
 * internet, port 443 or above 1023, no credentials. `isLoopbackAllowed`: also allows this machine, even by http, for
 * development.
 */
export function assertOutgoingPostUrl(address: URL, isLoopbackAllowed: boolean): void {
  if (isLoopbackAllowed && isLocalHost(address) && /^https?:$/.test(address.protocol)) return
  assertPublicUrl(address)
  if (isLocalHost(address)) throw new OutgoingRequestForbiddenError(`${address.hostname} เป็นที่อยู่ภายในเครือข่าย`)
  if (address.port !== '' && Number(address.port) < MIN_PORT)
    throw new OutgoingRequestForbiddenError(`ใช้พอร์ต ${address.port} ไม่ได้ ใช้ 443 หรือตั้งแต่ ${MIN_PORT} ขึ้นไป`)
}

/**
 * Sends a POST to a URL that a customer configured. Resolves the name once and connects to that address, follows no
 * redirects, ignores proxy variables, uses a new connection, and reads only the first 4 kB of the response.
 */
export function createOutgoingPost(
  options: {
    readonly isLoopbackAllowed?: boolean
    readonly resolve?: HostResolver | undefined
    readonly answerMs?: number
  } = {},
): OutgoingPostFn {
  const { isLoopbackAllowed = false, resolve, answerMs = RESPONSE_TIMEOUT_MS } = options
  return async (address, { headers, body, signal }) => {
    const startedAt = performance.now()
    const ms = () => Math.round(performance.now() - startedAt)
    try {
      assertOutgoingPostUrl(address, isLoopbackAllowed)
      const isLocal = isLoopbackAllowed && isLocalHost(address)
      const lookup = createGuardedLookup(isLocal ? 'loopback' : 'internet', resolve)
      const limit = AbortSignal.any([signal, AbortSignal.timeout(answerMs)])
      const response = await fetchHead(address, { headers, body, signal: limit, lookup })
      const { statusCode: status = 0, headers: responseHeaders } = response
      const statusMs = ms()
      const text = await readFirstBytes(response)
      signal.throwIfAborted()
      return { kind: 'answered', status, ms: statusMs, answer: text, retryAfter: responseHeaders['retry-after'] }
    } catch (error) {
      if (signal.aborted) throw error
      if (error instanceof OutgoingRequestForbiddenError) return { kind: 'forbidden', ms: ms(), reason: error.message }
      // An abort by the caller was handled above, so this error is the timeout.
      if (error instanceof Error && error.name === 'AbortError') return { kind: 'timeout', ms: ms() }
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'no connection'
      return { kind: 'broken', ms: ms(), code }
    }
  }
}

type HeadRequest = Omit<OutgoingPostRequest, 'signal'> & {
  readonly signal: AbortSignal
  readonly lookup: ReturnType<typeof createGuardedLookup>
}

function fetchHead(address: URL, { headers, body, signal, lookup }: HeadRequest): Promise<IncomingMessage> {
  return new Promise((settle, reject) => {
    const request = (address.protocol === 'https:' ? https : http).request(address, {
      method: 'POST',
      // Without `content-length` the body is sent in chunks, which some receivers cannot read.
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      // A new agent per request shares no sockets; only the global agent uses the proxy of the environment.
      agent: false,
      signal,
      lookup,
    })
    // This listener also handles errors after the response head, when no other listener is left.
    request.on('error', reject)
    request.once('response', settle)
    request.end(body)
  })
}

/** Reads up to 4 kB within two seconds, then closes the connection. If it breaks off, returns what arrived before. */
async function readFirstBytes(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  const limit = setTimeout(() => response.destroy(), BODY_TIMEOUT_MS)
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part)
      bytes += part.length
      if (bytes >= MAX_POST_RESPONSE_BYTES) break
    }
  } catch {
    // The body is incomplete, but the status of the response is valid anyway.
  } finally {
    clearTimeout(limit)
    response.destroy()
  }
  const text = new TextDecoder().decode(Buffer.concat(parts).subarray(0, MAX_POST_RESPONSE_BYTES))
  // Replace NUL, because PostgreSQL text cannot contain it.
  return text.replaceAll('\0', '�')
}
