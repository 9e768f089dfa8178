import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makePdf } from '../../../test/make-pdf.ts'
import { S3Server } from '../../../test/server/s3-server.ts'
import { DocumentRejectedError, type DocumentStore } from './document-store.ts'
import { createFolderDocumentStore } from './folder-store.ts'
import { createS3DocumentStore } from './s3-document-store.ts'

const server = new S3Server()
beforeAll(() => server.start())
afterAll(() => server.close())

const pdf = makePdf([['ประกาศ']])
const hash = createHash('sha256').update(pdf).digest('hex')
const LATER = new Date(Date.now() + 60_000)

async function* parts(content: Buffer, size = 1000): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size)
}

describe.each(['in a folder', 'in a bucket'])('a store of documents %s', (where) => {
  let folder: string
  let store: DocumentStore
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tamngan-store-'))
    server.forget()
    store =
      where === 'in a folder' ? createFolderDocumentStore(folder) : createS3DocumentStore(server.settings(), { folder })
  })
  afterEach(() => rm(folder, { recursive: true }))

  async function listed(before = LATER): Promise<string[]> {
    const all: string[] = []
    for await (const hashes of store.list(before)) all.push(...hashes)
    return all
  }
  const arriving = () => readdir(path.join(folder, 'arriving')).catch(() => [])

  test('stores a file under its SHA-256 and a duplicate only once', async () => {
    for (let time = 0; time < 2; time += 1) {
      const file = await store.receive(parts(pdf, 3))
      expect(file).toMatchObject({ hash, bytes: pdf.length, type: 'pdf' })
      await file.persist()
      await file.drop()
    }
    expect(await listed()).toEqual([hash])
    expect(await arriving()).toEqual([])
  })

  test('reads a file whole, by range and as a local file, and can remove it twice', async () => {
    await (await store.receive(parts(pdf))).persist()
    expect(await buffer(await store.read(hash))).toEqual(pdf)
    expect(await buffer(await store.read(hash, { from: 1, to: 4 }))).toEqual(pdf.subarray(1, 5))
    const end = pdf.length - 1
    expect(await buffer(await store.read(hash, { from: end, to: end }))).toEqual(pdf.subarray(end))
    expect(await store.withFile(hash, (file) => readFile(file))).toEqual(pdf)
    await store.remove(hash)
    await store.remove(hash)
    await expect(store.read(hash)).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(store.read(hash, { from: 0, to: 1 })).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(store.withFile(hash, async () => 1)).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await listed()).toEqual([])
  })

  test('withFile rethrows an error of its callback and leaves no temporary file', async () => {
    await (await store.receive(parts(pdf))).persist()
    let at = ''
    const failed = store.withFile(hash, async (file) => {
      at = file
      throw new Error('unreadable')
    })
    await expect(failed).rejects.toThrow('unreadable')
    if (where === 'in a bucket') await expect(readFile(at)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('keeps a file whose last document was removed while it was arriving again', async () => {
    const first = await store.receive(parts(pdf))
    const second = await store.receive(parts(pdf))
    await first.persist()
    await store.remove(hash)
    await second.persist()
    expect(await buffer(await store.read(hash))).toEqual(pdf)
  })

  test.each([
    ['not_a_document', Buffer.from('<html>%PDF-1.4</html>')],
    ['empty', Buffer.alloc(0)],
    ['too_large', Buffer.concat([Buffer.from('%PDF'), Buffer.alloc(50 * 1024 * 1024)])],
  ])('R62: a refused file (%s) leaves nothing behind', async (reason, content) => {
    const refused = store.receive(parts(content, 1024 * 1024))
    await expect(refused).rejects.toThrow(DocumentRejectedError)
    await expect(refused).rejects.toMatchObject({ reason })
    expect([await listed(), await arriving(), server.files.size]).toEqual([[], [], 0])
  })

  test('a broken connection leaves nothing behind', async () => {
    async function* broken(): AsyncGenerator<Buffer> {
      yield pdf
      throw new Error('gone')
    }
    await expect(store.receive(broken())).rejects.toThrow('gone')
    expect([await listed(), await arriving(), server.files.size]).toEqual([[], [], 0])
  })

  test('lists all files across pages, but none newer than the given time', async () => {
    const hashes: string[] = []
    for (let n = 0; n < 5; n += 1) {
      const file = await store.receive(parts(Buffer.concat([pdf, Buffer.from(`${n}`)])))
      await file.persist()
      hashes.push(file.hash)
    }
    expect((await listed()).toSorted()).toEqual(hashes.toSorted())
    expect(await listed(new Date(0))).toEqual([])
  })

  test('R62: accepts only a hash as a file name', async () => {
    await expect((async () => store.read('../../etc/passwd'))()).rejects.toThrow('SHA-256')
    await expect((async () => store.remove(`${hash}/..`))()).rejects.toThrow('SHA-256')
  })
})
