import { z } from 'zod/mini'

/**
 * An OpenAI-compatible `/chat/completions` endpoint (Ollama included). Only the server's operator can configure the
 * endpoint, through the environment.
 */
export type LanguageModelSettings = {
  /** Base URL, i.e. everything before `/chat/completions`: `https://host/v1`, `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string
  readonly model: string
  readonly apiKey?: string | undefined
  readonly dailyQuestions: number
  readonly timeoutMs?: number
}

/**
 * `busy`: overloaded or out of credit; `refused`: wrong key, model or URL; `garbled`: the response could not be parsed.
 */
export type LanguageModelFailureReason = 'busy' | 'slow' | 'down' | 'refused' | 'garbled'

export class LanguageModelError extends Error {
  override readonly name = 'LanguageModelError'
  readonly failure: LanguageModelFailureReason

  constructor(failure: LanguageModelFailureReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.failure = failure
  }
}

/** Proxies close a connection after 60 s. */
const DEFAULT_TIMEOUT_MS = 55_000
const MAX_RESPONSE_BYTES = 200_000
const MAX_TOKENS = 1_500

const answerSchema = z.object({ choices: z.array(z.object({ message: z.object({ content: z.string() }) })) })

export type LanguageModelPrompt = { readonly system: string; readonly user: string }

export async function queryLanguageModel(
  settings: LanguageModelSettings,
  prompt: LanguageModelPrompt,
  signal: AbortSignal,
): Promise<string> {
  const limit = AbortSignal.timeout(settings.timeoutMs ?? DEFAULT_TIMEOUT_MS)
  const anySignal = AbortSignal.any([signal, limit])
  const { model } = settings
  const messages = [
    { role: 'system', content: prompt.system },
    { role: 'user', content: prompt.user },
  ]
  try {
    const usual = { temperature: 0, max_tokens: MAX_TOKENS, response_format: { type: 'json_object' } }
    let response = await post(settings, { model, messages, stream: false, ...usual }, anySignal)
    // Some endpoints name these parameters differently and return 400 for unknown ones, so retry without them.
    if (response.status === 400)
      response = await post(settings, { model, messages, stream: false, max_completion_tokens: MAX_TOKENS }, anySignal)
    const { status, text } = response
    if (status === 429 || status === 402) throw new LanguageModelError('busy', `status ${status}`)
    if (status >= 500) throw new LanguageModelError('down', `status ${status}`)
    if (status !== 200) throw new LanguageModelError('refused', `status ${status}`)
    const parsed = answerSchema.safeParse(tryParseJson(text))
    const [choice] = parsed.success ? parsed.data.choices : []
    if (choice === undefined) throw new LanguageModelError('garbled', 'the response contains no message')
    return choice.message.content
  } catch (error) {
    if (error instanceof LanguageModelError) throw error
    signal.throwIfAborted()
    if (limit.aborted) throw new LanguageModelError('slow', 'no answer in time', { cause: error })
    throw new LanguageModelError('down', 'no usable answer', { cause: error })
  }
}

async function post({ baseUrl, apiKey }: LanguageModelSettings, body: object, signal: AbortSignal) {
  const response = await fetch(`${baseUrl.endsWith('/') ? baseUrl.slice(0, -1) : baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) },
    body: JSON.stringify(body),
    signal,
    // The operator configured one host; pages and the API key must not follow a redirect to another.
    redirect: 'error',
  })
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_RESPONSE_BYTES)
      throw new LanguageModelError('garbled', `response larger than ${MAX_RESPONSE_BYTES} bytes`)
    chunks.push(chunk)
  }
  return { status: response.status, text: Buffer.concat(chunks).toString() }
}

export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

const LOCAL_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

export function getLanguageModelHost({ baseUrl }: Pick<LanguageModelSettings, 'baseUrl'>): {
  host: string
  isHere: boolean
} {
  const { host, hostname } = new URL(baseUrl)
  return { host, isHere: LOCAL_HOSTS.has(hostname) }
}
