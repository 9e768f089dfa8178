import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type S3Fault, S3Server } from '../../../test/server/s3-server.ts'
import { DocumentDamagedError, DocumentStoreUnavailableError } from './document-store.ts'
import { createS3DocumentStore } from './s3-document-store.ts'
import type { S3Settings } from './s3-settings.ts'

/** The file is so large that half of it exceeds the connection buffers. */
const pdf = Buffer.concat([Buffer.from('%PDF-1.4'), randomBytes(400_000)])
const hash = createHash('sha256').update(pdf).digest('hex')
const key = `of/us/${hash.slice(0, 2)}/${hash}`

describe('documents in a faulty bucket', () => {
  const server = new S3Server()
  let folder: string
  const storeOf = (changes: Partial<S3Settings> = {}) =>
    createS3DocumentStore(server.settings(changes), { folder, scale: 0.05 })
  const requestedMethods = () => server.requests.map(({ method }) => method)
  const receive = () => storeOf().receive(once())
  async function* once(): AsyncGenerator<Buffer> {
    yield pdf
  }

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tamngan-bucket-'))
    await server.start()
  })
  afterAll(async () => {
    await server.close()
    await rm(folder, { recursive: true })
  })
  beforeEach(() => server.forget())
  const put = () => server.files.set(key, { content: pdf, changedAt: new Date(0) })

  test('uploads a file once, before it is kept, and skips it when the bucket already has it', async () => {
    const file = await receive()
    expect([requestedMethods(), [...server.files.keys()]]).toEqual([['HEAD', 'PUT'], [key]])
    await file.persist()
    await (await receive()).persist()
    expect(requestedMethods().filter((method) => method === 'PUT')).toEqual(['PUT'])
  })

  test.each<[string, S3Fault[]]>([
    ['an error', ['error']],
    ['too much to do, twice', ['slow-down', 'slow-down']],
    ['a broken connection', ['reset']],
    ['silence', ['stall']],
  ])('retries after %s, for uploads and downloads', async (_, faults) => {
    server.misbehave('PUT', ...faults)
    await (await receive()).persist()
    expect(server.files.get(key)?.content).toEqual(pdf)
    server.misbehave('GET', ...faults)
    expect(await buffer(await storeOf().read(hash))).toEqual(pdf)
  })

  test('does not retry a refusal and leaks no secret in the message', async () => {
    put()
    server.misbehave('GET', 'forbidden')
    const read = storeOf().read(hash)
    await expect(read).rejects.toThrow(DocumentStoreUnavailableError)
    await expect(read).rejects.toThrow('GET: 403 AccessDenied')
    expect(requestedMethods()).toEqual(['GET'])
  })

  test('leaves no partial file on either side when every upload attempt fails', async () => {
    server.misbehave('PUT', 'reset', 'error', 'stall')
    await expect(receive()).rejects.toThrow(DocumentStoreUnavailableError)
    expect([server.files.size, await readdir(path.join(folder, 'arriving'))]).toEqual([0, []])
  })

  test.each<S3Fault>(['cut', 'hang'])('resumes a body that ends early (%s)', async (fault) => {
    put()
    server.misbehave('GET', fault, fault)
    expect(await buffer(await storeOf().read(hash))).toEqual(pdf)
    server.misbehave('GET', fault)
    expect(await buffer(await storeOf().read(hash, { from: 7, to: 300_000 }))).toEqual(pdf.subarray(7, 300_001))
  })

  test('throws DocumentStoreUnavailableError when the body keeps breaking off', async () => {
    put()
    server.misbehave('GET', 'cut', 'cut', 'cut', 'cut', 'cut')
    await expect(buffer(await storeOf().read(hash))).rejects.toThrow(DocumentStoreUnavailableError)
    server.forget()
    put()
    server.misbehave('GET', 'cut', 'cut', 'cut', 'cut', 'cut')
    await expect(storeOf().withFile(hash, async () => 1)).rejects.toThrow(DocumentStoreUnavailableError)
  })

  test('never returns a complete file when the bytes differ from those stored', async () => {
    put()
    server.misbehave('GET', 'wrong', 'wrong')
    const got: Buffer[] = []
    const read = async () => {
      for await (const part of await storeOf().read(hash)) got.push(part)
    }
    await expect(read()).rejects.toThrow(DocumentDamagedError)
    expect(Buffer.concat(got).length).toBeLessThan(pdf.length)
    await expect(storeOf().withFile(hash, async () => 1)).rejects.toThrow(DocumentDamagedError)
  })

  test.each([
    ['a wrong secret', { secretAccessKey: 'another' }, '403 SignatureDoesNotMatch'],
    ['a wrong key', { accessKeyId: 'another' }, '403 InvalidAccessKeyId'],
    ['another region', { region: 'us-east-1' }, '403 AuthorizationHeaderMalformed'],
    ['no such bucket', { bucket: 'nobodys' }, '404 NoSuchBucket'],
    ['nobody who listens', { endpoint: 'http://127.0.0.1:2' }, 'GET: ECONNREFUSED'],
  ])('%s: throws DocumentStoreUnavailableError instead of reporting a missing file', async (_, changes, message) => {
    const store = storeOf(changes)
    for (const call of [() => store.probe!(), () => store.read(hash)]) {
      const failed = call()
      await expect(failed).rejects.toThrow(DocumentStoreUnavailableError)
      await expect(failed).rejects.toThrow(message)
    }
    await expect(store.receive(once())).rejects.toThrow(DocumentStoreUnavailableError)
  })

  test('signs every request correctly, with and without a prefix or a continuation token', async () => {
    for (const prefix of ['', 'one', 'one/two-3_x.y']) {
      server.forget()
      const store = storeOf({ prefix })
      await (await store.receive(once())).persist()
      for (const n of ['aa', 'bb', 'cc']) server.files.set(`${n}-not-ours`, { content: pdf, changedAt: new Date(0) })
      const all: string[] = []
      for await (const page of store.list(new Date(Date.now() + 60_000))) all.push(...page)
      expect(all).toEqual([hash])
      await store.probe!()
      await store.remove(hash)
      expect(server.files.size).toBe(3)
    }
  })

  test('throws when a listing breaks off instead of returning a partial list', async () => {
    put()
    server.misbehave('GET', 'reset', 'reset', 'reset')
    const list = async () => {
      for await (const _ of storeOf().list(new Date()));
    }
    await expect(list()).rejects.toThrow(DocumentStoreUnavailableError)
  })

  test('sends at most sixteen requests at once and queues the rest', async () => {
    const store = createS3DocumentStore(server.settings(), { folder })
    await Promise.all(Array.from({ length: 100 }, () => store.sizeOf(hash)))
    expect(server.maxConcurrent).toBeLessThanOrEqual(16)
    expect(server.requests.length).toBe(100)
  })
})
