import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { S3Settings } from '#server/documents/store/s3-settings.ts'

export type S3Fault =
  | 'error' // 500
  | 'slow-down' // 503 SlowDown
  | 'forbidden' // 403 AccessDenied
  | 'stall' // no answer
  | 'reset' // the connection is broken off before an answer
  | 'cut' // half of the body, then the connection is broken off
  | 'hang' // half of the body, then nothing
  | 'wrong' // other bytes of the same length
type Stored = { readonly content: Buffer; readonly changedAt: Date }
type ReceivedRequest = { readonly method: string; readonly key: string; readonly fault?: S3Fault | undefined }

const KEY_ID = 'local-key-id'
const SECRET = 'local/secret+of=tests'
const REGION = 'ap-southeast-7'
const BUCKET = 'papers'
/** Requests with a larger clock skew are refused, as by AWS. */
const SKEW_MS = 15 * 60_000

/**
 * A local bucket that verifies every signature from the raw request and can misbehave. Keys are listed a few at a time.
 */
export class S3Server {
  readonly files = new Map<string, Stored>()
  readonly requests: ReceivedRequest[] = []
  readonly #faults: { readonly method: string; readonly fault: S3Fault }[] = []
  readonly #server = createServer((request, reply) => {
    this.#answer(request, reply).catch(() => reply.destroy())
  })
  #port = 0
  pageSize = 2
  maxConcurrent = 0
  #concurrent = 0

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve))
    this.#port = (this.#server.address() as AddressInfo).port
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  settings(changes: Partial<S3Settings> = {}): S3Settings {
    const endpoint = `http://127.0.0.1:${this.#port}`
    return {
      ...{ endpoint, region: REGION, bucket: BUCKET, prefix: 'of/us', accessKeyId: KEY_ID, secretAccessKey: SECRET },
      ...changes,
    }
  }

  misbehave(method: string, ...faults: S3Fault[]): void {
    for (const fault of faults) this.#faults.push({ method, fault })
  }

  forget(): void {
    this.files.clear()
    this.requests.length = 0
    this.#faults.length = 0
    this.maxConcurrent = 0
  }

  async #answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    this.#concurrent += 1
    this.maxConcurrent = Math.max(this.maxConcurrent, this.#concurrent)
    reply.on('close', () => {
      this.#concurrent -= 1
    })
    const method = request.method ?? ''
    const url = new URL(request.url ?? '', 'http://x')
    const [, bucket = '', ...parts] = url.pathname.split('/')
    const key = decodeURIComponent(parts.join('/'))
    const at = this.#faults.findIndex((entry) => entry.method === method)
    const fault = at === -1 ? undefined : this.#faults.splice(at, 1)[0]!.fault
    this.requests.push({ method, key, fault })
    if (fault === 'stall') return
    if (fault === 'reset') return void request.socket.resetAndDestroy()
    if (fault === 'forbidden') return refuse(reply, 403, 'AccessDenied')
    const content = await buffer(request)
    if (fault === 'error') return refuse(reply, 500, 'InternalError')
    if (fault === 'slow-down') return refuse(reply, 503, 'SlowDown')
    const wrong = faultOfSignature(request, url, content)
    if (wrong) return refuse(reply, 403, wrong)
    if (bucket !== BUCKET) return refuse(reply, 404, 'NoSuchBucket')
    if (key === '' && url.searchParams.get('list-type') === '2') return this.#list(url.searchParams, reply)
    const file = this.files.get(key)
    switch (method) {
      case 'PUT':
        // AWS refuses request bodies of unknown length.
        if (request.headers['content-length'] === undefined) return refuse(reply, 411, 'MissingContentLength')
        return this.#put(request, { key, content }, reply)
      case 'DELETE':
        this.files.delete(key)
        return void reply.writeHead(204).end()
      case 'HEAD':
        if (!file) return void reply.writeHead(404).end()
        return void reply.writeHead(200, { 'content-length': file.content.length }).end()
      case 'GET':
        if (!file) return refuse(reply, 404, 'NoSuchKey')
        return send(reply, file.content, { range: request.headers.range, fault })
      default:
        return refuse(reply, 405, 'MethodNotAllowed')
    }
  }

  #put(request: IncomingMessage, { key, content }: { key: string; content: Buffer }, reply: ServerResponse): void {
    const from = request.headers['x-amz-copy-source']
    const source =
      typeof from === 'string' ? this.files.get(decodeURIComponent(from).split('/').slice(2).join('/')) : undefined
    if (from !== undefined && !source) refuse(reply, 404, 'NoSuchKey')
    else this.#store(key, source?.content ?? content, reply)
  }

  #store(key: string, content: Buffer, reply: ServerResponse): void {
    this.files.set(key, { content, changedAt: new Date() })
    reply.writeHead(200).end()
  }

  #list(query: URLSearchParams, reply: ServerResponse): void {
    const prefix = query.get('prefix') ?? ''
    const limit = Math.min(this.pageSize, Number(query.get('max-keys') ?? 1000))
    // Continuation tokens contain characters that XML and URLs must escape, because some servers issue such tokens.
    const after = query.get('continuation-token')?.slice('a+b&c/'.length) ?? ''
    const keys = [...this.files.keys()].filter((key) => key.startsWith(prefix) && key > after).toSorted()
    const page = keys.slice(0, limit)
    const isMore = keys.length > limit
    const contents = page.map((key) => {
      const { content, changedAt } = this.files.get(key)!
      return `<Contents><Key>${key}</Key><LastModified>${changedAt.toISOString()}</LastModified><Size>${content.length}</Size></Contents>`
    })
    const next = isMore ? `<NextContinuationToken>a+b&amp;c/${page.at(-1)}</NextContinuationToken>` : ''
    reply
      .writeHead(200, { 'content-type': 'application/xml' })
      .end(`<ListBucketResult><IsTruncated>${isMore}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`)
  }
}

function refuse(reply: ServerResponse, status: number, code: string): void {
  reply.writeHead(status).end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`)
}

function send(
  reply: ServerResponse,
  body: Buffer,
  { range, fault }: { range: string | undefined; fault: S3Fault | undefined },
): void {
  const rangeMatch = /^bytes=(\d{1,12})-(\d{1,12})$/.exec(range ?? '')
  const part = rangeMatch ? body.subarray(Number(rangeMatch[1]), Number(rangeMatch[2]) + 1) : body
  const content = fault === 'wrong' ? Buffer.from(part.map((byte) => byte ^ 1)) : part
  reply.writeHead(rangeMatch ? 206 : 200, { 'content-length': content.length })
  if (fault !== 'cut' && fault !== 'hang') return void reply.end(content)
  reply.write(content.subarray(0, Math.floor(content.length / 2)), () => {
    // Wait until the written half has been sent before the connection ends.
    if (fault === 'cut') setTimeout(() => reply.destroy(), 20)
  })
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

/**
 * Recomputes the Signature Version 4 that AWS describes from the raw request. Returns the fault, or undefined when the
 * signature is right and covers this body.
 */
function faultOfSignature(request: IncomingMessage, url: URL, content: Buffer): string | undefined {
  const { authorization = '', host = '' } = request.headers
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^/,]{1,128})\/(\d{8})\/([a-z0-9-]{1,40})\/s3\/aws4_request, SignedHeaders=([a-z0-9;-]{1,200}), Signature=([0-9a-f]{64})$/.exec(
      authorization,
    )
  if (!given) return 'AccessDenied'
  const [, id, day, region, names, signature] = given as unknown as [string, string, string, string, string, string]
  if (id !== KEY_ID) return 'InvalidAccessKeyId'
  if (region !== REGION) return 'AuthorizationHeaderMalformed'
  const header = (name: string) => String(request.headers[name] ?? '').trim()
  const signed = names.split(';')
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => signed.includes(name)) || host === '')
    return 'AccessDenied'
  const at = header('x-amz-date')
  const when = Date.parse(at.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, '$1-$2-$3:$4:$5'))
  if (!at.startsWith(day) || !(Math.abs(Date.now() - when) < SKEW_MS)) return 'RequestTimeTooSkewed'
  const query = [...url.searchParams]
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .toSorted()
    .join('&')
  const lines = [
    request.method,
    decodeURIComponent(url.pathname).split('/').map(escaped).join('/'),
    query,
    ...signed.map((name) => `${name}:${header(name)}`),
    '',
    names,
    header('x-amz-content-sha256'),
  ]
  const scope = `${day}/${region}/s3/aws4_request`
  const key = [region, 's3', 'aws4_request'].reduce(hmac, hmac(`AWS4${SECRET}`, day))
  const right = hmac(key, ['AWS4-HMAC-SHA256', at, scope, sha256(lines.join('\n'))].join('\n'))
  if (!timingSafeEqual(right, Buffer.from(signature, 'hex'))) return 'SignatureDoesNotMatch'
  return sha256(content) === header('x-amz-content-sha256') ? undefined : 'XAmzContentSHA256Mismatch'
}

const escaped = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
