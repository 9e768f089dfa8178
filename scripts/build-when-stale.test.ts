import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { computeSourcesDigest } from './build-when-stale.ts'

let base: string
const put = (name: string, text: string) => writeFileSync(path.join(base, name), text)
const digest = () => computeSourcesDigest(base, ['src', 'index.html', 'absent.ts'])

beforeEach(() => {
  base = mkdtempSync(path.join(tmpdir(), 'stale-'))
  mkdirSync(path.join(base, 'src/ui'), { recursive: true })
  put('src/ui/a.ts', 'a')
  put('index.html', '<html>')
})
afterEach(() => rmSync(base, { recursive: true }))

test('the same sources have the same digest', () => {
  expect(digest()).toBe(digest())
})

test.each([
  ['edited', () => put('src/ui/a.ts', 'b')],
  ['added', () => put('src/ui/b.ts', '')],
  ['removed', () => rmSync(path.join(base, 'src/ui/a.ts'))],
  ['renamed', () => renameSync(path.join(base, 'src/ui/a.ts'), path.join(base, 'src/ui/c.ts'))],
  ['created where there was none', () => put('absent.ts', '')],
])('a file that was %s makes the build stale', (_what, change) => {
  const before = digest()
  change()
  expect(digest()).not.toBe(before)
})

test('a changed test leaves the build fresh', () => {
  const before = digest()
  put('src/ui/a.test.ts', 'x')
  expect(digest()).toBe(before)
})
