import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { queryClient } from '#src/api/http/query-client.ts'
import { ProblemError } from '#src/lib/problem-error.ts'
import { documentFileBytesQuery, documentFileQuery, prefetchDocumentFile } from './document-file.ts'

const FILE = Uint8Array.from({ length: 200_000 }, (_, at) => at % 251)

/** Mocks a server with range support, or (`isWhole`) a proxy that ignores ranges. */
function serve({ isWhole = false } = {}) {
  const ranges: string[] = []
  vi.stubGlobal('fetch', async ({ headers }: Request) => {
    const range = headers.get('range') ?? ''
    ranges.push(range)
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? []
    if (isWhole || from === undefined) return new Response(FILE.slice(0))
    if (Number(from) >= FILE.length) return Response.json({ code: 'bad_input' }, { status: 416 })
    const part = FILE.slice(Number(from), Number(to) + 1)
    return new Response(part, {
      status: 206,
      headers: { 'content-range': `bytes ${from}-${Number(from) + part.length - 1}/${FILE.length}` },
    })
  })
  return ranges
}
afterEach(() => vi.unstubAllGlobals())
const signal = new AbortController().signal
const begin = () => new QueryClient().fetchQuery(documentFileQuery('d1'))

test.each([false, true])(
  'loads the start of a file first, and any range on request (full responses: %s)',
  async (isWhole) => {
    const ranges = serve({ isWhole })
    const file = await begin()
    expect(file.bytes).toBe(FILE.length)
    expect(ranges).toEqual(['bytes=0-131071'])
    // If a proxy ignores ranges and sends the whole file, the client uses all of it.
    expect(file.first.byteLength).toBe(isWhole ? FILE.length : 131_072)
    expect(new Uint8Array(await file.read(150_000, 150_010, signal))).toEqual(FILE.slice(150_000, 150_010))
  },
)

test.each([false, true])('joins the parts of a picture without a gap (full responses: %s)', async (isWhole) => {
  serve({ isWhole })
  const all = await new QueryClient().fetchQuery(documentFileBytesQuery('d1'))
  expect(new Uint8Array(all)).toEqual(FILE)
})

test('a range beyond the end rejects instead of returning an empty part', async () => {
  serve()
  const file = await begin()
  await expect(file.read(FILE.length, FILE.length + 10, signal)).rejects.toBeInstanceOf(ProblemError)
})

test('preloads a small file in two parts, which opening it reuses', async () => {
  const ranges = serve()
  await Promise.all([prefetchDocumentFile('d2'), prefetchDocumentFile('d2')])
  expect(ranges).toEqual(['bytes=0-131071', 'bytes=131072-199999'])
  const { first, loadRemainder } = await queryClient.query({ ...documentFileQuery('d2'), staleTime: 'static' })
  expect([...new Uint8Array(first), ...new Uint8Array(await loadRemainder!())]).toEqual([...FILE])
  expect(ranges).toHaveLength(2)
})

test('retries a failed remainder; preloading swallows the error', async () => {
  const ranges = serve()
  const file = await begin()
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('gone')))
  await expect(file.loadRemainder!()).rejects.toThrow()
  await prefetchDocumentFile('d3')
  const again = serve()
  expect((await file.loadRemainder!()).byteLength).toBe(FILE.length - 131_072)
  expect([ranges.length, again.length]).toEqual([1, 1])
})

test('a large file has no remainder: it is read in ranges on demand', async () => {
  vi.stubGlobal(
    'fetch',
    async () =>
      new Response(FILE.slice(0, 131_072), { status: 206, headers: { 'content-range': 'bytes 0-131071/524288' } }),
  )
  expect((await begin()).loadRemainder).toBeUndefined()
})
