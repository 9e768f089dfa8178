import ky from 'ky'

/** Answers to questions that `public/theme.js` asked before this code was there, by path with query below the API, and with which bearer. */
export type EarlyAnswers = { readonly bearer: string; readonly answers: Record<string, Promise<Response> | undefined> }

declare global {
  interface Window {
    earlyAnswers?: EarlyAnswers | undefined
  }
}

/** Older ones, in ms of the page's life, are of a visit that never came to the question, and may be out of date. */
const EARLY_MS = 15_000
const BASE = '/api/v2/'

/** The answer to a question that was asked ahead by the same bearer, once; otherwise asks. */
function fetchOnce(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const early = window.earlyAnswers
  if (early && input instanceof Request && input.method === 'GET') {
    if (performance.now() > EARLY_MS) window.earlyAnswers = undefined
    const path = input.url.slice(location.origin.length + BASE.length)
    const answer = window.earlyAnswers?.answers[path]
    if (answer && input.headers.get('authorization') === early.bearer) {
      early.answers[path] = undefined
      return answer
    }
  }
  return fetch(input, init)
}

/** Retries happen in one place only, in TanStack Query. */
export const kyClient = ky.create({
  baseUrl: new URL(BASE, location.origin),
  retry: 0,
  timeout: false,
  throwHttpErrors: false,
  fetch: fetchOnce,
})
