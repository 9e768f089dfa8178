import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createEmbeddingsProvider, type EmbeddingsProviderSettings } from './embeddings-provider.ts'
import { expandKeyword } from './expand-keyword.ts'
import { createKeywordExpander } from './keyword-expander.ts'

type ProviderRequest = { path: string; authorization: string | undefined; body: { model: string; input: string[] } }
type Answer = { status?: number; body?: unknown; hangs?: boolean }

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

/** Starts a local endpoint that returns the given answers in turn, repeating the last. */
async function endpoint(
  answers: readonly ((received: ProviderRequest) => Answer)[],
): Promise<{ url: string; received: ProviderRequest[] }> {
  const received: ProviderRequest[] = []
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await textOf(request)) as ProviderRequest['body']
    const entry = { path: request.url ?? '', authorization: request.headers.authorization, body }
    received.push(entry)
    const answer = answers[Math.min(received.length, answers.length) - 1]!(entry)
    if (answer.hangs) return
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' })
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {}))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}

const vectorOf = (text: string) => [text.length, 3, 4]
const openAi = ({ body }: ProviderRequest): Answer => ({
  // The endpoint returns the vectors out of order, so that the test fails unless `index` is used.
  body: { data: body.input.map((text, index) => ({ index, embedding: vectorOf(text) })).reverse() },
})
const ollama = ({ body }: ProviderRequest): Answer => ({ body: { embeddings: body.input.map(vectorOf) } })
const settings = (url: string, more: Partial<EmbeddingsProviderSettings> = {}): EmbeddingsProviderSettings => ({
  kind: 'openai',
  baseUrl: `${url}/v1/`,
  model: 'bge-m3',
  pauseMs: 1,
  timeoutMs: 2000,
  ...more,
})

describe('a provider of embeddings', () => {
  test('speaks the OpenAI protocol in batches, restores the row order and normalises vectors', async () => {
    const { url, received } = await endpoint([openAi])
    const provider = createEmbeddingsProvider(settings(url, { apiKey: 'k3y', batch: 2, queryPrefix: 'query: ' }))
    const vectors = await provider.embedKeywords(['ก', 'กก', 'กกก'])
    expect(received.map(({ path, authorization }) => [path, authorization])).toEqual([
      ['/v1/embeddings', 'Bearer k3y'],
      ['/v1/embeddings', 'Bearer k3y'],
    ])
    expect(received.map(({ body }) => body.input)).toEqual([['query: ก', 'query: กก'], ['query: กกก']])
    vectors.forEach((vector, index) => {
      const expected = vectorOf(`query: ${'ก'.repeat(index + 1)}`)
      expect(vector[0]! / vector[1]!).toBeCloseTo(expected[0]! / expected[1]!)
      expect(Math.hypot(...vector)).toBeCloseTo(1)
    })
  })

  test('speaks the Ollama protocol, without a key when none is set', async () => {
    const { url, received } = await endpoint([ollama])
    const provider = createEmbeddingsProvider({ kind: 'ollama', baseUrl: url, model: 'bge-m3' })
    expect(await provider.embedTitles(['ซื้อ'])).toHaveLength(1)
    expect(received).toMatchObject([
      { path: '/api/embed', authorization: undefined, body: { model: 'bge-m3', input: ['ซื้อ'] } },
    ])
    expect(provider.id).toBe('ollama:bge-m3')
  })

  test.each([429, 500, 503])('retries after status %i', async (status) => {
    const { url, received } = await endpoint([() => ({ status }), () => ({ status }), openAi])
    expect(await createEmbeddingsProvider(settings(url)).embedKeywords(['ก'])).toHaveLength(1)
    expect(received).toHaveLength(3)
  })

  test('retries after a timeout and finally gives up', async () => {
    const { url, received } = await endpoint([() => ({ hangs: true })])
    const provider = createEmbeddingsProvider(settings(url, { timeoutMs: 400, retries: 1 }))
    await expect(provider.embedKeywords(['ก'])).rejects.toThrow('no answer in 400 ms')
    expect(received).toHaveLength(2)
  })

  test.each([
    ['a refused key', { status: 401 }, 'status 401'],
    ['no embeddings', { body: { data: 'none' } }, 'contains no embeddings'],
    ['no JSON', { body: 'hello' }, 'no usable answer'],
    ['fewer vectors than texts', { body: { data: [] } }, '0 vectors for 1 texts'],
    ['another width', { body: { data: [{ index: 0, embedding: [1, 2] }] } }, '2 values instead of 3'],
    ['a zero vector', { body: { data: [{ index: 0, embedding: [0, 0, 0] }] } }, 'zero or infinite length'],
    [
      'infinite values',
      { body: '{"data":[{"index":0,"embedding":[1e999,0,0]}]}' },
      /contains no embeddings|zero or infinite length/,
    ],
  ])('does not retry %s', async (_, answer, message) => {
    const { url, received } = await endpoint([() => answer])
    await expect(createEmbeddingsProvider(settings(url, { dimensions: 3 })).embedKeywords(['ก'])).rejects.toThrow(
      message,
    )
    expect(received).toHaveLength(1)
  })

  test('follows no redirect, so the key stays with the configured host', async () => {
    const otherHost = await endpoint([openAi])
    const server = createServer((_, response) =>
      response.writeHead(307, { location: `${otherHost.url}/v1/embeddings` }).end(),
    )
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await expect(createEmbeddingsProvider(settings(url, { apiKey: 'k3y' })).embedKeywords(['ก'])).rejects.toThrow()
    expect(otherHost.received).toEqual([])
  })
})

describe('an expander', () => {
  test('without a provider uses the built-in engine', async () => {
    expect(await createKeywordExpander(undefined)('กล้องวงจรปิด')).toEqual(expandKeyword('กล้องวงจรปิด'))
  })

  test('lets the provider reorder suggestions but activate none', async () => {
    const { url } = await endpoint([openAi])
    const builtIn = expandKeyword('กล้องวงจรปิด')
    const voted = await createKeywordExpander(settings(url))('กล้องวงจรปิด')
    const of = (terms: typeof builtIn.terms, state: string) =>
      terms.filter((term) => term.state === state).map(({ term }) => term)
    expect(of(voted.terms, 'auto')).toEqual(of(builtIn.terms, 'auto'))
    expect(of(voted.terms, 'suggested')).not.toEqual(of(builtIn.terms, 'suggested'))
    expect(of(voted.terms, 'suggested').toSorted()).toEqual(of(builtIn.terms, 'suggested').toSorted())
    expect(voted.terms.some(({ source }) => source === 'provider')).toBe(true)
    expect(voted.engine).toContain('openai:bge-m3')
  })

  test('falls back to the built-in engine when the provider is down, and reports the error', async () => {
    const failures: unknown[] = []
    const expand = createKeywordExpander(settings('http://127.0.0.1:1', { retries: 0 }), (error) =>
      failures.push(error),
    )
    expect(await expand('กล้องวงจรปิด')).toEqual(expandKeyword('กล้องวงจรปิด'))
    expect(failures).toHaveLength(1)
  })
})
