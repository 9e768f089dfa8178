import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { arrive } from './arrive.ts'
import {
  assertHash,
  type ByteRange,
  DocumentDamaged,
  type DocumentStore,
  DocumentStoreAway,
  type FileRule,
} from './document-store.ts'
import { createS3Client, type S3Client } from './s3-client.ts'
import type { S3Settings } from './s3-settings.ts'

const IDLE_MS = 10_000
const BREAKS = 3

type Options = {
  readonly folder: string
  readonly scale?: number
}

export type S3Store = DocumentStore & {
  sizeOf(hash: string): Promise<number | undefined>
  put(hash: string, file: { readonly path: string; readonly bytes: number }): Promise<void>
}

/**
 * Stores files in a bucket under `prefix/ab/abcdef…`. A file is uploaded once received completely, before any
 * transaction opens; S3 shows it whole or not at all. `keep`, called under the hash lock, checks that it still exists.
 * Unreferenced files are removed by the collector (decision 0055).
 */
export function createS3Store(settings: S3Settings, { folder, scale = 1 }: Options): S3Store {
  const client = createS3Client(settings, scale)
  const start = settings.prefix === '' ? '' : `${settings.prefix}/`
  const keyOf = (hash: string) => `${start}${assertHash(hash).slice(0, 2)}/${hash}`
  const sizeOf = async (hash: string) => {
    const answer = await client('HEAD', keyOf(hash))
    return answer && Number(answer.headers.get('content-length'))
  }
  const put = async (hash: string, file: { readonly path: string; readonly bytes: number }) => {
    const answer = await client('PUT', keyOf(hash), { file: { ...file, hash } })
    if (!answer) throw new DocumentStoreAway('PUT: 404')
    await answer.body?.cancel()
  }
  const open = async (hash: string, range?: ByteRange) => {
    const content = await Body.open(client, keyOf(hash), { range, idleMs: IDLE_MS * scale })
    if (!content) throw Object.assign(new Error('no such document'), { code: 'ENOENT' })
    const stream = Readable.from(range ? content.parts() : checked(content.parts(), hash), { objectMode: false })
    // Close the connection if the caller stops before the first byte.
    return stream.once('close', () => content.end())
  }
  return {
    sizeOf,
    put,
    async receive<Type extends string>(content: AsyncIterable<Buffer>, rule?: FileRule<Type>) {
      const { file, ...arrived } = await arrive(folder, content, rule)
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
        async keep() {
          // The last document with this hash may have been deleted since the upload.
          await putUnlessThere()
          await drop()
        },
      }
    },
    read: open,
    async withFile(hash, work) {
      const own = await mkdtemp(path.join(tmpdir(), 'tamngan-document-'))
      try {
        const file = path.join(own, 'file')
        await pipeline(await open(hash), createWriteStream(file, { mode: 0o600 }))
        return await work(file)
      } finally {
        await rm(own, { recursive: true, force: true })
      }
    },
    async remove(hash) {
      const answer = await client('DELETE', keyOf(hash))
      await answer?.body?.cancel()
    },
    async *list(before) {
      for (let from: string | undefined, isLast = false; !isLast; ) {
        const page = await listPage(client, start, from)
        from = page.next
        isLast = from === undefined
        yield page.files.flatMap(({ key, changedAt }) => {
          const [part = '', hash = '', ...more] = key.slice(start.length).split('/')
          const isOurs = more.length === 0 && /^[0-9a-f]{64}$/.test(hash) && hash.startsWith(part) && part.length === 2
          return isOurs && changedAt < before.getTime() ? [hash] : []
        })
      }
    },
    async probe() {
      const answer = await client('GET', '', { query: { 'list-type': '2', prefix: start, 'max-keys': '1' } })
      if (!answer) throw new DocumentStoreAway('GET: 404')
      await answer.body?.cancel()
    },
  }
}

type Page = {
  readonly files: readonly { readonly key: string; readonly changedAt: number }[]
  readonly next: string | undefined
}

/** Lists up to a thousand keys. Our keys contain no characters that XML escapes. */
async function listPage(client: S3Client, prefix: string, from: string | undefined): Promise<Page> {
  const answer = await client('GET', '', {
    query: { 'list-type': '2', prefix, ...(from !== undefined && { 'continuation-token': from }) },
  })
  if (!answer) throw new DocumentStoreAway('GET: 404')
  const xml = await answer.text().catch(() => {
    throw new DocumentStoreAway('GET: the list broke off')
  })
  if (!xml.includes('</ListBucketResult>')) throw new DocumentStoreAway('GET: the list is none')
  const files = xml
    .split('<Contents>')
    .slice(1)
    .map((part) => ({ key: between(part, 'Key') ?? '', changedAt: Date.parse(between(part, 'LastModified') ?? '') }))
  const next = between(xml, 'NextContinuationToken')
  const isMore = between(xml, 'IsTruncated') === 'true'
  if (isMore && next === undefined) throw new DocumentStoreAway('GET: the list names no next page')
  return { files, next: isMore ? unescaped(next!) : undefined }
}

function between(xml: string, name: string): string | undefined {
  const from = xml.indexOf(`<${name}>`)
  const to = xml.indexOf(`</${name}>`, from)
  return from === -1 || to === -1 ? undefined : xml.slice(from + name.length + 2, to)
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#34': '"' }
const unescaped = (text: string) => text.replace(/&(amp|lt|gt|quot|apos|#34);/g, (_, name: string) => ENTITIES[name]!)

/** A response body that resumes at its offset after a broken connection. */
class Body {
  readonly #client: S3Client
  readonly #key: string
  readonly #idleMs: number
  readonly #to: number
  #at: number
  #answer: Response

  constructor(client: S3Client, key: string, first: Response, at: { from: number; to: number; idleMs: number }) {
    this.#client = client
    this.#key = key
    this.#answer = first
    this.#at = at.from
    this.#to = at.to
    this.#idleMs = at.idleMs
  }

  /** Returns undefined if the key does not exist. */
  static async open(
    client: S3Client,
    key: string,
    { range, idleMs }: { readonly range: ByteRange | undefined; readonly idleMs: number },
  ): Promise<Body | undefined> {
    const first = await client('GET', key, range && { headers: { range: `bytes=${range.from}-${range.to}` } })
    if (!first) return undefined
    const bytes = Number(first.headers.get('content-length'))
    const to = range?.to ?? bytes - 1
    const from = range?.from ?? 0
    if (bytes !== to - from + 1 || (range && first.status !== 206)) {
      await first.body?.cancel()
      throw new DocumentStoreAway(`GET: ${bytes} bytes instead of ${to - from + 1}`)
    }
    return new Body(client, key, first, { from, to, idleMs })
  }

  end(): void {
    this.#answer.body?.cancel().catch(() => undefined)
  }

  /** Yields exactly the requested bytes, or throws. */
  async *parts(): AsyncGenerator<Buffer> {
    for (let breaks = 0; this.#at <= this.#to; breaks += 1) {
      if (breaks > 0) {
        if (breaks > BREAKS) throw new DocumentStoreAway('GET: the file broke off')
        const headers = { range: `bytes=${this.#at}-${this.#to}` }
        const next = await this.#client('GET', this.#key, { headers })
        if (next?.status !== 206) throw new DocumentStoreAway('GET: the file broke off')
        this.#answer = next
      }
      const reader = this.#answer.body!.getReader()
      try {
        for (let part = await this.#next(reader); part; part = await this.#next(reader)) {
          this.#at += part.length
          if (this.#at > this.#to + 1) throw new DocumentStoreAway('GET: more came than was asked for')
          yield part
        }
      } finally {
        // Close the connection when the consumer stops early.
        await reader.cancel().catch(() => undefined)
      }
    }
  }

  /** Returns undefined at the end, after a break and on an idle timeout. */
  async #next(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Buffer | undefined> {
    let timer: NodeJS.Timeout | undefined
    const idle = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), this.#idleMs)
    })
    try {
      const read = reader.read().then(
        ({ value }) => value && Buffer.from(value.buffer, value.byteOffset, value.byteLength),
        () => undefined,
      )
      return await Promise.race([read, idle])
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Withholds the last chunk until the hash is verified, so a corrupt file never arrives complete. */
async function* checked(parts: AsyncIterable<Buffer>, hash: string): AsyncGenerator<Buffer> {
  const sum = createHash('sha256')
  let last: Buffer | undefined
  for await (const part of parts) {
    sum.update(part)
    if (last) yield last
    last = part
  }
  if (sum.digest('hex') !== hash) throw new DocumentDamaged('other bytes than were stored')
  if (last) yield last
}
