import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { ProblemError } from '../http/problem-error.ts'
import { documentFileQuery, wholeFileQuery } from './document-file.ts'

const FILE = Uint8Array.from({ length: 200_000 }, (_, at) => at % 251)

/** A server that gives parts, or (`isWhole`) one that something stands before that does not. */
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
    // Something in between that knows no parts has sent everything: nothing is thrown away.
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
