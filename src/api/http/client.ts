import { TimeoutError } from 'ky'
import type { z } from 'zod/mini'
import type { ATTACHMENT_COUNTS_PREFERENCE } from '#contract/report/report.ts'
import { NetworkError, ProblemError } from '#src/lib/problem-error.ts'
import { getCurrentSession } from '#src/lib/session-store.ts'
import { kyClient, parseApiResponse, parseProblemResponse } from './ky-client.ts'

export type RequestOptions<S extends z.core.$ZodType | undefined> = {
  method?: 'get' | 'post' | 'patch' | 'put' | 'delete'
  json?: unknown
  query?: Readonly<Record<string, string>>
  schema?: S
  signal?: AbortSignal | undefined
  /** No timeout by default (specification section 7). */
  timeoutMs?: number
  /** Lets the request survive closing the tab. Browsers limit the number and size of such requests. */
  keepalive?: boolean
  /** Identifies the request, so that a retry after a lost response has no second effect (R46). */
  idempotencyKey?: string
  /** `Prefer` header (RFC 7240) for a shorter response; servers that do not support it respond in full. */
  prefer?: 'return=minimal' | typeof ATTACHMENT_COUNTS_PREFERENCE
  /** `Range` header, e.g. `bytes=0-1023`. */
  range?: string
  withoutBearer?: boolean
  /** A 401 does not end the session, for login and logout (C3). */
  keepsSession?: boolean
}
export const ANONYMOUS_REQUEST_OPTIONS = { withoutBearer: true, keepsSession: true } as const

type ResponseOf<S> = S extends z.core.$ZodType ? z.core.output<S> : undefined

let handleSessionEnd: (access: string | undefined) => void = () => undefined
export function setSessionEndHandler(handler: (access: string | undefined) => void): void {
  handleSessionEnd = handler
}

let renewAccess: () => Promise<string | undefined> = async () => getCurrentSession()?.access
export function setAccessTokenRenewalHandler(renew: () => Promise<string | undefined>): void {
  renewAccess = renew
}

let promptForProof: ((refusal: ProblemError) => Promise<boolean>) | undefined
export function registerReauthenticationPrompt(prompt: (refusal: ProblemError) => Promise<boolean>): () => void {
  promptForProof = prompt
  return () => {
    if (promptForProof === prompt) promptForProof = undefined
  }
}

/** Resolves to true when the user has re-authenticated and the refused call can be resent (R64). */
const promptForReauthentication = async (refusal: ProblemError): Promise<boolean> =>
  refusal.code === 'proof_needed' && (await promptForProof?.(refusal)) === true

const UNSAFE_METHODS = ['post', 'patch', 'put', 'delete']
function getXsrfToken(): string | undefined {
  const cookie = document.cookie.split('; ').find((pair) => pair.startsWith('XSRF-TOKEN='))
  return cookie && decodeURIComponent(cookie.slice('XSRF-TOKEN='.length))
}

/**
 * Calls the API; `path` is relative to /api/v2. Resolves to the validated response. Throws ProblemError (refused),
 * InvalidResponseError (wrong shape, details logged), NetworkError (no response), AbortError.
 */
export async function sendApiRequest<S extends z.core.$ZodType | undefined = undefined>(
  path: string,
  options: RequestOptions<S> = {},
): Promise<ResponseOf<S>> {
  const { schema } = options
  const response = await fetchFromApi(path, options)
  if (!schema) return undefined as ResponseOf<S>
  const body = await response.json().catch(handleBodyError)
  return parseApiResponse(schema, body, path, response.headers.get('x-request-id') ?? undefined) as ResponseOf<S>
}

/** Renews a session that expired while offline or asleep, because an expired token would end it. */
export async function getAccessToken(): Promise<string | undefined> {
  const session = getCurrentSession()
  if (!session || session.expiresAtMs > Date.now()) return session?.access
  return await renewAccess().catch(throwNetworkError)
}

/** Like `sendApiRequest`, for a response that is not JSON. */
export async function fetchFromApi(
  path: string,
  options: Omit<RequestOptions<z.core.$ZodType | undefined>, 'schema'>,
): Promise<Response> {
  const { method = 'get', json, query, signal, timeoutMs, keepalive, idempotencyKey, prefer, range } = options
  const access = options.withoutBearer ? undefined : await getAccessToken()
  const headers: Record<string, string> = {}
  if (access) headers.authorization = `Bearer ${access}`
  if (idempotencyKey) headers['idempotency-key'] = idempotencyKey
  if (prefer) headers.prefer = prefer
  if (range) headers.range = range
  const token = UNSAFE_METHODS.includes(method) ? getXsrfToken() : undefined
  // The URL is always same-origin, so the token is never sent elsewhere.
  if (token) headers['x-xsrf-token'] = token
  const response = await kyClient(path, {
    method,
    headers,
    ...(json === undefined ? {} : { json }),
    ...(query ? { searchParams: new URLSearchParams(query) } : {}),
    ...(signal ? { signal } : {}),
    ...(timeoutMs ? { timeout: timeoutMs } : {}),
    ...(keepalive ? { keepalive } : {}),
  }).catch(throwNetworkError)
  if (response.ok) return response
  if (response.status === 401 && !options.keepsSession) handleSessionEnd(access)
  const refusal = new ProblemError(response, await parseProblemResponse(response))
  // The server refused the call before processing it, so resending cannot have a double effect.
  if (await promptForReauthentication(refusal)) return fetchFromApi(path, options)
  throw refusal
}

/** Ends the session after a 401 of a request that was not sent by `fetchFromApi`, with this access token. */
export const endSessionAfterRefusal = (access: string | undefined): void => handleSessionEnd(access)

export const postAnonymously = <S extends z.core.$ZodType | undefined = undefined>(
  path: string,
  options: Omit<RequestOptions<S>, 'method' | keyof typeof ANONYMOUS_REQUEST_OPTIONS> = {},
): Promise<ResponseOf<S>> => sendApiRequest<S>(path, { ...options, ...ANONYMOUS_REQUEST_OPTIONS, method: 'post' })

/** Treats a non-JSON body as a response of the wrong shape, and an interrupted or aborted one as no response. */
function handleBodyError(error: unknown): undefined {
  if ((error as Error).name === 'SyntaxError') return undefined
  return throwNetworkError(error)
}

export function throwNetworkError(error: unknown): never {
  const name = (error as Error | undefined)?.name
  // ky's TimeoutError means no answer within `timeoutMs`; that of the caller's signal is a DOMException.
  const isStopped = name === 'AbortError' || (name === 'TimeoutError' && !(error instanceof TimeoutError))
  throw isStopped ? error : new NetworkError('No answer', { cause: error })
}
