import type { messagingApi } from '@line/bot-sdk'
import { z } from 'zod/mini'
import { stripDirectionMarks } from '#contract/direction-marks.ts'
import type { LineSettings } from './line-settings.ts'

export type LineMessage = messagingApi.Message

/**
 * `quota`: monthly messages are used up; `busy`: rate limited; `down`: no usable response; `denied`: bad token;
 * `refused`: invalid request, retries are useless; `gone`: unknown recipient.
 */
export type LineApiFailureReason = 'quota' | 'busy' | 'down' | 'denied' | 'refused' | 'gone'

export class LineApiError extends Error {
  override readonly name = 'LineApiError'
  readonly failure: LineApiFailureReason

  /** `message` is logged, so it contains the status code only and nothing of what was sent. */
  constructor(failure: LineApiFailureReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.failure = failure
  }
}

const TIMEOUT_MS = 10_000
const MAX_RESPONSE_BYTES = 100_000

const linkTokenSchema = z.object({ linkToken: z.string().check(z.regex(/^[\w.~+/=-]{1,300}$/)) })
const profileSchema = z.object({ displayName: z.string().check(z.maxLength(500)) })
const botSchema = z.object({ basicId: z.string().check(z.regex(/^@[\w.-]{1,40}$/)), displayName: z.string() })
const quotaSchema = z.object({ type: z.string(), value: z.optional(z.number()) })
const usedSchema = z.object({ totalUsage: z.number() })

export type LineApi = {
  /**
   * Sends to one person; counts against the monthly quota. LINE delivers only once per `retryKey` (a UUID); `accepted`
   * means that the message had already been delivered.
   */
  push(
    to: string,
    messages: readonly LineMessage[],
    retryKey: string,
    signal?: AbortSignal,
  ): Promise<'sent' | 'accepted'>
  /** Replies to an event. Replies are free, but possible only once and within a minute. */
  reply(replyToken: string, messages: readonly LineMessage[], signal?: AbortSignal): Promise<void>
  /** Returns a token for this person's account linking: single use, valid for ten minutes. */
  linkToken(lineId: string, signal?: AbortSignal): Promise<string>
  displayName(lineId: string, signal?: AbortSignal): Promise<string>
  /** Returns the account's details and the number of messages sent this month; a `quota` of null means unlimited. */
  channel(signal?: AbortSignal): Promise<{ basicId: string; name: string; quota: number | null; used: number }>
}

/**
 * Creates a client of LINE's Messaging API; all methods throw `LineApiError`. It uses the types of `@line/bot-sdk` but not
 * its client, which has no abort signal or timeout, follows redirects with the token, and reads responses of any
 * length.
 */
export function createLineApi({ accessToken, apiUrl, timeoutMs = TIMEOUT_MS }: LineSettings): LineApi {
  const base = apiUrl.endsWith('/') ? apiUrl.slice(0, -1) : apiUrl

  async function call(
    method: 'GET' | 'POST',
    path: string,
    { body, retryKey, signal }: { body?: object; retryKey?: string; signal?: AbortSignal | undefined } = {},
  ): Promise<{ status: number; text: string }> {
    const limit = AbortSignal.timeout(timeoutMs)
    const headers = {
      authorization: `Bearer ${accessToken}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(retryKey && { 'x-line-retry-key': retryKey }),
    }
    try {
      const response = await fetch(`${base}${path}`, {
        method,
        headers,
        ...(body && { body: stripDirectionMarks(JSON.stringify(body)) }),
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
        // The operator configured one host, so messages and token must not follow a redirect to another.
        redirect: 'error',
      })
      const chunks: Uint8Array[] = []
      let bytes = 0
      for await (const chunk of response.body ?? []) {
        bytes += chunk.length
        if (bytes > MAX_RESPONSE_BYTES)
          throw new LineApiError('down', `response larger than ${MAX_RESPONSE_BYTES} bytes`)
        chunks.push(chunk)
      }
      return { status: response.status, text: Buffer.concat(chunks).toString() }
    } catch (error) {
      if (error instanceof LineApiError) throw error
      signal?.throwIfAborted()
      throw new LineApiError('down', limit.aborted ? 'no answer in time' : 'no usable answer', { cause: error })
    }
  }

  async function read<T>(path: string, schema: z.ZodMiniType<T>, signal?: AbortSignal, method: 'GET' | 'POST' = 'GET') {
    const response = await call(method, path, { signal })
    if (response.status !== 200) throw toLineError(response)
    const parsed = schema.safeParse(jsonOf(response.text))
    if (!parsed.success) throw new LineApiError('down', 'unexpected response format')
    return parsed.data
  }

  return {
    async push(to, messages, retryKey, signal) {
      const response = await call('POST', '/v2/bot/message/push', { body: { to, messages }, retryKey, signal })
      // 409 means that LINE already delivered the message: an earlier attempt succeeded but its response was lost.
      if (response.status === 409) return 'accepted'
      if (response.status !== 200) throw toLineError(response)
      return 'sent'
    },
    async reply(replyToken, messages, signal) {
      const response = await call('POST', '/v2/bot/message/reply', { body: { replyToken, messages }, signal })
      if (response.status !== 200) throw toLineError(response)
    },
    linkToken: async (lineId, signal) =>
      (await read(`/v2/bot/user/${encodeURIComponent(lineId)}/linkToken`, linkTokenSchema, signal, 'POST')).linkToken,
    displayName: async (lineId, signal) =>
      (await read(`/v2/bot/profile/${encodeURIComponent(lineId)}`, profileSchema, signal)).displayName,
    async channel(signal) {
      const { basicId, displayName } = await read('/v2/bot/info', botSchema, signal)
      const quota = await read('/v2/bot/message/quota', quotaSchema, signal)
      const { totalUsage } = await read('/v2/bot/message/quota/consumption', usedSchema, signal)
      return {
        basicId,
        name: displayName,
        quota: quota.type === 'limited' ? (quota.value ?? 0) : null,
        used: totalUsage,
      }
    },
  }
}

/** LINE returns 429 both for an exhausted monthly quota and for rate limiting; only the message differs. */
function toLineError({ status, text }: { readonly status: number; readonly text: string }): LineApiError {
  if (status === 429) return new LineApiError(/monthly limit/i.test(text) ? 'quota' : 'busy', `status ${status}`)
  if (status === 401 || status === 403) return new LineApiError('denied', `status ${status}`)
  if (status === 404) return new LineApiError('gone', `status ${status}`)
  if (status >= 500) return new LineApiError('down', `status ${status}`)
  return new LineApiError('refused', `status ${status}`)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
