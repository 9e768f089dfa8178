import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { createGuardedLookup, type HostResolver, isLocalHost, OutgoingRequestTimeoutError } from './outgoing-guard.ts'
import { assertOutgoingPostUrl } from './outgoing-post.ts'

const RESPONSE_TIMEOUT_MS = 8_000
/** Maximum size of a response, far above the 10 kB of an identity provider's keys and settings. */
const MAX_RESPONSE_BYTES = 256_000

export type GuardedFetchOptions = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}
/**
 * The subset of `fetch` that libraries need. Rejects with `OutgoingRequestForbiddenError`, `OutgoingRequestTimeoutError` or the network error.
 */
export type GuardedFetch = (address: string, options?: GuardedFetchOptions) => Promise<Response>

/**
 * Creates a `fetch` for libraries that load JSON from the internet. It applies `assertOutgoingPostUrl`, resolves the name once
 * and connects to that address, follows no redirects, ignores proxy variables, and allows 8 s and 256 kB at most.
 */
export function createGuardedFetch(
  options: {
    readonly isLoopbackAllowed?: boolean
    readonly resolve?: HostResolver | undefined
    readonly answerMs?: number
  } = {},
): GuardedFetch {
  const { isLoopbackAllowed = false, resolve, answerMs = RESPONSE_TIMEOUT_MS } = options
  return async (text, { method = 'GET', headers = {}, body, signal } = {}) => {
    const address = new URL(text)
    assertOutgoingPostUrl(address, isLoopbackAllowed)
    const isLocal = isLoopbackAllowed && isLocalHost(address)
    const limit = AbortSignal.timeout(answerMs)
    try {
      const response = await fetchHead(address, {
        ...{ method, headers, lookup: createGuardedLookup(isLocal ? 'loopback' : 'internet', resolve) },
        body: body === undefined || body === null ? undefined : String(body),
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      })
      const bytes = await readBody(response)
      const headerPairs = Object.entries(response.headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((item): [string, string] => [name, item]),
      )
      const status = response.statusCode ?? 502
      return new Response(NO_BODY.includes(status) ? null : bytes, { status, headers: headerPairs })
    } catch (error) {
      if (limit.aborted) throw new OutgoingRequestTimeoutError('nothing came')
      throw error
    }
  }
}

const NO_BODY = [204, 205, 304]

type HeadRequest = {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly signal: AbortSignal
  readonly lookup: ReturnType<typeof createGuardedLookup>
}

function fetchHead(address: URL, { method, headers, body, signal, lookup }: HeadRequest): Promise<IncomingMessage> {
  return new Promise((settle, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const request = (address.protocol === 'https:' ? https : http).request(address, {
      ...{ method, agent: false, signal, lookup },
      headers: { ...headers, ...length },
    })
    request.on('error', reject)
    request.once('response', settle)
    request.end(body)
  })
}

async function readBody(response: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > MAX_RESPONSE_BYTES) {
      response.destroy()
      throw new Error('the answer is too large')
    }
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}
