import { execFile } from 'node:child_process'
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAX_DOCUMENT_BYTES } from '#contract/documents/document.ts'
import { runSandboxedProcess } from './confined-process.ts'
import { buildSharedPagesPdf, writeHostileFiles, writeHugePdf } from './hostile-files-for-tests.ts'
import { readDocument } from './read-document.ts'
import { readPdfPages } from './text/read-pdf-pages.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'hostile-'))
})
afterAll(() => rm(folder, { recursive: true }))

const READER = path.join(import.meta.dirname, 'document-reader-for-tests.ts')

test('R63: hostile files of every kind, bombs included, cost the calling process at most 50 MB', async () => {
  const files = await writeHostileFiles(folder)
  const run = await promisify(execFile)(process.execPath, ['--no-warnings', READER, ...files.map(({ file }) => file)])
  const { endings, grown } = JSON.parse(run.stdout) as { endings: string[]; grown: number }
  expect(files.filter(({ endings: allowed }, index) => !allowed.includes(endings[index]!))).toEqual([])
  expect(endings.filter((ending) => ending === 'memory').length).toBeGreaterThan(0)
  expect(grown).toBeLessThan(50 * 2 ** 20)
}, 600_000)

test('R63: kills a process that never ends after ten seconds of CPU time', async () => {
  const name = path.join(folder, 'loop')
  await writeFile(name, 'loop')
  const file = await open(name)
  try {
    expect(await runSandboxedProcess(path.join(import.meta.dirname, 'attempts-for-tests.ts'), file, {})).toEqual({
      reason: 'time',
    })
  } finally {
    await file.close()
  }
}, 120_000)

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
  // A fast machine reaches the limit of characters before the limit of time.
  expect([{ reason: 'time' }, { reason: 'too-large' }]).toContainEqual(
    await readPdfPages(new Uint8Array(file), () => undefined),
  )
  expect(process.cpuUsage(before).user / 1_000_000).toBeLessThan(10)
}, 120_000)
