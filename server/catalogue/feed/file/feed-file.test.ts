import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { collectAsyncItems, writeTemporaryTestFile } from '#server/catalogue/feed/feed-for-tests.ts'
import { fingerprintFile, readUnpackedBytes, readWholeFile } from './feed-file.ts'

const TEXT = 'รหัสโครงการ,ชื่อ\n'.repeat(5_000)
const unpack = async (file: string) => Buffer.concat(await collectAsyncItems(readUnpackedBytes(file))).toString()
const hasXz = (() => {
  try {
    execFileSync('xz', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    console.warn('\n*** xz is not installed: the tests on .xz files are SKIPPED. ***\n')
    return false
  }
})()

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('compressed files', () => {
  test('are detected by content, not name; several gzip members form one text', async () => {
    expect(await unpack(writeTemporaryTestFile('plain.gz', TEXT))).toBe(TEXT)
    expect(await unpack(writeTemporaryTestFile('packed.csv', gzipSync(TEXT)))).toBe(TEXT)
    expect(await unpack(writeTemporaryTestFile('two.gz', Buffer.concat([gzipSync(TEXT), gzipSync('end')])))).toBe(
      `${TEXT}end`,
    )
  })

  test('report the byte at which a gzip is truncated or damaged', async () => {
    const packed = gzipSync(TEXT)
    await expect(unpack(writeTemporaryTestFile('cut.gz', packed.subarray(0, -20)))).rejects.toThrow(/ขาดตอนหลังไบต์ที่ \d+/)
    const damaged = Buffer.from(packed)
    damaged.fill(0x55, packed.length / 2, packed.length / 2 + 30)
    await expect(unpack(writeTemporaryTestFile('damaged.gz', damaged))).rejects.toThrow(/เสียหาย/)
  })

  test('R36: stop a decompression bomb long before it fills the disk', async () => {
    const bomb = gzipSync(Buffer.alloc(80 * 2 ** 20, 'a,b\n'))
    await expect(collectAsyncItems(readUnpackedBytes(writeTemporaryTestFile('bomb.gz', bomb)))).rejects.toThrow(
      /ใหญ่กว่าเดิมเกิน 200 เท่า/,
    )
  }, 60_000)

  test('R36: reject a document over the limit', async () => {
    await expect(readWholeFile(writeTemporaryTestFile('big.json', TEXT), 1_024)).rejects.toThrow(/ใหญ่เกิน/)
  })
})

describe.skipIf(!hasXz)('.xz files', () => {
  const xz = (input: string | Uint8Array) => execFileSync('xz', ['--compress', '--stdout'], { input })

  test('are decompressed through xz', async () => {
    expect(await unpack(writeTemporaryTestFile('packed.xz', xz(TEXT)))).toBe(TEXT)
  })

  test('report the byte of truncation', async () => {
    await expect(unpack(writeTemporaryTestFile('cut.xz', xz(TEXT).subarray(0, -30)))).rejects.toThrow(
      /ขาดตอนหลังไบต์ที่ \d+/,
    )
  })

  test('report what to install when xz is missing', async () => {
    const file = writeTemporaryTestFile('packed.xz', xz(TEXT))
    vi.stubEnv('PATH', '/nowhere')
    await expect(unpack(file)).rejects.toThrow(/ต้องมีโปรแกรม xz/)
  })

  test('can be closed before the end', async () => {
    const file = writeTemporaryTestFile('packed.xz', xz(TEXT))
    for await (const piece of readUnpackedBytes(file)) {
      expect(piece.length).toBeGreaterThan(0)
      break
    }
    expect(readFileSync(file).length).toBeGreaterThan(0)
  })

  test('leave no xz running after refusing their content', async () => {
    // Larger than the pipe buffers, so that xz blocks until its output is read.
    const document = Buffer.concat([Buffer.from('%PDF'), randomBytes(800_000)])
    await expect(unpack(writeTemporaryTestFile('refused.xz', xz(document)))).rejects.toThrow(/PDF/)
    await vi.waitFor(() => expect(process.getActiveResourcesInfo()).not.toContain('ProcessWrap'))
  })
})

test('fingerprints follow the content', async () => {
  const [a, same, different] = await Promise.all(
    ['x', 'x', 'y'].map((text) => fingerprintFile(writeTemporaryTestFile('f', text))),
  )
  expect([a === same, a === different]).toEqual([true, false])
})
