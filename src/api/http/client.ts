import type { z } from 'zod/mini'
import type { ATTACHMENTS_COUNTED } from '#contract/report/report.ts'
import { currentSession } from '#src/lib/session-store.ts'
import { NetworkError, ProblemError } from './problem-error.ts'

type RequestOptions<S extends z.core.$ZodType | undefined> = {
  method?: 'get' | 'post' | 'patch' | 'put' | 'delete'
  json?: unknown
  /** Unencoded pairs; the client encodes them once. */
  query?: Readonly<Record<string, string>>
  /** Response schema; without it the body is not read. */
  schema?: S
  signal?: AbortSignal | undefined
  /** No timeout by default (specification section 7). */
  timeoutMs?: number
  /** Request survives closing the tab. Browsers limit their number and size. */
  keepalive?: boolean
  /** Idempotency key: a retry after a lost response has no second effect (R46). */
  idempotencyKey?: string
  /** `Prefer` header (RFC 7240) for a shorter response; servers that do not support it answer in full. */
  prefer?: 'return=minimal' | typeof ATTACHMENTS_COUNTED
  /** Send no bearer; for login. */
  withoutBearer?: boolean
  /** A 401 does not end the session; for login and logout (C3). */
  keepsSession?: boolean
}
type Answer<S> = S extends z.core.$ZodType ? z.core.output<S> : undefined

type Client = typeof import('./ky-client.ts')
// ky and zod are not needed to render /login, so they load with the first call.
let client: Promise<Client> | undefined
function loadClient(): Promise<Client> {
  client ??= import('./ky-client.ts').catch((error: unknown) => {
    client = undefined
    throw error
  })
  return client
}

export function preloadClient(): void {
  loadClient().catch(() => undefined)
}

let sessionDied: (access: string | undefined) => void = () => undefined
export function whenSessionDies(handler: (access: string | undefined) => void): void {
  sessionDied = handler
}

let renewAccess: () => Promise<string | undefined> = async () => currentSession()?.access
export function whenAccessExpires(renew: () => Promise<string | undefined>): void {
  renewAccess = renew
}

let prove: ((refusal: ProblemError) => Promise<boolean>) | undefined
/** Registers the prompt that asks the user to re-authenticate. Returns the unregister function. */
export function whenProofIsNeeded(ask: (refusal: ProblemError) => Promise<boolean>): () => void {
  prove = ask
  return () => {
    if (prove === ask) prove = undefined
  }
}

/** True if the refused call can be resent because the user has re-authenticated (R64). */
export const isProvedNow = async (refusal: ProblemError): Promise<boolean> =>
  refusal.code === 'proof_needed' && (await prove?.(refusal)) === true

const UNSAFE = ['post', 'patch', 'put', 'delete']
function xsrfToken(): string | undefined {
  const cookie = document.cookie.split('; ').find((pair) => pair.startsWith('XSRF-TOKEN='))
  return cookie && decodeURIComponent(cookie.slice('XSRF-TOKEN='.length))
}

/**
 * Calls the API; `path` is relative to /api/v2. Resolves to the validated response. Throws ProblemError (refused),
 * InvalidResponseError (wrong shape, details logged), NetworkError (no response), AbortError.
 */
export async function request<S extends z.core.$ZodType | undefined = undefined>(
  path: string,
  options: RequestOptions<S> = {},
): Promise<Answer<S>> {
  const {
    method = 'get',
    json,
    query,
    schema,
    signal,
    timeoutMs,
    keepalive,
    idempotencyKey,
    prefer,
    withoutBearer = false,
    keepsSession = false,
  } = options
  const session = withoutBearer ? undefined : currentSession()
  // A session that expired while the device was offline or asleep renews first, because an expired bearer would end it.
  const access =
    session && session.expiresAtMs <= Date.now() ? await renewAccess().catch(withoutAnswer) : session?.access
  const headers: Record<string, string> = {}
  if (access) headers.authorization = `Bearer ${access}`
  if (idempotencyKey) headers['idempotency-key'] = idempotencyKey
  if (prefer) headers.prefer = prefer
  const token = UNSAFE.includes(method) ? xsrfToken() : undefined
  // The URL is always same-origin, so the token is never sent elsewhere.
  if (token) headers['x-xsrf-token'] = token
  const { kyClient, problemOf, readAnswer } = await loadClient().catch(withoutAnswer)
  const response = await kyClient(path, {
    method,
    headers,
    ...(json === undefined ? {} : { json }),
    ...(query ? { searchParams: new URLSearchParams(query) } : {}),
    ...(signal ? { signal } : {}),
    ...(timeoutMs ? { timeout: timeoutMs } : {}),
    ...(keepalive ? { keepalive } : {}),
  }).catch(withoutAnswer)
  if (!response.ok) {
    if (response.status === 401 && !keepsSession) sessionDied(access)
    const refusal = new ProblemError(response, await problemOf(response))
    // The server refused before processing, so resending has no double effect.
    if (await isProvedNow(refusal)) return request(path, options)
    throw refusal
  }
  if (!schema) return undefined as Answer<S>
  const body = await response.json().catch(withoutJson)
  return readAnswer(schema, body, path, response.headers.get('x-request-id') ?? undefined) as Answer<S>
}

/** A non-JSON body counts as a wrong shape; an interrupted or aborted one as no response. */
function withoutJson(error: unknown): undefined {
  if ((error as Error).name === 'SyntaxError') return undefined
  return withoutAnswer(error)
}

function withoutAnswer(error: unknown): never {
  throw (error as Error | undefined)?.name === 'AbortError' ? error : new NetworkError('No answer', { cause: error })
}
