import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { guardedLookup, isLocalHost, OutgoingTimeout, type Resolve } from './guard.ts'
import { assertPostAddress } from './post.ts'

/** Time limit for the whole response: a user is waiting. */
const ANSWER_MS = 8_000
/** A provider's keys and settings are about 10 kB. */
const MOST_BYTES = 256_000

export type FetchOptions = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}
/**
 * The subset of `fetch` that libraries need. Rejects with `OutgoingForbidden`, `OutgoingTimeout` or the network error.
 */
export type GuardedFetch = (address: string, options?: FetchOptions) => Promise<Response>

/**
 * `fetch` for libraries that load JSON from the internet: applies `assertPostAddress`, resolves the name once and
 * connects to that address, follows no redirects, ignores proxy variables, and allows 8 s and 256 kB at most.
 */
export function createGuardedFetch(
  options: {
    readonly isLoopbackAllowed?: boolean
    readonly resolve?: Resolve | undefined
    readonly answerMs?: number
  } = {},
): GuardedFetch {
  const { isLoopbackAllowed = false, resolve, answerMs = ANSWER_MS } = options
  return async (text, { method = 'GET', headers = {}, body, signal } = {}) => {
    const address = new URL(text)
    assertPostAddress(address, isLoopbackAllowed)
    const isLocal = isLoopbackAllowed && isLocalHost(address)
    const limit = AbortSignal.timeout(answerMs)
    try {
      const answer = await headOf(address, {
        ...{ method, headers, lookup: guardedLookup(isLocal ? 'loopback' : 'internet', resolve) },
        body: body === undefined || body === null ? undefined : String(body),
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      })
      const bytes = await allOf(answer)
      const told = Object.entries(answer.headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((one): [string, string] => [name, one]),
      )
      const status = answer.statusCode ?? 502
      return new Response(NO_BODY.includes(status) ? null : bytes, { status, headers: told })
    } catch (error) {
      if (limit.aborted) throw new OutgoingTimeout('nothing came')
      throw error
    }
  }
}

const NO_BODY = [204, 205, 304]

type Sent = {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly signal: AbortSignal
  readonly lookup: ReturnType<typeof guardedLookup>
}

function headOf(address: URL, { method, headers, body, signal, lookup }: Sent): Promise<IncomingMessage> {
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

async function allOf(answer: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of answer as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > MOST_BYTES) {
      answer.destroy()
      throw new Error('the answer is too large')
    }
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}
