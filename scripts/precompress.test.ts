import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { precompress } from './precompress.ts'

test('compresses text in both formats, skips small and binary files, removes source maps', () => {
  const dist = mkdtempSync(path.join(tmpdir(), 'dist-'))
  const at = (name: string) => path.join(dist, name)
  const text = 'จ้างก่อสร้างถนน '.repeat(500)
  writeFileSync(at('a.js'), text)
  writeFileSync(at('b.js'), 'small')
  writeFileSync(at('c.woff2'), text)
  writeFileSync(at('a.js.map'), text)
  expect(precompress(dist).files).toBe(1)
  expect(brotliDecompressSync(readFileSync(at('a.js.br'))).toString()).toBe(text)
  expect(gunzipSync(readFileSync(at('a.js.gz'))).toString()).toBe(text)
  expect(['b.js.br', 'c.woff2.br', 'a.js.map'].filter((name) => existsSync(at(name)))).toEqual([])
  rmSync(dist, { recursive: true })
})
