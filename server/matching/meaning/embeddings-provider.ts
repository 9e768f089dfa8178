import { z } from 'zod/mini'
import { splitIntoSlices } from '#server/platform/engine/process-in-batches.ts'

/**
 * Optional embeddings endpoint (OpenAI protocol or Ollama). It receives public titles and the organisation's keywords,
 * so only the server's operator enables it, through the environment.
 */
export type EmbeddingsProviderSettings = {
  readonly kind: 'openai' | 'ollama'
  /** The part of the URL before `/embeddings` (OpenAI) or `/api/embed` (Ollama). */
  readonly baseUrl: string
  readonly model: string
  readonly apiKey?: string | undefined
  readonly dimensions?: number
  /** Prefixes that e5 models expect ("query: ", "passage: "); bge-m3 needs none. */
  readonly queryPrefix?: string
  readonly passagePrefix?: string
  readonly batch?: number
  readonly timeoutMs?: number
  readonly retries?: number
  readonly pauseMs?: number
}

export type EmbeddingsProvider = {
  /** Identifies provider and model; vectors of different ids are not comparable. */
  readonly id: string
  embedKeywords(texts: readonly string[]): Promise<Float32Array[]>
  embedTitles(texts: readonly string[]): Promise<Float32Array[]>
}

class EmbeddingsProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly canRetry: boolean

  constructor(message: string, canRetry: boolean, options?: ErrorOptions) {
    super(message, options)
    this.canRetry = canRetry
  }
}

const DEFAULTS = { batch: 64, timeoutMs: 15_000, retries: 3, pauseMs: 500 } as const
const vectors = z.array(z.array(z.number()))
const openAiAnswer = z.object({ data: z.array(z.object({ index: z.number(), embedding: z.array(z.number()) })) })
const ollamaAnswer = z.object({ embeddings: vectors })

export function createEmbeddingsProvider(settings: EmbeddingsProviderSettings): EmbeddingsProvider {
  const { queryPrefix = '', passagePrefix = '', batch = DEFAULTS.batch } = settings
  let width = settings.dimensions
  const embed = async (texts: readonly string[]) => {
    const vectors: Float32Array[] = []
    for (const part of splitIntoSlices(texts, batch)) {
      const rows = await withRetries(settings, () => requestEmbeddings(settings, part))
      if (rows.length !== part.length)
        throw new EmbeddingsProviderError(`${rows.length} vectors for ${part.length} texts`, false)
      for (const row of rows) {
        width ??= row.length
        vectors.push(unitVector(row, width))
      }
    }
    return vectors
  }
  return {
    id: `${settings.kind}:${settings.model}`,
    embedKeywords: (texts) => embed(texts.map((text) => queryPrefix + text)),
    embedTitles: (texts) => embed(texts.map((text) => passagePrefix + text)),
  }
}

async function requestEmbeddings(settings: EmbeddingsProviderSettings, input: readonly string[]): Promise<number[][]> {
  const { kind, baseUrl, model, apiKey, dimensions, timeoutMs = DEFAULTS.timeoutMs } = settings
  const url = `${baseUrl.replace(/(?<!\/)\/+$/, '')}${kind === 'openai' ? '/embeddings' : '/api/embed'}`
  const kindOptions = kind === 'openai' ? { encoding_format: 'float' } : { truncate: true }
  let status: number
  let body: unknown
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) },
      body: JSON.stringify({ model, input, ...kindOptions, ...(dimensions === undefined ? {} : { dimensions }) }),
      signal: AbortSignal.timeout(timeoutMs),
      // The operator configured one host; the API key must not follow a redirect to another.
      redirect: 'error',
    })
    status = response.status
    body = response.ok ? await response.json() : await response.text()
  } catch (error) {
    const isTimeout = error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')
    throw new EmbeddingsProviderError(isTimeout ? `no answer in ${timeoutMs} ms` : 'no usable answer', isTimeout, {
      cause: error,
    })
  }
  if (status === 429 || status >= 500) throw new EmbeddingsProviderError(`status ${status}`, true)
  if (status !== 200) throw new EmbeddingsProviderError(`status ${status}`, false)
  return parseVectors(kind, body)
}

function parseVectors(kind: EmbeddingsProviderSettings['kind'], body: unknown): number[][] {
  if (kind === 'ollama') {
    const parsed = ollamaAnswer.safeParse(body)
    if (parsed.success) return parsed.data.embeddings
  } else {
    const parsed = openAiAnswer.safeParse(body)
    if (parsed.success) {
      const inOrder = parsed.data.data.toSorted((a, b) => a.index - b.index)
      if (inOrder.every(({ index }, at) => index === at)) return inOrder.map(({ embedding }) => embedding)
    }
  }
  throw new EmbeddingsProviderError('the response contains no embeddings', false)
}

function unitVector(values: readonly number[], width: number): Float32Array {
  if (values.length !== width)
    throw new EmbeddingsProviderError(`a vector of ${values.length} values instead of ${width}`, false)
  const norm = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0))
  if (!Number.isFinite(norm) || norm === 0)
    throw new EmbeddingsProviderError('a vector with zero or infinite length', false)
  return Float32Array.from(values, (value) => value / norm)
}

async function withRetries<T>(settings: EmbeddingsProviderSettings, work: () => Promise<T>): Promise<T> {
  const { retries = DEFAULTS.retries, pauseMs = DEFAULTS.pauseMs } = settings
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof EmbeddingsProviderError) || !error.canRetry || attempt >= retries) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs * 2 ** attempt * (0.5 + Math.random() / 2)))
  }
}
