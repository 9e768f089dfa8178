import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { assertOutside, guardedLookup, isLocalHost, OutgoingForbidden, type Resolve } from './guard.ts'

/** Of an answer so many bytes are read; the rest is cut off. */
export const MOST_ANSWER_BYTES = 4_096
/** Whoever does not begin to answer in this time has not answered. */
const ANSWER_MS = 15_000
/** Time limit of the body, ms. The status has arrived by then, and the body only explains it. */
const WORDS_MS = 2_000
/** Below it lie mail, shells and the like, which a request must not speak to; 443 is https. */
const LOWEST_FREE_PORT = 1_024

/** What became of a request. `ms`: whole milliseconds until it was known. */
export type Posted =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly ms: number
      /** The first bytes as text; what is no text is replaced. */
      readonly answer: string
      readonly retryAfter: string | undefined
    }
  /** A rule of ours: nothing was sent. `reason` in words for people. */
  | { readonly kind: 'forbidden'; readonly ms: number; readonly reason: string }
  /** No answer in time. */
  | { readonly kind: 'timeout'; readonly ms: number }
  /** The line, the name or the certificate: a code such as ECONNREFUSED, never a message. */
  | { readonly kind: 'broken'; readonly ms: number; readonly code: string }

export type PostRequest = {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
  readonly signal: AbortSignal
}
/** Rejects only when the signal ends it. */
export type OutgoingPost = (address: URL, request: PostRequest) => Promise<Posted>

/**
 * Throws OutgoingForbidden, in words for whoever typed it, for an address that requests of customers may not go to: https to the internet, at port 443 or one
 * above 1023, without a user in it. `isLoopbackAllowed`: on a developer's machine its own addresses too, also by http.
 */
export function assertPostAddress(address: URL, isLoopbackAllowed: boolean): void {
  if (isLoopbackAllowed && isLocalHost(address) && /^https?:$/.test(address.protocol)) return
  assertOutside(address)
  if (isLocalHost(address)) throw new OutgoingForbidden(`${address.hostname} เป็นที่อยู่ภายในเครือข่าย`)
  if (address.port !== '' && Number(address.port) < LOWEST_FREE_PORT)
    throw new OutgoingForbidden(`ใช้พอร์ต ${address.port} ไม่ได้ ใช้ 443 หรือตั้งแต่ ${LOWEST_FREE_PORT} ขึ้นไป`)
}

/**
 * POST to an address that a customer named: looked up once and sent to what was found there, no redirect followed, no proxy of the environment, a connection
 * of its own, and never more than the first 4 kB of what comes back.
 */
export function createPost(
  options: {
    readonly isLoopbackAllowed?: boolean
    /** Tests: how names are looked up, and how long is waited. */
    readonly resolve?: Resolve | undefined
    readonly answerMs?: number
  } = {},
): OutgoingPost {
  const { isLoopbackAllowed = false, resolve, answerMs = ANSWER_MS } = options
  return async (address, { headers, body, signal }) => {
    const startedAt = performance.now()
    const ms = () => Math.round(performance.now() - startedAt)
    try {
      assertPostAddress(address, isLoopbackAllowed)
      const isLocal = isLoopbackAllowed && isLocalHost(address)
      const lookup = guardedLookup(isLocal ? 'loopback' : 'internet', resolve)
      const limit = AbortSignal.any([signal, AbortSignal.timeout(answerMs)])
      const answer = await headOf(address, { headers, body, signal: limit, lookup })
      const { statusCode: status = 0, headers: got } = answer
      const known = ms()
      const words = await firstBytes(answer)
      signal.throwIfAborted()
      return { kind: 'answered', status, ms: known, answer: words, retryAfter: got['retry-after'] }
    } catch (error) {
      if (signal.aborted) throw error
      if (error instanceof OutgoingForbidden) return { kind: 'forbidden', ms: ms(), reason: error.message }
      // Of the two signals only that of the time is left.
      if (error instanceof Error && error.name === 'AbortError') return { kind: 'timeout', ms: ms() }
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'no connection'
      return { kind: 'broken', ms: ms(), code }
    }
  }
}

type Sent = Omit<PostRequest, 'signal'> & {
  readonly signal: AbortSignal
  readonly lookup: ReturnType<typeof guardedLookup>
}

function headOf(address: URL, { headers, body, signal, lookup }: Sent): Promise<IncomingMessage> {
  return new Promise((settle, reject) => {
    const request = (address.protocol === 'https:' ? https : http).request(address, {
      method: 'POST',
      // Without it the body goes in chunks, which some receivers cannot read.
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      // A new one for each: nothing is shared with other requests, and the environment's proxy is that of the common one alone.
      agent: false,
      signal,
      lookup,
    })
    // Also what comes after the head, when whoever reads it is gone already.
    request.on('error', reject)
    request.once('response', settle)
    request.end(body)
  })
}

/** What is there in two seconds, four kilobytes at most; then the connection ends. What breaks off in the middle is what came before. */
async function firstBytes(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  const limit = setTimeout(() => answer.destroy(), WORDS_MS)
  try {
    for await (const part of answer as AsyncIterable<Buffer>) {
      parts.push(part)
      bytes += part.length
      if (bytes >= MOST_ANSWER_BYTES) break
    }
  } catch {
    // The status stands.
  } finally {
    clearTimeout(limit)
    answer.destroy()
  }
  const text = new TextDecoder().decode(Buffer.concat(parts).subarray(0, MOST_ANSWER_BYTES))
  // The database keeps no text with a zero in it.
  return text.replaceAll('\0', '�')
}
