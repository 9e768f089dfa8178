import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  collectAsyncItems,
  findSharedTestFile,
  readAllFeedItems,
  writeTemporaryTestFile,
} from '#server/catalogue/feed/feed-for-tests.ts'
import { createOcdsSource } from '#server/catalogue/feed/sources/ocds.ts'
import { streamJsonElements } from './json-elements.ts'

const LISTS = new Set(['releases'])
const read = (content: string | Uint8Array, check: (document: unknown) => void = () => undefined) =>
  collectAsyncItems(streamJsonElements(writeTemporaryTestFile('document.json', content), LISTS, check))

test('yields any elements unchanged, and the rest of the document with an empty list', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue()), fc.jsonValue(), fc.boolean(), async (releases, extra, isWide) => {
      const document = { other: extra, nested: { releases: [1] }, releases, after: [[extra]] }
      const text = JSON.stringify(document, null, isWide ? 2 : 0)
      let remainder: unknown
      const keep = (parsed: unknown) => {
        remainder = parsed
      }
      expect(await read(text, keep)).toEqual(JSON.parse(JSON.stringify(releases)))
      expect(remainder).toEqual(JSON.parse(JSON.stringify({ ...document, releases: [] })))
    }),
    { numRuns: 60 },
  )
})

test('reads a list across many chunks, with brackets and quotes in its texts, plain or gzipped', async () => {
  const releases = Array.from({ length: 3_000 }, (_, n) => ({
    n,
    text: `ถนน "]},{[" \\ ${'ก'.repeat(n % 200)}`,
    list: [[n], []],
  }))
  const text = JSON.stringify({ version: '1.1', releases })
  expect(text.length).toBeGreaterThan(300_000)
  expect(await read(text)).toEqual(releases)
  expect(await read(gzipSync(text))).toEqual(releases)
})

test('reports the last element of a truncated or invalid document, and runs the document check', async () => {
  await expect(read('{"releases":[{"a":1},{"b"')).rejects.toThrow('ขาดตอนหลังรายการที่ 1')
  await expect(read('{"releases":[{"a":1},{"b" 2}]}')).rejects.toThrow('เสียหลังรายการที่ 1')
  await expect(read('{"releases":[{"a":1},]}')).resolves.toEqual([{ a: 1 }])
  const refuse = () => {
    throw new Error('no package')
  }
  await expect(read('{"releases":[]}', refuse)).rejects.toThrow('no package')
  await expect(read(`{"other":"${'x'.repeat(5 * 2 ** 20)}"}`)).rejects.toThrow('ไม่มีรายการ releases')
})

const real = findSharedTestFile('fixtures/ocds_release_package_300.json')

test.skipIf(real === undefined)('a real package gives the same rows whole and streamed', async () => {
  const wholeRows = await readAllFeedItems(createOcdsSource(real!))
  expect(wholeRows).toHaveLength(300)
  expect(await readAllFeedItems(createOcdsSource(real!, 0))).toEqual(wholeRows)
  expect(await readAllFeedItems(createOcdsSource(real!, 0), 290)).toEqual(wholeRows.slice(290))
  const records = {
    version: '1.1',
    records: JSON.parse(readFileSync(real!, 'utf8')).releases.map((compiledRelease: unknown) => ({ compiledRelease })),
  }
  const file = writeTemporaryTestFile('records.json', JSON.stringify(records))
  expect(await readAllFeedItems(createOcdsSource(file, 0))).toEqual(await readAllFeedItems(createOcdsSource(file)))
  const otherFile = writeTemporaryTestFile('other.json', '{"version":"2.0","releases":[]}')
  await expect(readAllFeedItems(createOcdsSource(otherFile, 0))).rejects.toThrow('2.0')
})
