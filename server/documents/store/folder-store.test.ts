import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makePdf } from '../../../test/make-pdf.ts'
import { DocumentRejectedError, type DocumentStore } from './document-store.ts'
import { createFolderDocumentStore } from './folder-store.ts'

describe('the folder store', () => {
  let folder: string
  let store: DocumentStore
  const pdf = makePdf([['ประกาศ']])
  const hash = createHash('sha256').update(pdf).digest('hex')
  async function* parts(content: Buffer, size = 3): AsyncGenerator<Buffer> {
    for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size)
  }
  const files = async () =>
    (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tamngan-store-'))
    store = createFolderDocumentStore(folder)
  })
  afterEach(() => rm(folder, { recursive: true }))

  test('stores a file under its SHA-256 in a two-letter folder and a duplicate only once', async () => {
    for (let time = 0; time < 2; time += 1) {
      const file = await store.receive(parts(pdf))
      expect(file).toMatchObject({ hash, bytes: pdf.length, type: 'pdf' })
      await file.persist()
      await file.drop()
    }
    expect(await files()).toEqual([hash])
    expect(await readFile(path.join(folder, hash.slice(0, 2), hash))).toEqual(pdf)
  })

  test('lists nothing before the first file, and rejects when the folder cannot be read', async () => {
    const listed = async (place: string) => {
      const pages: string[][] = []
      for await (const page of createFolderDocumentStore(place).list(new Date())) pages.push([...page])
      return pages
    }
    expect(await listed(path.join(folder, 'absent'))).toEqual([])
    await writeFile(path.join(folder, 'file'), '')
    await expect(listed(path.join(folder, 'file'))).rejects.toThrow('ENOTDIR')
  })

  test.each([
    ['not_a_document', Buffer.from('<html>%PDF-1.4</html>')],
    ['not_a_document', Buffer.from('%PD')],
    ['not_a_document', Buffer.from('MZ program.pdf')],
    ['empty', Buffer.alloc(0)],
    ['too_large', Buffer.concat([Buffer.from('%PDF'), Buffer.alloc(50 * 1024 * 1024)])],
  ])('R62: a refused file (%s) leaves nothing behind', async (reason, content) => {
    const refused = store.receive(parts(content, 1024 * 1024))
    await expect(refused).rejects.toThrow(DocumentRejectedError)
    await expect(refused).rejects.toMatchObject({ reason })
    expect(await files()).toEqual([])
  })

  test('a broken connection leaves nothing, and leftovers of a killed process are removed after an hour', async () => {
    async function* broken(): AsyncGenerator<Buffer> {
      yield pdf
      throw new Error('gone')
    }
    await expect(store.receive(broken())).rejects.toThrow('gone')
    expect(await files()).toEqual([])
    const old = path.join(folder, 'arriving', 'old')
    await writeFile(old, pdf)
    await utimes(old, new Date(0), new Date(0))
    await writeFile(path.join(folder, 'arriving', 'new'), pdf)
    await (await store.receive(parts(pdf))).drop()
    expect(await files()).toEqual(['new'])
  })

  test('R62: accepts only a hash as a file name', async () => {
    await expect(store.read('../../etc/passwd')).rejects.toThrow('SHA-256')
    expect(() => store.remove(`${hash}/..`)).toThrow('SHA-256')
  })
})
