import type { z } from 'zod/mini'
import type { ATTACHMENTS_COUNTED } from '#contract/report/report.ts'
import { currentSession } from '#src/lib/session-store.ts'
import { NetworkError, ProblemError } from './problem-error.ts'

type RequestOptions<S extends z.core.$ZodType | undefined> = {
  method?: 'get' | 'post' | 'patch' | 'put' | 'delete'
  json?: unknown
  /** Flat text pairs, encoded once. */
  query?: Readonly<Record<string, string>>
  /** Expected shape of the answer; without it the answer's body is not read. */
  schema?: S
  signal?: AbortSignal | undefined
  /** No time-out unless given (specification section 7). */
  timeoutMs?: number
  /** The request outlives the tab that made it. Browsers limit how many and how large these are. */
  keepalive?: boolean
  /** Same key, same answer: a call that is made again because its answer was lost has one effect (R46). */
  idempotencyKey?: string
  /** `Prefer` (RFC 7240): a shorter answer that is enough here. A server that does not know it answers in full. */
  prefer?: 'return=minimal' | typeof ATTACHMENTS_COUNTED
  /** Login: nobody is signed in yet, so no bearer is sent. */
  withoutBearer?: boolean
  /** Login and logout: a 401 of theirs is an answer and ends no session (C3). */
  keepsSession?: boolean
}
type Answer<S> = S extends z.core.$ZodType ? z.core.output<S> : undefined

type Client = typeof import('./ky-client.ts')
// ky and zod are not needed to draw /login, so they load with the first call.
let client: Promise<Client> | undefined
function loadClient(): Promise<Client> {
  client ??= import('./ky-client.ts').catch((error: unknown) => {
    client = undefined
    throw error
  })
  return client
}

/** Loads the HTTP code ahead of the first call, e.g. once the login form is drawn. */
export function preloadClient(): void {
  loadClient().catch(() => undefined)
}

let sessionDied: (access: string | undefined) => void = () => undefined
/** Registers what happens when the API says that the session is dead (401). */
export function whenSessionDies(handler: (access: string | undefined) => void): void {
  sessionDied = handler
}

let renewAccess: () => Promise<string | undefined> = async () => currentSession()?.access
/** Registers how a session whose access token has expired gets the next one. */
export function whenAccessExpires(renew: () => Promise<string | undefined>): void {
  renewAccess = renew
}

let prove: ((refusal: ProblemError) => Promise<boolean>) | undefined
/** Registers who asks the person to show who they are. Returns the function that ends it. */
export function whenProofIsNeeded(ask: (refusal: ProblemError) => Promise<boolean>): () => void {
  prove = ask
  return () => {
    if (prove === ask) prove = undefined
  }
}

/** Whether a call that was refused can be sent again, because the person has shown who they are meanwhile (R64). */
export const isProvedNow = async (refusal: ProblemError): Promise<boolean> =>
  refusal.code === 'proof_needed' && (await prove?.(refusal)) === true

const UNSAFE = ['post', 'patch', 'put', 'delete']
function xsrfToken(): string | undefined {
  const cookie = document.cookie.split('; ').find((pair) => pair.startsWith('XSRF-TOKEN='))
  return cookie && decodeURIComponent(cookie.slice('XSRF-TOKEN='.length))
}

/**
 * One call to the API; `path` is below /api/v2. Resolves to the checked answer.
 * Throws ProblemError (refused), InvalidResponseError (wrong shape, detail logged), NetworkError (no answer), AbortError.
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
  // One that slept without a network gets new tokens first: its bearer would end it.
  const access =
    session && session.expiresAtMs <= Date.now() ? await renewAccess().catch(withoutAnswer) : session?.access
  const headers: Record<string, string> = {}
  if (access) headers.authorization = `Bearer ${access}`
  if (idempotencyKey) headers['idempotency-key'] = idempotencyKey
  if (prefer) headers.prefer = prefer
  const token = UNSAFE.includes(method) ? xsrfToken() : undefined
  // The address is always our own origin, so the token never leaves it.
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
    // Refused before it was read: it has had no effect.
    if (await isProvedNow(refusal)) return request(path, options)
    throw refusal
  }
  if (!schema) return undefined as Answer<S>
  const body = await response.json().catch(withoutJson)
  return readAnswer(schema, body, path, response.headers.get('x-request-id') ?? undefined) as Answer<S>
}

/** An answer that is no JSON is one of the wrong shape; one that broke off, or was stopped, is none. */
function withoutJson(error: unknown): undefined {
  if ((error as Error).name === 'SyntaxError') return undefined
  return withoutAnswer(error)
}

function withoutAnswer(error: unknown): never {
  throw (error as Error | undefined)?.name === 'AbortError' ? error : new NetworkError('No answer', { cause: error })
}
