import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  assertSha256Hash,
  type ByteRange,
  DocumentDamagedError,
  type DocumentStore,
  DocumentStoreUnavailableError,
  type UploadRule,
} from './document-store.ts'
import { createS3Client, type S3Client } from './s3-client.ts'
import type { S3Settings } from './s3-settings.ts'
import { writeUploadToTempFile } from './write-upload-to-temp-file.ts'

const IDLE_TIMEOUT_MS = 10_000
const MAX_BREAKS = 3

type S3StoreOptions = {
  readonly folder: string
  readonly scale?: number
}

export type S3DocumentStore = DocumentStore & {
  sizeOf(hash: string): Promise<number | undefined>
  put(hash: string, file: { readonly path: string; readonly bytes: number }): Promise<void>
}

/**
 * Stores files in a bucket under `prefix/ab/abcdef…`. A file is uploaded after it was received completely and before
 * any transaction opens; S3 exposes either the whole file or nothing. `persist`, called under the hash lock, checks that
 * the file still exists. The collector removes unreferenced files (decision 0055).
 */
export function createS3DocumentStore(settings: S3Settings, { folder, scale = 1 }: S3StoreOptions): S3DocumentStore {
  const client = createS3Client(settings, scale)
  const start = settings.prefix === '' ? '' : `${settings.prefix}/`
  const keyOf = (hash: string) => `${start}${assertSha256Hash(hash).slice(0, 2)}/${hash}`
  const sizeOf = async (hash: string) => {
    const response = await client('HEAD', keyOf(hash))
    return response && Number(response.headers.get('content-length'))
  }
  const put = async (hash: string, file: { readonly path: string; readonly bytes: number }) => {
    const response = await client('PUT', keyOf(hash), { file: { ...file, hash } })
    if (!response) throw new DocumentStoreUnavailableError('PUT: 404')
    await response.body?.cancel()
  }
  const open = async (hash: string, range?: ByteRange) => {
    const content = await ResumableBody.open(client, keyOf(hash), { range, idleMs: IDLE_TIMEOUT_MS * scale })
    if (!content) throw Object.assign(new Error('no such document'), { code: 'ENOENT' })
    const stream = Readable.from(range ? content.parts() : verifyHash(content.parts(), hash), { objectMode: false })
    return stream.once('close', () => content.end())
  }
  return {
    sizeOf,
    put,
    async receive<Type extends string>(content: AsyncIterable<Buffer>, rule?: UploadRule<Type>) {
      const { file, ...arrived } = await writeUploadToTempFile(folder, content, rule)
      const { hash, bytes, drop } = arrived
      const putUnlessThere = async () => {
        if ((await sizeOf(hash)) !== bytes) await put(hash, { path: file, bytes })
      }
      try {
        await putUnlessThere()
      } catch (error) {
        await drop()
        throw error
      }
      return {
        ...arrived,
        async persist() {
          // Since the upload, the last document with this hash may have been deleted together with the file.
          await putUnlessThere()
          await drop()
        },
      }
    },
    read: open,
    async withFile(hash, work) {
      const temporaryFolder = await mkdtemp(path.join(tmpdir(), 'tamngan-document-'))
      try {
        const file = path.join(temporaryFolder, 'file')
        await pipeline(await open(hash), createWriteStream(file, { mode: 0o600 }))
        return await work(file)
      } finally {
        await rm(temporaryFolder, { recursive: true, force: true })
      }
    },
    async remove(hash) {
      const response = await client('DELETE', keyOf(hash))
      await response?.body?.cancel()
    },
    async *list(before) {
      for (let from: string | undefined, isLast = false; !isLast; ) {
        const page = await listPage(client, start, from)
        from = page.next
        isLast = from === undefined
        yield page.files.flatMap(({ key, changedAt }) => {
          const [subfolder = '', hash = '', ...furtherParts] = key.slice(start.length).split('/')
          const isOurs =
            furtherParts.length === 0 &&
            /^[0-9a-f]{64}$/.test(hash) &&
            hash.startsWith(subfolder) &&
            subfolder.length === 2
          return isOurs && changedAt < before.getTime() ? [hash] : []
        })
      }
    },
    async probe() {
      const response = await client('GET', '', { query: { 'list-type': '2', prefix: start, 'max-keys': '1' } })
      if (!response) throw new DocumentStoreUnavailableError('GET: 404')
      await response.body?.cancel()
    },
  }
}

type Page = {
  readonly files: readonly { readonly key: string; readonly changedAt: number }[]
  readonly next: string | undefined
}

/**
 * Lists up to a thousand keys. Parses them without unescaping, because our keys contain no characters that XML escapes.
 */
async function listPage(client: S3Client, prefix: string, from: string | undefined): Promise<Page> {
  const response = await client('GET', '', {
    query: { 'list-type': '2', prefix, ...(from !== undefined && { 'continuation-token': from }) },
  })
  if (!response) throw new DocumentStoreUnavailableError('GET: 404')
  const xml = await response.text().catch(() => {
    throw new DocumentStoreUnavailableError('GET: the listing was cut off')
  })
  if (!xml.includes('</ListBucketResult>'))
    throw new DocumentStoreUnavailableError('GET: the response is not a listing')
  const files = xml
    .split('<Contents>')
    .slice(1)
    .map((entry) => ({
      key: textBetween(entry, 'Key') ?? '',
      changedAt: Date.parse(textBetween(entry, 'LastModified') ?? ''),
    }))
  const nextToken = textBetween(xml, 'NextContinuationToken')
  const isMore = textBetween(xml, 'IsTruncated') === 'true'
  if (isMore && nextToken === undefined)
    throw new DocumentStoreUnavailableError('GET: the listing has no continuation token')
  return { files, next: isMore ? unescaped(nextToken!) : undefined }
}

function textBetween(xml: string, name: string): string | undefined {
  const from = xml.indexOf(`<${name}>`)
  const to = xml.indexOf(`</${name}>`, from)
  return from === -1 || to === -1 ? undefined : xml.slice(from + name.length + 2, to)
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#34': '"' }
const unescaped = (text: string) => text.replace(/&(amp|lt|gt|quot|apos|#34);/g, (_, name: string) => ENTITIES[name]!)

class ResumableBody {
  readonly #client: S3Client
  readonly #key: string
  readonly #idleMs: number
  readonly #to: number
  #at: number
  #answer: Response

  constructor(client: S3Client, key: string, response: Response, at: { from: number; to: number; idleMs: number }) {
    this.#client = client
    this.#key = key
    this.#answer = response
    this.#at = at.from
    this.#to = at.to
    this.#idleMs = at.idleMs
  }

  static async open(
    client: S3Client,
    key: string,
    { range, idleMs }: { readonly range: ByteRange | undefined; readonly idleMs: number },
  ): Promise<ResumableBody | undefined> {
    const response = await client('GET', key, range && { headers: { range: `bytes=${range.from}-${range.to}` } })
    if (!response) return undefined
    const bytes = Number(response.headers.get('content-length'))
    const to = range?.to ?? bytes - 1
    const from = range?.from ?? 0
    if (bytes !== to - from + 1 || (range && response.status !== 206)) {
      await response.body?.cancel()
      throw new DocumentStoreUnavailableError(`GET: received ${bytes} bytes instead of ${to - from + 1}`)
    }
    return new ResumableBody(client, key, response, { from, to, idleMs })
  }

  end(): void {
    this.#answer.body?.cancel().catch(() => undefined)
  }

  async *parts(): AsyncGenerator<Buffer> {
    for (let breaks = 0; this.#at <= this.#to; breaks += 1) {
      if (breaks > 0) {
        if (breaks > MAX_BREAKS) throw new DocumentStoreUnavailableError('GET: the download was cut off')
        const headers = { range: `bytes=${this.#at}-${this.#to}` }
        const resumed = await this.#client('GET', this.#key, { headers })
        if (resumed?.status !== 206) throw new DocumentStoreUnavailableError('GET: the download was cut off')
        this.#answer = resumed
      }
      const reader = this.#answer.body!.getReader()
      try {
        for (let chunk = await this.#next(reader); chunk; chunk = await this.#next(reader)) {
          this.#at += chunk.length
          if (this.#at > this.#to + 1)
            throw new DocumentStoreUnavailableError('GET: received more bytes than requested')
          yield chunk
        }
      } finally {
        await reader.cancel().catch(() => undefined)
      }
    }
  }

  async #next(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Buffer | undefined> {
    let timer: NodeJS.Timeout | undefined
    const idle = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), this.#idleMs)
    })
    try {
      const chunk = reader.read().then(
        ({ value }) => value && Buffer.from(value.buffer, value.byteOffset, value.byteLength),
        () => undefined,
      )
      return await Promise.race([chunk, idle])
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Withholds the last chunk until the hash is verified, so a corrupt file is never delivered completely. */
async function* verifyHash(chunks: AsyncIterable<Buffer>, hash: string): AsyncGenerator<Buffer> {
  const sum = createHash('sha256')
  let withheld: Buffer | undefined
  for await (const chunk of chunks) {
    sum.update(chunk)
    if (withheld) yield withheld
    withheld = chunk
  }
  if (sum.digest('hex') !== hash) throw new DocumentDamagedError('the bytes differ from those that were stored')
  if (withheld) yield withheld
}
