import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { DocumentStoreUnavailableError } from './document-store.ts'
import type { S3Settings } from './s3-settings.ts'

type RetryPolicy = { readonly limitMs: number; readonly attempts: number }

/**
 * HEAD and DELETE run inside a transaction, which blocks every other query on the embedded database, so HEAD and DELETE
 * take 2 × 3 s at most. Users wait for GET. PUT gets one extra second per half megabyte (4 Mbit/s).
 */
const RETRY_POLICIES = {
  HEAD: { limitMs: 3_000, attempts: 2 },
  DELETE: { limitMs: 3_000, attempts: 2 },
  GET: { limitMs: 8_000, attempts: 3 },
  PUT: { limitMs: 10_000, attempts: 3 },
} as const satisfies Record<string, RetryPolicy>
const SENT_BYTES_PER_MS = 500
/** Delays before the second and third attempt, with 50 to 100 % jitter so that servers do not retry in lockstep. */
const RETRY_DELAYS_MS = [200, 1_000]
/**
 * Maximum requests awaiting a response; further ones queue. Responses being read do not count, because readers are
 * slow.
 */
const MAX_CONCURRENT_REQUESTS = 16
const MAX_ERROR_BYTES = 4_096

type Method = keyof typeof RETRY_POLICIES
type RequestOptions = {
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly file?: { readonly path: string; readonly bytes: number; readonly hash: string }
}
export type S3Client = (method: Method, key: string, options?: RequestOptions) => Promise<Response | undefined>

const EMPTY_HASH = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/**
 * Returns a function that sends a request for `/bucket/key`, signed with AWS Signature 4. It returns undefined for a
 * missing key. It retries after a 5xx, a timeout or a broken connection, not after other errors, and rejects with
 * `DocumentStoreUnavailableError`. `scale` shortens all times in tests.
 */
export function createS3Client(settings: S3Settings, scale = 1): S3Client {
  const takeTurn = createSemaphore(MAX_CONCURRENT_REQUESTS)
  return async (method, key, options = {}) => {
    const { limitMs, attempts } = RETRY_POLICIES[method]
    const limit = (limitMs + (options.file?.bytes ?? 0) / SENT_BYTES_PER_MS) * scale
    let failure = ''
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      if (attempt > 0) await sleep(RETRY_DELAYS_MS[attempt - 1]! * scale * (0.5 + Math.random() / 2))
      const release = await takeTurn(limit)
      if (!release)
        throw new DocumentStoreUnavailableError(`${method}: too many requests are waiting for the document store`)
      try {
        const response = await sendRequest(settings, { method, key, options, limit })
        if (response.ok) return response
        const errorCode = await readErrorCode(response)
        failure = `${response.status} ${errorCode}`.trim()
        // The key is missing. A missing bucket is a configuration error instead, so it is not handled here.
        if (response.status === 404 && errorCode !== 'NoSuchBucket') return undefined
        if (response.status < 500) break
      } catch (error) {
        failure = describeFault(error)
      } finally {
        release()
      }
    }
    throw new DocumentStoreUnavailableError(`${method}: ${failure}`)
  }
}

type S3Request = {
  readonly method: Method
  readonly key: string
  readonly options: RequestOptions
  readonly limit: number
}

async function sendRequest(settings: S3Settings, { method, key, options, limit }: S3Request): Promise<Response> {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = settings
  const { query = {}, headers = {}, file } = options
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
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(new DOMException('no answer in time', 'TimeoutError')), limit)
  try {
    return await fetch(signed.url, {
      ...{ method, headers: signed.headers, signal: timeout.signal },
      // A redirect to another region or page must not receive our signature.
      redirect: 'manual',
      ...(content && { body: Readable.toWeb(content) as ReadableStream, duplex: 'half' }),
    })
  } finally {
    // From here on the code that reads the body enforces the timeout.
    clearTimeout(timer)
    content?.destroy()
  }
}

async function readErrorCode(response: Response): Promise<string> {
  const chunks: Buffer[] = []
  const body = response.body ? Readable.fromWeb(response.body as never) : undefined
  const timer = setTimeout(() => body?.destroy(), 1_000)
  try {
    let bytes = 0
    for await (const chunk of body ?? []) {
      chunks.push(chunk as Buffer)
      bytes += (chunk as Buffer).length
      if (bytes >= MAX_ERROR_BYTES) break
    }
  } catch {
    // The body is incomplete, so fall back to the status alone.
  } finally {
    clearTimeout(timer)
  }
  return /<Code>(\w{1,60})<\/Code>/.exec(Buffer.concat(chunks).toString('utf8'))?.[1] ?? ''
}

/** Returns a short cause such as `ECONNREFUSED` or `no answer in time`; never an address or header. */
function describeFault(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (cause instanceof DOMException && cause.name === 'TimeoutError') return cause.message
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' ? code : cause instanceof Error ? cause.name : 'unknown'
}

function createSemaphore(permits: number): (limitMs: number) => Promise<(() => void) | undefined> {
  let available = permits
  const waiting = new Set<() => void>()
  const release = () => {
    available += 1
    const [nextWaiter] = waiting
    nextWaiter?.()
  }
  return async (limitMs) => {
    if (available === 0)
      await new Promise<void>((resolve) => {
        const proceed = () => {
          waiting.delete(proceed)
          clearTimeout(timer)
          resolve()
        }
        const timer = setTimeout(proceed, limitMs)
        waiting.add(proceed)
      })
    if (available === 0) return undefined
    available -= 1
    return release
  }
}
