import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { ProblemError } from '#src/api/http/problem-error.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { documentFileQuery, readAhead, wholeFileQuery } from './document-file.ts'

const FILE = Uint8Array.from({ length: 200_000 }, (_, at) => at % 251)

/** Mocks a server with range support, or (`isWhole`) a proxy that ignores ranges. */
function serve({ isWhole = false } = {}) {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (_: string, { headers }: { headers: Record<string, string> }) => {
    asked.push(headers.range ?? '')
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
    if (isWhole || from === undefined) return new Response(FILE.slice(0))
    if (Number(from) >= FILE.length) return Response.json({ code: 'bad_input' }, { status: 416 })
    const part = FILE.slice(Number(from), Number(to) + 1)
    return new Response(part, {
      status: 206,
      headers: { 'content-range': `bytes ${from}-${Number(from) + part.length - 1}/${FILE.length}` },
    })
  })
  return asked
}
afterEach(() => vi.unstubAllGlobals())
const signal = new AbortController().signal
const begin = () => new QueryClient().fetchQuery(documentFileQuery('d1'))

test.each([false, true])(
  'the beginning of a file comes first, and any part of it when it is asked for (whole answers: %s)',
  async (isWhole) => {
    const asked = serve({ isWhole })
    const file = await begin()
    expect(file.bytes).toBe(FILE.length)
    expect(asked).toEqual(['bytes=0-131071'])
    // A proxy that ignores ranges has sent everything, and all of it is used.
    expect(file.first.byteLength).toBe(isWhole ? FILE.length : 131_072)
    expect(new Uint8Array(await file.read(150_000, 150_010, signal))).toEqual(FILE.slice(150_000, 150_010))
  },
)

test.each([false, true])(
  'a picture is put together from its parts without a gap (whole answers: %s)',
  async (isWhole) => {
    serve({ isWhole })
    const all = await new QueryClient().fetchQuery(wholeFileQuery('d1'))
    expect(new Uint8Array(all)).toEqual(FILE)
  },
)

test('a part behind the end is refused as an error, not as an empty part', async () => {
  serve()
  const file = await begin()
  await expect(file.read(FILE.length, FILE.length + 10, signal)).rejects.toBeInstanceOf(ProblemError)
})

test('all of a small file is read ahead in two parts, and whoever opens it asks for neither again', async () => {
  const asked = serve()
  await Promise.all([readAhead('d2'), readAhead('d2')])
  expect(asked).toEqual(['bytes=0-131071', 'bytes=131072-199999'])
  const { first, rest } = await queryClient.query({ ...documentFileQuery('d2'), staleTime: 'static' })
  expect([...new Uint8Array(first), ...new Uint8Array(await rest!())]).toEqual([...FILE])
  expect(asked).toHaveLength(2)
})

test('a rest that failed is asked for again, reading ahead says nothing of it', async () => {
  const asked = serve()
  const file = await begin()
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('gone')))
  await expect(file.rest!()).rejects.toThrow()
  await readAhead('d3')
  const again = serve()
  expect((await file.rest!()).byteLength).toBe(FILE.length - 131_072)
  expect([asked.length, again.length]).toEqual([1, 1])
})

test('a large file has no rest: it comes in the pieces that are looked at', async () => {
  vi.stubGlobal(
    'fetch',
    async () =>
      new Response(FILE.slice(0, 131_072), { status: 206, headers: { 'content-range': 'bytes 0-131071/524288' } }),
  )
  expect((await begin()).rest).toBeUndefined()
})
