import ky from 'ky'
import { z } from 'zod/mini'
import { type Problem, problemSchema } from '#contract/http/problem.ts'
import { InvalidResponseError } from './problem-error.ts'

/**
 * Responses to requests that `public/theme.js` sent before this code had loaded, with the bearer they used. Keyed by
 * path and query relative to the API.
 */
export type EarlyResponses = Record<
  string,
  { readonly bearer: string | undefined; readonly answer: Promise<Response> } | undefined
>

declare global {
  interface Window {
    earlyAnswers?: EarlyResponses | undefined
  }
}

/** Maximum age after page load of an early response, which may be stale after that. */
const EARLY_RESPONSE_MAX_AGE_MS = 15_000
const API_BASE_PATH = '/api/v2/'
const DEMO_LOGIN_PATH = 'auth/auto-login/'

/** Returns an early response, once, if it used the same bearer; otherwise fetches. */
function fetchOnce(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  if (performance.now() > EARLY_RESPONSE_MAX_AGE_MS) window.earlyAnswers = undefined
  const earlyAnswers = window.earlyAnswers
  if (earlyAnswers && input instanceof Request) {
    const path = input.url.slice(location.origin.length + API_BASE_PATH.length)
    const earlyAnswer = earlyAnswers[path]
    // The only early POST is the demo login, with the key from the URL.
    const isSame = input.method === (path === DEMO_LOGIN_PATH ? 'POST' : 'GET')
    if (earlyAnswer && isSame && (input.headers.get('authorization') ?? undefined) === earlyAnswer.bearer) {
      earlyAnswers[path] = undefined
      return earlyAnswer.answer
    }
  }
  return fetch(input, init)
}

export const kyClient = ky.create({
  baseUrl: new URL(API_BASE_PATH, location.origin),
  retry: 0,
  timeout: false,
  throwHttpErrors: false,
  fetch: fetchOnce,
})

/** Returns the problem details of a refusal; empty if the body is not ours, such as a proxy's page. */
export async function readProblem(response: Response): Promise<Problem & Record<string, unknown>> {
  const body: unknown = await response.json().catch(() => undefined)
  const problem = z.safeParse(problemSchema, body)
  return problem.success ? { ...(body as Record<string, unknown>), ...problem.data } : {}
}

/** Validates a response. Throws InvalidResponseError for a wrong shape and logs the details. */
export function parseResponse<S extends z.core.$ZodType>(
  schema: S,
  body: unknown,
  path: string,
  requestId: string | undefined,
): z.core.output<S> {
  const parsed = z.safeParse(schema, body)
  if (parsed.success) return parsed.data
  console.error(`Unexpected response from ${path}`, parsed.error.issues)
  throw new InvalidResponseError(requestId)
}
