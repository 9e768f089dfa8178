import { z } from 'zod/mini'

/** An endpoint that speaks OpenAI's `/chat/completions`, as Ollama does too. The operator of the server alone names it, by the environment. */
export type LanguageModelSettings = {
  /** Up to before `/chat/completions`: `https://host/v1`, `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string
  readonly model: string
  readonly apiKey?: string | undefined
  /** Questions of one organisation a day. */
  readonly dailyQuestions: number
  /** Tests wait for less. */
  readonly timeoutMs?: number
}

/** Why there is no answer. `busy`: it has too much to do or no credit left; `refused`: key, model or address are wrong; `garbled`: what came is no answer. */
export type ModelFailure = 'busy' | 'slow' | 'down' | 'refused' | 'garbled'

export class LanguageModelError extends Error {
  override readonly name = 'LanguageModelError'
  readonly failure: ModelFailure

  constructor(failure: ModelFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.failure = failure
  }
}

/** Far above what so many tokens can be; an endless answer is cut off here. */
const MOST_BYTES = 200_000
const MOST_TOKENS = 1_500

const answerSchema = z.object({ choices: z.array(z.object({ message: z.object({ content: z.string() }) })) })

export type Prompt = { readonly system: string; readonly user: string }

/** The text that the model writes. Throws LanguageModelError, and the signal's reason when the caller has gone away. */
export async function askModel(settings: LanguageModelSettings, prompt: Prompt, signal: AbortSignal): Promise<string> {
  const limit = AbortSignal.timeout(settings.timeoutMs ?? 55_000)
  const both = AbortSignal.any([signal, limit])
  const { model } = settings
  const messages = [
    { role: 'system', content: prompt.system },
    { role: 'user', content: prompt.user },
  ]
  try {
    const usual = { temperature: 0, max_tokens: MOST_TOKENS, response_format: { type: 'json_object' } }
    let answer = await post(settings, { model, messages, stream: false, ...usual }, both)
    // Some endpoints know other names of these settings, and say 400 to those that they do not know.
    if (answer.status === 400)
      answer = await post(settings, { model, messages, stream: false, max_completion_tokens: MOST_TOKENS }, both)
    const { status, text } = answer
    if (status === 429 || status === 402) throw new LanguageModelError('busy', `status ${status}`)
    if (status >= 500) throw new LanguageModelError('down', `status ${status}`)
    if (status !== 200) throw new LanguageModelError('refused', `status ${status}`)
    const parsed = answerSchema.safeParse(jsonOf(text))
    const [choice] = parsed.success ? parsed.data.choices : []
    if (choice === undefined) throw new LanguageModelError('garbled', 'the answer holds no message')
    return choice.message.content
  } catch (error) {
    if (error instanceof LanguageModelError) throw error
    signal.throwIfAborted()
    if (limit.aborted) throw new LanguageModelError('slow', 'no answer in time', { cause: error })
    throw new LanguageModelError('down', 'no usable answer', { cause: error })
  }
}

async function post({ baseUrl, apiKey }: LanguageModelSettings, body: object, signal: AbortSignal) {
  const answer = await fetch(`${baseUrl.endsWith('/') ? baseUrl.slice(0, -1) : baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) },
    body: JSON.stringify(body),
    signal,
    // The operator named one host: pages and key must not follow to another.
    redirect: 'error',
  })
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of answer.body ?? []) {
    bytes += piece.length
    if (bytes > MOST_BYTES) throw new LanguageModelError('garbled', `more than ${MOST_BYTES} bytes`)
    pieces.push(piece)
  }
  return { status: answer.status, text: Buffer.concat(pieces).toString() }
}

/** What stands in a text as JSON; undefined when it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

const HERE: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Host and port of an endpoint, as people are told it, and whether it is this machine. */
export function hostOf({ baseUrl }: Pick<LanguageModelSettings, 'baseUrl'>): { host: string; isHere: boolean } {
  const { host, hostname } = new URL(baseUrl)
  return { host, isHere: HERE.has(hostname) }
}
