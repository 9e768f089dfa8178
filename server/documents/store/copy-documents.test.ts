import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCopyDocumentsCommand } from '#server/cli/copy-documents-command.ts'
import { makePdf } from '../../../test/make-pdf.ts'
import { S3Server } from '../../../test/server/s3-server.ts'
import { copyDocumentsToBucket, findMissingDocumentHashes } from './copy-documents.ts'
import { createFolderDocumentStore } from './folder-store.ts'
import { createS3DocumentStore } from './s3-document-store.ts'

const server = new S3Server()
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tamngan-copy-'))
  await server.start()
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

async function add(text: string): Promise<string> {
  const file = await createFolderDocumentStore(folder).receive(
    (async function* () {
      yield makePdf([[text]])
    })(),
  )
  await file.persist()
  return file.hash
}

test('copies the folder and verifies it; a rerun sends new and damaged files and lists missing ones', async () => {
  const bucket = createS3DocumentStore(server.settings(), { folder, scale: 0.05 })
  const hashes = [await add('one'), await add('two'), await add('three')]
  const ill = createHash('sha256').update('ill').digest('hex')
  const gone = createHash('sha256').update('gone').digest('hex')
  const keyOf = (hash: string) => `of/us/${hash.slice(0, 2)}/${hash}`
  const copy = () => copyDocumentsToBucket(folder, bucket, () => undefined)

  expect(await copy()).toEqual({ copied: 3, alreadyStored: 0, damaged: [] })
  expect(await copy()).toEqual({ copied: 0, alreadyStored: 3, damaged: [] })
  const file = server.files.get(keyOf(hashes[0]!))!
  server.files.set(keyOf(hashes[0]!), { ...file, content: Buffer.from(file.content.map((byte) => byte ^ 1)) })
  await add('four')
  await (
    await createFolderDocumentStore(folder).receive(
      (async function* () {
        yield makePdf([['x']])
      })(),
    )
  ).drop()
  await writeFile(path.join(folder, hashes[1]!.slice(0, 2), hashes[1]!), 'ill')
  expect(await copy()).toEqual({ copied: 2, alreadyStored: 1, damaged: [hashes[1]] })
  expect(await findMissingDocumentHashes(bucket, [...hashes, gone, ill])).toEqual([gone, ill])

  const lines: string[] = []
  const terminal = { isTty: false, log: (line: string) => lines.push(line), redraw: () => undefined }
  await runCopyDocumentsCommand([], { copy, missing: () => findMissingDocumentHashes(bucket, [gone]) }, terminal)
  expect(lines).toEqual([
    '0 files copied, 3 already present; each was read back and matches its SHA-256',
    '1 files are damaged in the folder and were not copied:',
    `  ${hashes[1]}`,
    '1 files are referenced in the database but missing in the bucket:',
    `  ${gone}`,
  ])
  await expect(runCopyDocumentsCommand([], undefined, terminal)).rejects.toThrow('DOCUMENTS_URL is not set')
})

test('stops when the bucket returns different bytes', async () => {
  const bucket = createS3DocumentStore(server.settings({ prefix: 'another' }), { folder, scale: 0.05 })
  server.misbehave('GET', 'wrong')
  await expect(copyDocumentsToBucket(folder, bucket, () => undefined)).rejects.toThrow('returned different bytes')
})
