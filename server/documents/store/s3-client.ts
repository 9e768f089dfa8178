import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { DocumentStoreAway } from './document-store.ts'
import type { S3Settings } from './s3-settings.ts'

/** Time limit and number of attempts, including the first. */
type Patience = { readonly limitMs: number; readonly tries: number }

/**
 * HEAD and DELETE run inside a transaction, which blocks every other query on the embedded database: 2 × 3 s at most.
 * Users wait for GET. PUT gets one extra second per half megabyte (4 Mbit/s).
 */
const PATIENCE = {
  HEAD: { limitMs: 3_000, tries: 2 },
  DELETE: { limitMs: 3_000, tries: 2 },
  GET: { limitMs: 8_000, tries: 3 },
  PUT: { limitMs: 10_000, tries: 3 },
} as const satisfies Record<string, Patience>
const SENT_BYTES_A_MS = 500
/** Delays before the second and third attempt, with 50 to 100 % jitter so that servers do not retry in lockstep. */
const WAITS_MS = [200, 1_000]
/**
 * Concurrent requests awaiting a response; further ones queue. Bodies being read do not count, because readers are
 * slow.
 */
const MOST_AT_ONCE = 16
const MOST_ERROR_BYTES = 4_096

type Method = keyof typeof PATIENCE
type Asked = {
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly file?: { readonly path: string; readonly bytes: number; readonly hash: string }
}
export type S3Client = (method: Method, key: string, asked?: Asked) => Promise<Response | undefined>

const EMPTY_HASH = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/**
 * Sends a request for `/bucket/key`, signed with AWS Signature 4. Returns undefined for a missing key. Retries after a
 * 5xx, a timeout or a broken connection, not after other errors. Rejects with `DocumentStoreAway`. `scale` shortens
 * all times in tests.
 */
export function createS3Client(settings: S3Settings, scale = 1): S3Client {
  const takeTurn = turns(MOST_AT_ONCE)
  return async (method, key, asked = {}) => {
    const { limitMs, tries } = PATIENCE[method]
    const limit = (limitMs + (asked.file?.bytes ?? 0) / SENT_BYTES_A_MS) * scale
    let failure = ''
    for (let tried = 0; tried < tries; tried += 1) {
      if (tried > 0) await sleep(WAITS_MS[tried - 1]! * scale * (0.5 + Math.random() / 2))
      const free = await takeTurn(limit)
      if (!free) throw new DocumentStoreAway(`${method}: too many wait for the store of documents`)
      try {
        const answer = await ask(settings, { method, key, asked, limit })
        if (answer.ok) return answer
        const said = await codeOf(answer)
        failure = `${answer.status} ${said}`.trim()
        // A missing key; a missing bucket is a configuration error.
        if (answer.status === 404 && said !== 'NoSuchBucket') return undefined
        if (answer.status < 500) break
      } catch (error) {
        failure = faultOf(error)
      } finally {
        free()
      }
    }
    throw new DocumentStoreAway(`${method}: ${failure}`)
  }
}

type Request = { readonly method: Method; readonly key: string; readonly asked: Asked; readonly limit: number }

async function ask(settings: S3Settings, { method, key, asked, limit }: Request): Promise<Response> {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = settings
  const { query = {}, headers = {}, file } = asked
  const url = new URL(`${endpoint}/${bucket}${key === '' ? '' : `/${key}`}`)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  const signed = await new AwsV4Signer({
    ...{ method, url: url.href, region, accessKeyId, secretAccessKey, service: 's3' },
    headers: { ...headers, 'x-amz-content-sha256': file?.hash ?? EMPTY_HASH },
  }).sign()
  // Set after signing, because proxies change it. Prevents compression, which would alter the content length.
  signed.headers.set('accept-encoding', 'identity')
  if (file) signed.headers.set('content-length', String(file.bytes))
  const content = file && createReadStream(file.path)
  const ended = new AbortController()
  const timer = setTimeout(() => ended.abort(new DOMException('no answer in time', 'TimeoutError')), limit)
  try {
    return await fetch(signed.url, {
      ...{ method, headers: signed.headers, signal: ended.signal },
      // A redirect to another region or page must not receive our signature.
      redirect: 'manual',
      ...(content && { body: Readable.toWeb(content) as ReadableStream, duplex: 'half' }),
    })
  } finally {
    // From here on the reader of the body enforces the timeout.
    clearTimeout(timer)
    content?.destroy()
  }
}

/** Returns the `<Code>` of an error response; empty if the body stalls or breaks. */
async function codeOf(answer: Response): Promise<string> {
  const parts: Buffer[] = []
  const body = answer.body ? Readable.fromWeb(answer.body as never) : undefined
  const timer = setTimeout(() => body?.destroy(), 1_000)
  try {
    let bytes = 0
    for await (const part of body ?? []) {
      parts.push(part as Buffer)
      bytes += (part as Buffer).length
      if (bytes >= MOST_ERROR_BYTES) break
    }
  } catch {
    // Fall back to the status alone.
  } finally {
    clearTimeout(timer)
  }
  return /<Code>(\w{1,60})<\/Code>/.exec(Buffer.concat(parts).toString('utf8'))?.[1] ?? ''
}

/** Returns `ECONNREFUSED` or `no answer in time`; never an address or header. */
function faultOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (cause instanceof DOMException && cause.name === 'TimeoutError') return cause.message
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' ? code : cause instanceof Error ? cause.name : 'unknown'
}

/** Semaphore: resolves to a release function, or undefined on timeout. */
function turns(most: number): (limitMs: number) => Promise<(() => void) | undefined> {
  let free = most
  const waiting = new Set<() => void>()
  const give = () => {
    free += 1
    const [next] = waiting
    next?.()
  }
  return async (limitMs) => {
    if (free === 0)
      await new Promise<void>((resolve) => {
        const go = () => {
          waiting.delete(go)
          clearTimeout(timer)
          resolve()
        }
        const timer = setTimeout(go, limitMs)
        waiting.add(go)
      })
    if (free === 0) return undefined
    free -= 1
    return give
  }
}
