import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { fsyncChangedFiles } from './sync-folder.ts'

test('flushes only files written since the last round, including those in subfolders', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tamngan-sync-'))
  await mkdir(path.join(folder, 'base'))
  for (const name of ['old', 'new', 'base/new']) await writeFile(path.join(folder, name), 'x')
  const longAgo = new Date('2020-01-01')
  await utimes(path.join(folder, 'old'), longAgo, longAgo)
  expect(await fsyncChangedFiles(folder, new Date('2021-01-01').getTime())).toBe(2)
  expect(await fsyncChangedFiles(folder, Date.now() + 60_000)).toBe(0)
  await rm(folder, { recursive: true })
})
