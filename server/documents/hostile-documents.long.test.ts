import { execFile } from 'node:child_process'
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runSandboxedProcess } from './confined-process.ts'
import { writeHostileFiles } from './hostile-files-for-tests.ts'

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
