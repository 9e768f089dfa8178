import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAX_DOCUMENT_BYTES } from '#contract/documents/document.ts'
import { buildSharedPagesPdf, isResourceBomb, writeHostileFiles, writeHugePdf } from './hostile-files-for-tests.ts'
import { readDocument } from './read-document.ts'
import { readPdfPages } from './text/read-pdf-pages.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'hostile-'))
})
afterAll(() => rm(folder, { recursive: true }))

const isQuick = (kind: string) => !isResourceBomb(kind)

test('R63: a hostile file becomes unreadable with a reason, or a document without facts', async () => {
  const files = await writeHostileFiles(folder, isQuick)
  expect(files.length).toBeGreaterThan(16)
  for (const { kind, endings, file } of files) {
    const { outcome, reason, facts } = await readDocument(file)
    expect([kind, endings, facts]).toEqual([kind, expect.arrayContaining([reason ?? outcome]), []])
  }
}, 240_000)

test('R63: rejects an oversized file and a path that is no regular file without opening it', async () => {
  const file = path.join(folder, 'huge.pdf')
  await writeHugePdf(file, MAX_DOCUMENT_BYTES + 1)
  expect((await readDocument(file)).reason).toBe('too-large')
  expect((await readDocument(folder)).reason).toBe('not-a-document')
  expect((await readDocument('/dev/zero')).reason).toBe('not-a-document')
  await expect(readDocument(path.join(folder, 'none.pdf'))).rejects.toThrow('ENOENT')
})

test('R42: 500 pages that share one content stream cost seconds of CPU time, not minutes', async () => {
  const file = buildSharedPagesPdf()
  expect(file.length).toBeLessThan(300_000)
  const before = process.cpuUsage()
  expect(await readPdfPages(new Uint8Array(file), () => undefined)).toEqual({ reason: 'time' })
  expect(process.cpuUsage(before).user / 1_000_000).toBeLessThan(10)
}, 120_000)
